import { counted, localTime } from './words.ts';

type Payload = Readonly<Record<string, unknown>>;

/** The parts of an event that its sentence uses. */
export interface EventLike {
  event_type: string;
  actor: { type: string; uuid: string | null };
  source: { type: string };
  payload: Payload;
}

/** Returns a person's name, if known. */
export type NameOf = (uuid: string) => string | undefined;

/** The parts of an event, in words. */
interface Parts {
  /** The actor, as the subject of a sentence. */
  who: string;
  /** The source, at the end of a sentence: " (discovered by sync)". */
  source: string;
  app: string;
  account: string;
  person: string;
  /** "to suspend the account of ada@example.com in Payroll" */
  work: string;
  payload: Payload;
  nameOf: NameOf;
}

/** Describes an event in a sentence. Falls back to the name of its type. */
export function eventSentence(event: EventLike, nameOf: NameOf = () => undefined): string {
  const describe = sentences[event.event_type];
  return describe === undefined ? event.event_type : `${describe(partsOf(event, nameOf))}.`;
}

function partsOf({ actor, source, payload, ...event }: EventLike, nameOf: NameOf): Parts {
  const named = actor.uuid === null ? undefined : nameOf(actor.uuid);
  const isOwnSession = event.event_type.startsWith('session.') && actor.uuid === payload.user_id;
  const app = text(payload, 'app_name') ?? 'an app';
  const account = text(payload, 'display_name', 'email', 'username', 'external_id') ?? 'an account';
  return {
    who: named ?? (isOwnSession ? text(payload, 'name', 'email') : undefined) ?? actorWord(actor, source),
    source: SOURCES[source.type] ?? '',
    app,
    account,
    person: personOf(payload.user_id, nameOf) ?? text(payload, 'name', 'email', 'username') ?? 'someone',
    work: `to ${actionPhrase(text(payload, 'action') ?? '')} ${account} in ${app}`,
    payload,
    nameOf,
  };
}

const SOURCES: Record<string, string> = {
  sync: ' (discovered by sync)',
  task: ' (by a provisioning task)',
};

const deputy = ({ payload, nameOf }: Parts) => {
  const name = personOf(payload.deputy_id, nameOf);
  return name === undefined ? '' : `, with ${name} as the deputy`;
};

const personOf = (id: unknown, nameOf: NameOf) => (typeof id === 'string' ? nameOf(id) : undefined);

/** The person who carries out a task. */
const holder = (id: unknown, nameOf: NameOf) =>
  typeof id === 'string' ? (nameOf(id) ?? 'someone') : 'nobody';

function actorWord(actor: EventLike['actor'], source: EventLike['source']): string {
  if (actor.type === 'user') return 'Someone';
  if (actor.type === 'platform_admin') return 'A platform administrator';
  if (actor.type === 'service') return 'A service';
  return source.type === 'sync' ? 'A sync' : 'Gatehouse';
}

const ACTIONS: Record<string, string> = {
  create_account: 'create an account for',
  update_account: 'change the access of',
  delete_account: 'delete the account of',
  suspend_account: 'suspend the account of',
  unsuspend_account: 'unsuspend the account of',
  reset_password: 'reset the password of',
};
const actionPhrase = (action: string) => ACTIONS[action] ?? 'act on';

const METHODS: Record<string, string> = {
  password: 'a password',
  passkey: 'a passkey',
  totp: 'a code',
  backup_code: 'a backup code',
  oidc: 'single sign-on',
  saml: 'single sign-on',
  sso: 'single sign-on',
};

/** Returns the first of the fields that is a nonempty text. */
function text(payload: Payload, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = payload[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** Returns a reason, comment or message after a colon, without its final period. */
function quoted(payload: Payload, ...names: string[]): string {
  const words = text(payload, ...names);
  return words === undefined ? '' : `: ${words.trim().replace(/\.$/, '')}`;
}

const at = (payload: Payload, name: string, before: string) => {
  const moment = text(payload, name);
  return moment === undefined ? '' : ` ${before} ${localTime(new Date(moment))}`;
};

const number = (value: unknown) => (typeof value === 'number' ? value : 0);
const record = (value: unknown): Payload =>
  typeof value === 'object' && value !== null ? (value as Payload) : {};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const readable = (value: string) => (INSTANT.test(value) ? localTime(new Date(value)) : value);

const field = (name: string) => name.replace(/^attributes\./, '').replaceAll('_', ' ');

function shown(value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'string') return nameOf(value) ?? (UUID.test(value) ? 'someone' : readable(value));
  return JSON.stringify(value);
}

const isCompound = (value: unknown) => typeof value === 'object' && value !== null;

/** "department from Sales to Research, and 2 more" */
function changesOf({ payload, nameOf }: Parts): string {
  const changes = (Array.isArray(payload.changes) ? payload.changes : []).map(record);
  const described = changes.slice(0, 2).map(({ field: name, from, to }) =>
    // The event itself shows lists and objects; a sentence would have to quote them as JSON.
    isCompound(from) || isCompound(to)
      ? field(String(name))
      : `${field(String(name))} from ${shown(from, nameOf)} to ${shown(to, nameOf)}`,
  );
  const rest = changes.length - described.length;
  return described.join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

function counts({ payload }: Parts): string {
  const { created, updated, removed } = record(payload.counts);
  const parts = (
    [
      ['created', created],
      ['updated', updated],
      ['removed', removed],
    ] as const
  ).flatMap(([word, value]) => (number(value) > 0 ? [`${counted(number(value), 'record')} ${word}`] : []));
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

const request = (payload: Payload) => `request ${text(payload, 'label') ?? ''}`.trim();
const group = (payload: Payload) =>
  `${payload.kind === 'license' ? 'the license' : 'the group'} ${text(payload, 'group_name', 'group_external_id') ?? ''}`.trim();
const override = (payload: Payload) => (payload.override === true ? ', overriding its approvers' : '');
const withMethod = (method: unknown) =>
  typeof method === 'string' ? ` with ${METHODS[method] ?? method}` : '';
const key = (payload: Payload) => `the API key ${text(payload, 'name') ?? ''}`.trim();
const signedIn = ({ payload: { method, second_factor } }: Parts) =>
  withMethod(method) + (second_factor === true ? ' and a second factor' : '');

const named = (what: string, payload: Payload) => `${what} ${text(payload, 'name') ?? ''}`.trim();
const spreadsheet = (payload: Payload) =>
  `${text(payload, 'file_name') ?? ''} ${payload.app_id === null ? 'of people' : `of ${text(payload, 'app_name') ?? 'an app'}`}`.trim();
const connectorRun = ({ kind }: Payload) =>
  ({ sync: 'a sync', tasks: 'a task batch', test: 'a connector test', preview: 'a connector preview' })[
    String(kind)
  ] ?? 'a connector run';
const heldActions = ({ payload }: Parts) =>
  `${counted(number(payload.count), 'held action')} of ${named('the policy', payload)}`;
const heldRemoval = ({ app, payload }: Parts) => {
  const held = record(payload.held);
  return `the removal of ${counted(number(held.accounts), 'account')} and ${counted(number(held.memberships), 'membership')} in ${app}`;
};
const heldTasks = ({ app, payload }: Parts) => `${counted(number(payload.tasks), 'held task')} of ${app}`;
const reviewed = ({ account, app, payload }: Parts) => {
  const name = text(record(payload.resource), 'name');
  return name === undefined ? `the account of ${account} in ${app}` : `${name} of ${account} in ${app}`;
};
const factor = ({ person, payload }: Parts) =>
  `${payload.kind === 'passkey' ? 'a passkey' : 'the second factor'} of ${person}`;

const sentences: Record<string, (parts: Parts) => string> = {
  'session.login.succeeded': (parts) => `${parts.person} signed in${signedIn(parts)}`,
  'session.login.failed': ({ payload }) =>
    `A sign-in attempt as ${text(payload, 'identifier') ?? 'an unknown user'}${withMethod(payload.method)} failed${quoted(payload, 'reason')}`,
  'session.logout': ({ person }) => `${person} signed out`,
  'session.ip_blocked': ({ payload }) =>
    `The IP address ${text(payload, 'ip') ?? ''} was blocked${at(payload, 'blocked_until', 'until')} after ${counted(number(payload.failures), 'failed sign-in')}`,
  'session.expired': ({ person }) => `A session of ${person} expired`,
  'warp.login.attempted': ({ app, payload }) =>
    `The connector for ${app} tried to sign in to the app${payload.method === 'browser' ? ' with a browser' : ''}`,
  'warp.login.failed': ({ app, payload }) =>
    `The connector for ${app} could not sign in to the app${quoted(payload, 'message')}`,
  'api_key.created': ({ who, payload }) => `${who} created ${key(payload)}`,
  'api_key.revoked': ({ who, payload }) => `${who} revoked ${key(payload)}${quoted(payload, 'reason')}`,
  'api_key.used': ({ who, payload }) => `${who} used ${key(payload)}`,
  'account.provisioned': ({ account, app, source }) =>
    `An account for ${account} was created in ${app}${source}`,
  'account.deprovisioned': ({ account, app, source, payload }) =>
    `The account of ${account} was removed from ${app}${source}${quoted(payload, 'reason')}`,
  'account.activated': ({ account, app, source }) =>
    `The account of ${account} in ${app} became active${source}`,
  'account.suspended': ({ account, app, source, payload }) =>
    `The account of ${account} in ${app} was suspended${source}${quoted(payload, 'reason')}`,
  'account.unsuspended': ({ account, app, source, payload }) =>
    `The account of ${account} in ${app} was reactivated${source}${quoted(payload, 'reason')}`,
  'account.group.added': ({ account, app, source, payload }) =>
    `${account} ${payload.kind === 'license' ? 'was assigned' : 'was added to'} ${group(payload)} in ${app}${source}${quoted(payload, 'reason')}`,
  'account.group.removed': ({ account, app, source, payload }) =>
    `${account} ${payload.kind === 'license' ? 'lost' : 'was removed from'} ${group(payload)} in ${app}${source}${quoted(payload, 'reason')}`,
  'ticket.created': ({ who, payload }) => `${who} created ${request(payload)}`,
  'ticket.approved': ({ who, payload }) =>
    `${who} approved ${request(payload)}${override(payload)}${quoted(payload, 'comment')}`,
  'ticket.denied': ({ who, payload }) =>
    `${who} denied ${request(payload)}${override(payload)}${quoted(payload, 'comment', 'reason')}`,
  'app.created': ({ who, app }) => `${who} added the app ${app}`,
  'app.connected': ({ app, payload }) => `${app} is connected${quoted(payload, 'reason')}`,
  'app.disconnected': ({ app, payload }) => `${app} is disconnected${quoted(payload, 'reason')}`,
  'app.sync.started': ({ app }) => `A sync of ${app} started`,
  'app.sync.completed': (parts) =>
    parts.payload.outcome === 'abandoned'
      ? `A sync of ${parts.app} was abandoned after publishing its records: ${counts(parts)}`
      : `${parts.payload.baseline === true ? 'The first' : 'A'} sync of ${parts.app} completed: ${counts(parts)}`,
  'app.sync.failed': ({ app, payload }) => `A sync of ${app} failed${quoted(payload, 'message', 'reason')}`,
  'app.sync.paused': ({ app, payload }) => {
    const held = record(payload.held);
    return `A sync of ${app} is held for approval because it would remove ${counted(number(held.accounts), 'account')} and ${counted(number(held.memberships), 'membership')}`;
  },
  'app.connection_request.created': ({ who, payload }) =>
    `${who} requested the app ${text(payload, 'app_name') ?? ''}${quoted(payload, 'reason')}`,
  'task.created': ({ who, work, payload }) => `${who} created a task ${work}${quoted(payload, 'reason')}`,
  'task.dispatched': ({ work }) => `A connector picked up the task ${work}`,
  'task.completed': ({ work }) => `The task ${work} was completed`,
  'task.failed': ({ work, payload }) =>
    `The task ${work} failed${quoted(record(payload.error), 'message', 'code')}${payload.will_retry === true ? ' (Gatehouse will retry it)' : ''}`,
  'task.retried': ({ work, payload }) =>
    `A retry of the task ${work} was scheduled${at(payload, 'execute_after', 'for')}`,
  'task.preempted': ({ work }) => `The task ${work} was preempted by a task that deletes the account`,
  'task.cancelled': ({ who, work, payload }) =>
    `${who} canceled the task ${work}${quoted(payload, 'reason')}`,
  'task.dispatch_blocked': ({ work, payload }) => `The task ${work} is blocked${quoted(payload, 'reason')}`,
  'user.created': ({ who, person, payload }) =>
    `${who} added ${person}${payload.identity_type === 'service_account' ? ' as a service account' : ''}`,
  'user.updated': (parts) => `${parts.who} changed ${parts.person}: ${changesOf(parts)}`,
  'user.deactivated': ({ who, person, payload }) =>
    `${who} deactivated ${person}${quoted(payload, 'reason')}`,
  'user.reactivated': ({ who, person, payload }) =>
    `${who} reactivated ${person}${quoted(payload, 'reason')}`,
  'user.deleted': ({ who, person, payload }) => `${who} deleted ${person}${quoted(payload, 'reason')}`,
  'user.identity_type.changed': ({ who, person, payload }) =>
    `${who} changed ${person} from ${field(text(payload, 'from') ?? 'one type')} to ${field(text(payload, 'to') ?? 'another')}`,

  'policy.created': ({ who, payload }) => `${who} created ${named('the policy', payload)}`,
  'policy.updated': (parts) =>
    `${parts.who} changed ${named('the policy', parts.payload)}: ${changesOf(parts)}`,
  'policy.deleted': ({ who, payload }) => `${who} deleted ${named('the policy', payload)}`,
  'policy.actions_confirmed': (parts) => `${parts.who} confirmed ${heldActions(parts)}`,
  'policy.actions_discarded': (parts) => `${parts.who} discarded ${heldActions(parts)}`,
  'policy.settings_changed': (parts) => `${parts.who} changed the settings of policies: ${changesOf(parts)}`,
  'campaign.created': ({ who, payload }) => `${who} created ${named('the campaign', payload)}`,
  'campaign.updated': (parts) =>
    `${parts.who} changed ${named('the campaign', parts.payload)}: ${changesOf(parts)}`,
  'campaign.deleted': ({ who, payload }) => `${who} deleted ${named('the campaign', payload)}`,
  'campaign.started': ({ who, payload }) => `${who} opened a cycle of ${named('the campaign', payload)}`,
  'campaign.closed': ({ payload }) => `A cycle of ${named('the campaign', payload)} was completed`,
  'review.decided': (parts) =>
    `${parts.who} decided to ${text(parts.payload, 'decision') ?? 'keep'} ${reviewed(parts)}${quoted(parts.payload, 'comment')}`,
  'review.reassigned': ({ account, app }) =>
    `The review of the access of ${account} in ${app} was assigned to another reviewer`,
  'request.step_approved': ({ who, payload }) =>
    `${who} approved a step of ${request(payload)}${quoted(payload, 'comment')}`,
  'request.commented': ({ who, payload }) =>
    `${who} commented on ${request(payload)}${quoted(payload, 'comment')}`,
  'request.information_requested': ({ who, payload }) =>
    `${who} asked for more information about ${request(payload)}${quoted(payload, 'comment')}`,
  'request.information_provided': ({ who, payload }) =>
    `${who} provided information about ${request(payload)}${quoted(payload, 'comment')}`,
  'request.reassigned': ({ who, payload }) =>
    `${who} assigned ${request(payload)} to another approver${quoted(payload, 'reason')}`,
  'request.escalated': ({ payload }) => `The ${request(payload)} was escalated after waiting too long`,
  'review.escalated': ({ account, app }) =>
    `The review of the access of ${account} in ${app} was escalated after waiting too long`,
  'request.canceled': ({ who, payload }) => `${who} canceled ${request(payload)}${quoted(payload, 'reason')}`,
  'request.expired': ({ payload }) => `The ${request(payload)} expired`,
  'account_link.changed': ({ who, account, app, payload, nameOf }) =>
    payload.to === null
      ? `${who} unlinked the account of ${account} in ${app}`
      : `${who} linked the account of ${account} in ${app} to ${personOf(payload.to, nameOf) ?? 'a person'}`,
  'account_link.dismissed': ({ who, account, app, payload, nameOf }) =>
    `${who} marked the account of ${account} in ${app} as not belonging to ${personOf(payload.person_id, nameOf) ?? 'a person'}`,
  'account_owner.changed': (parts) =>
    `${parts.who} changed the account of ${parts.account} in ${parts.app}: ${changesOf(parts)}`,
  'removal_guard.approved': (parts) => `${parts.who} approved ${heldRemoval(parts)}`,
  'removal_guard.rejected': (parts) => `${parts.who} rejected ${heldRemoval(parts)}`,
  'sync.reverted': ({ who, app, payload }) => `${who} reverted a sync of ${app}${quoted(payload, 'reason')}`,
  'removal_budget.exceeded': ({ app, payload }) =>
    `The daily budget of ${app} holds ${counted(number(payload.tasks), 'task')} until an administrator confirms them`,
  'removal_budget.confirmed': (parts) => `${parts.who} confirmed ${heldTasks(parts)}`,
  'removal_budget.rejected': (parts) => `${parts.who} rejected ${heldTasks(parts)}`,
  'restore.created': ({ who, payload }) =>
    `${who} restored access as of ${at(payload, 'as_of', '').trim() || 'an earlier time'}, with ${counted(number(payload.tasks), 'task')}${quoted(payload, 'reason')}`,
  'app_settings.changed': (parts) => `${parts.who} changed the settings of ${parts.app}: ${changesOf(parts)}`,
  'app_settings.archived': ({ who, app }) => `${who} archived the app ${app}`,
  'resource_type.registered': ({ who, app, payload }) =>
    `${who} registered ${named('the resource type', payload)} in ${app}`,
  'resource_type.updated': (parts) =>
    `${parts.who} changed the resource type ${text(parts.payload, 'slug') ?? ''} in ${parts.app}: ${changesOf(parts)}`,
  'provider.created': ({ who, payload }) => `${who} added ${named('the sign-in provider', payload)}`,
  'provider.updated': (parts) =>
    `${parts.who} changed ${named('the sign-in provider', parts.payload)}: ${changesOf(parts)}`,
  'provider.deleted': ({ who, payload }) => `${who} removed ${named('the sign-in provider', payload)}`,
  'password.changed': ({ person, payload }) =>
    `${person} ${payload.method === 'link' ? 'set a password with a sign-in link' : 'changed their password'}`,
  'password.link_created': ({ who, person }) => `${who} created a sign-in link for ${person}`,
  'factor.added': (parts) => `${parts.who} added ${factor(parts)}`,
  'factor.removed': (parts) => `${parts.who} removed ${factor(parts)}`,
  'password.link_requested': ({ who, person }) =>
    `${who} asked Gatehouse to email a sign-in link to ${person}`,
  'fulfilment.configured': (parts) =>
    `${parts.who} changed the fulfilment of ${parts.app} by people: ${changesOf(parts)}`,
  'fulfilment.assigned': ({ work, payload, nameOf }) =>
    `The task ${work} was assigned to ${holder(payload.assignee_id, nameOf)}`,
  'fulfilment.reassigned': ({ who, work, payload, nameOf }) =>
    `${who} handed the task ${work} to ${holder(payload.to, nameOf)}`,
  'fulfilment.attachment_added': ({ who, work, payload }) =>
    `${who} attached ${text(payload, 'name') ?? 'a file'} to the task ${work}`,
  'absence.created': (parts) => `${parts.who} set an absence of ${parts.person}${deputy(parts)}`,
  'absence.updated': (parts) => `${parts.who} changed an absence of ${parts.person}: ${changesOf(parts)}`,
  'absence.deleted': ({ who, person }) => `${who} removed an absence of ${person}`,
  'connector.created': ({ who, app }) => `${who} added a connector to ${app}`,
  'connector.changed': (parts) => `${parts.who} changed the connector of ${parts.app}: ${changesOf(parts)}`,
  'connector.credentials_changed': ({ who, app }) =>
    `${who} changed the credentials of the connector of ${app}`,
  'connector.paused': ({ who, app }) => `${who} paused the connector of ${app}`,
  'connector.resumed': ({ who, app }) => `${who} resumed the connector of ${app}`,
  'connector.deleted': ({ who, app }) => `${who} removed the connector of ${app}`,
  'connector.run_requested': ({ who, app, payload }) => `${who} started ${connectorRun(payload)} of ${app}`,
  'connector.run_cancelled': ({ who, app, payload }) => `${who} cancelled ${connectorRun(payload)} of ${app}`,
  'webhook.created': ({ who, payload }) => `${who} added ${named('the webhook', payload)}`,
  'webhook.updated': (parts) =>
    `${parts.who} changed ${named('the webhook', parts.payload)}: ${changesOf(parts)}`,
  'webhook.deleted': ({ who, payload }) => `${who} removed ${named('the webhook', payload)}`,
  'webhook.secret_rotated': ({ who, payload }) =>
    `${who} rotated the signing secret of ${named('the webhook', payload)}`,
  'webhook.replayed': ({ who, payload }) =>
    `${who} set ${named('the webhook', payload)} back to earlier events`,
  'webhook.disabled': ({ payload }) =>
    `Gatehouse disabled ${named('the webhook', payload)}${quoted(payload, 'reason')}`,
  'notification_channel.created': ({ who, payload }) => `${who} added ${named('the channel', payload)}`,
  'notification_channel.updated': (parts) =>
    `${parts.who} changed ${named('the channel', parts.payload)}: ${changesOf(parts)}`,
  'notification_channel.deleted': ({ who, payload }) => `${who} removed ${named('the channel', payload)}`,
  'person.released': ({ who, person }) => `${who} released ${person} from the identity provider`,
  'person_group.created': ({ who, payload }) => `${who} created ${named('the group of people', payload)}`,
  'person_group.updated': (parts) =>
    `${parts.who} changed ${named('the group of people', parts.payload)}: ${changesOf(parts)}`,
  'person_group.deleted': ({ who, payload }) => `${who} deleted ${named('the group of people', payload)}`,
  'person_group.members_changed': ({ who, payload }) =>
    `${who} changed the members of ${named('the group of people', payload)}: ${number(payload.added)} added, ${number(payload.removed)} removed`,
  'person_group.role_set': ({ who, payload }) =>
    `${who} set the role that ${named('the group of people', payload)} gives to ${text(payload, 'to') ?? 'none'}`,
  'role.changed': ({ who, person, payload }) =>
    `${who} changed the role of ${person} from ${text(payload, 'from') ?? 'one role'} to ${text(payload, 'to') ?? 'another'}`,
  'person.imported': ({ who, payload }) =>
    `${who} imported people: ${number(payload.created)} created, ${number(payload.updated)} updated, ${number(payload.unchanged)} unchanged`,
  'spreadsheet.uploaded': ({ who, payload }) => `${who} uploaded the spreadsheet ${spreadsheet(payload)}`,
  'spreadsheet.applied': ({ who, payload }) => `${who} applied the spreadsheet ${spreadsheet(payload)}`,
  'spreadsheet.discarded': ({ who, payload }) => `${who} discarded the spreadsheet ${spreadsheet(payload)}`,
  'person.merged': ({ who, person, payload }) =>
    `${who} merged ${text(payload, 'from_email') ?? 'a person'} into ${person}`,
  'person.duplicate_dismissed': ({ who, person, payload }) =>
    `${who} marked ${person} and ${text(payload, 'other_email') ?? 'another person'} as different people`,
  'person.duplicate_restored': ({ who, person, payload }) =>
    `${who} listed ${person} and ${text(payload, 'other_email') ?? 'another person'} as possible duplicates again`,
  'key.transferred': ({ who, payload, nameOf }) =>
    `${who} transferred ${key(payload)} to ${personOf(payload.to, nameOf) ?? 'another person'}`,
  'organization.created': ({ who, payload }) => `${who} created ${named('the organization', payload)}`,
  'organization.updated': (parts) => `${parts.who} changed the organization: ${changesOf(parts)}`,
  'organization.suspended': ({ who, payload }) =>
    `${who} suspended the organization${quoted(payload, 'reason')}`,
  'organization.resumed': ({ who }) => `${who} resumed the organization`,
  'organization.deletion_ordered': ({ who, payload }) =>
    `${who} ordered the deletion of the organization${at(payload, 'deleted_after', 'after')}`,
  'organization.deletion_withdrawn': ({ who }) => `${who} withdrew the deletion of the organization`,
  'secrets.rotated': ({ who }) => `${who} rotated the encryption keys`,
  'export.created': ({ who, payload }) =>
    `${who} exported ${(text(payload, 'what') ?? 'data').replaceAll('_', ' ')} as ${(text(payload, 'format') ?? 'a file').toUpperCase()}`,
  'privileged_call.refused': ({ who, payload }) =>
    `${who === 'Gatehouse' ? 'A caller' : who} was refused ${text(payload, 'method') ?? ''} ${text(payload, 'route') ?? ''}${quoted(payload, 'reason')}`,
};
