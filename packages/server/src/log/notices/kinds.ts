/** The kinds of notifications. A name is part of the API and of stored preferences: it never changes. */

export const SETTINGS = ['immediately', 'daily', 'off'] as const;
export type Setting = (typeof SETTINGS)[number];

export interface Kind {
  /** The name of the kind, for lists. */
  title: string;
  /** The recipients, in words. */
  audience: string;
  default: Exclude<Setting, 'off'>;
  /** Always sent, immediately, whatever the person has chosen. */
  security?: true;
  /** Whether Slack and Microsoft Teams can get it, too. */
  channels?: true;
}

const define = <K extends string>(kinds: Record<K, Kind>): Record<K, Kind> => kinds;

export const KINDS = define({
  request_waiting: {
    title: 'A request needs a decision',
    audience: 'The people who can decide it now, or their deputies',
    default: 'immediately',
    channels: true,
  },
  request_reminder: {
    title: 'A request is still waiting for a decision',
    audience: 'The people who can decide it now, or their deputies, every 3 days',
    default: 'daily',
  },
  request_reassigned: {
    title: 'A request was assigned or escalated to you',
    audience: 'The new approvers',
    default: 'immediately',
  },
  request_decided: {
    title: 'A request was approved, denied, canceled or has expired',
    audience: 'The requester and the person who gets the access',
    default: 'immediately',
  },
  request_granted: {
    title: 'Requested access was granted',
    audience: 'The requester and the person who gets the access',
    default: 'immediately',
  },
  request_failed: {
    title: 'Requested access could not be granted',
    audience: 'The requester and the person who should get the access',
    default: 'immediately',
  },
  request_expires: {
    title: 'An undecided request expires soon',
    audience: 'The requester and the people who can decide it, 3 days before',
    default: 'immediately',
  },
  access_ends: {
    title: 'Temporary access ends soon',
    audience: 'The requester and the person who has the access, 3 days before',
    default: 'immediately',
  },
  request_commented: {
    title: 'A comment on a request',
    audience: 'The requester, the person who gets the access, and the people who can decide the request',
    default: 'immediately',
  },
  information_requested: {
    title: 'An approver needs more information',
    audience: 'The requester and the person who gets the access',
    default: 'immediately',
  },
  information_provided: {
    title: 'Requested information was provided',
    audience: 'The people who can decide the request',
    default: 'immediately',
  },
  review_assigned: {
    title: 'A review is waiting for you',
    audience: 'The reviewers of a cycle, or their deputies, once per cycle',
    default: 'immediately',
    channels: true,
  },
  review_reassigned: {
    title: 'Review items were assigned or escalated to you',
    audience: 'The new reviewers, once a day per cycle at most',
    default: 'immediately',
  },
  review_due: {
    title: 'A review is due soon',
    audience: 'Reviewers with open items, 7 days and 1 day before, and when an administrator reminds them',
    default: 'immediately',
  },
  review_reminder: {
    title: 'A review is still waiting for you',
    audience: 'Reviewers with open items, every 7 days, and when an administrator reminds them',
    default: 'daily',
  },
  review_overdue: {
    title: 'A review is overdue',
    audience:
      'Reviewers with open items, if the review is still open after its due date, and when an administrator reminds them',
    default: 'immediately',
    channels: true,
  },
  fulfillment_assigned: {
    title: 'A task is assigned to you',
    audience: 'The assignee, or the administrators if nobody can carry it out',
    default: 'immediately',
    channels: true,
  },
  fulfillment_reassigned: {
    title: 'A task was handed to you',
    audience: 'The new assignee, or the administrators if nobody can carry it out',
    default: 'immediately',
  },
  fulfillment_due: {
    title: 'A task of yours is due soon',
    audience: 'The assignee, as long before as the app says',
    default: 'immediately',
  },
  fulfillment_overdue: {
    title: 'A task of yours is overdue',
    audience: 'The assignee, on the due date and every 3 days, and the administrators once it was escalated',
    default: 'immediately',
    channels: true,
  },
  task_failed: {
    title: 'A task has failed',
    audience: "The app's owner, and the administrators unless the owner can see the task",
    default: 'immediately',
    channels: true,
  },
  removal_held: {
    title: 'A removal is held',
    audience: "The app's owner and the administrators",
    default: 'immediately',
    channels: true,
  },
  people_change_held: {
    title: 'A change of many people is held',
    audience: 'The administrators, once for each hold',
    default: 'immediately',
    channels: true,
  },
  budget_held: {
    title: 'Tasks are held by the daily budget of an app',
    audience: "The app's owner and the administrators",
    default: 'immediately',
    channels: true,
  },
  sync_failed: {
    title: 'A sync has failed',
    audience: "The app's owner, otherwise the administrators",
    default: 'immediately',
    channels: true,
  },
  sync_superseded: {
    title: "Connectors discard each other's syncs",
    audience: "The app's owner and the administrators, once until a sync has completed",
    default: 'immediately',
    channels: true,
  },
  sync_overdue: {
    title: 'A sync is overdue',
    audience: "The app's owner, otherwise the administrators",
    default: 'immediately',
    channels: true,
  },
  webhook_failing: {
    title: 'A webhook keeps failing',
    audience: 'The administrators, once its next event has failed for 15 minutes',
    default: 'immediately',
    channels: true,
  },
  policy_held: {
    title: 'A policy waits for a confirmation',
    audience: 'The administrators, or the authors of policies that undo each other',
    default: 'immediately',
    channels: true,
  },
  policy_undecided: {
    title: 'A policy that takes access away left people out',
    audience: 'The person who enabled it, otherwise the administrators',
    default: 'immediately',
  },
  attribute_ignored: {
    title: 'Gatehouse could not apply an attribute from an identity provider',
    audience: 'The administrators, once for each client and attribute',
    default: 'immediately',
    channels: true,
  },
  returned_as_another: {
    title: 'A person came back under another id',
    audience: 'The administrators',
    default: 'immediately',
    channels: true,
  },
  suspension_ended: {
    title: 'An app shows an account active that you suspended',
    audience: 'The people who decided the suspension',
    default: 'immediately',
  },
  webhook_disabled: {
    title: 'A webhook was disabled',
    audience: 'The administrators',
    default: 'immediately',
    channels: true,
  },
  query_results: {
    title: 'A saved query ran',
    audience: 'The recipients that its owner chose',
    default: 'immediately',
  },
  query_stopped: {
    title: 'The schedule of a saved query was stopped',
    audience: 'Its owner and the administrators',
    default: 'immediately',
  },
  key_created: {
    title: 'An API key was created',
    audience: 'The person for whom it acts',
    default: 'immediately',
    security: true,
  },
  key_expires: {
    title: 'An API key expires soon',
    audience: 'The person for whom it acts, 7 days before',
    default: 'immediately',
  },
  certificate_expires: {
    title: 'The certificates of a sign-in provider expire soon',
    audience: 'The administrators, 30 days before the last certificate of a SAML provider expires',
    default: 'immediately',
    channels: true,
  },
  new_device: {
    title: 'A sign-in from a new device',
    audience: 'The person who signed in',
    default: 'immediately',
    security: true,
  },
  password_changed: {
    title: 'Your password was changed',
    audience: 'The person whose password it is',
    default: 'immediately',
    security: true,
  },
  factor_removed: {
    title: 'A second factor or a passkey was removed',
    audience: 'The person whose factor it was',
    default: 'immediately',
    security: true,
  },
  sign_in_link: {
    title: 'Your sign-in link',
    audience: 'The person for whom an administrator ordered it, by email only',
    default: 'immediately',
    security: true,
  },
});

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];
export const SECURITY_KINDS = KIND_NAMES.filter((name) => kindOf(name).security === true);
/** The kinds that Slack and Microsoft Teams can get. */
export const CHANNEL_KINDS = KIND_NAMES.filter((name) => kindOf(name).channels === true);

export function kindOf(name: KindName): Kind {
  return KINDS[name];
}

export const isKind = (name: string): name is KindName => Object.hasOwn(KINDS, name);
