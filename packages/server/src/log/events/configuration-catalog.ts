import { Type } from 'typebox';
import { Nullable, Uuid } from '../../kit/http/schemas.ts';
import {
  account,
  apiKey,
  app,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  define,
  giver,
  keptFor,
  MaybeText,
  person,
  Text,
  Timestamp,
  task,
  ticket,
} from './payloads.ts';

/**
 * The event types that the protocol does not name (D43): changes that administrators make and decisions that people
 * take. No type may begin like one of the protocol's, so that a prefix belongs to one catalog.
 */

const policy = { policy_id: Uuid, name: Text };
/** The sources of events that a loop records for a new event or a new day. */
const BY_CLOCK = ['system', 'schedule'] as const;
const campaign = { campaign_id: Uuid, name: Text };
const provider = { provider_id: Text, name: Text, kind: Type.Optional(Text) };
const providerLink = { ...person, provider_id: Text, name: Text };
const organization = { organization_id: Uuid, slug: Text, name: Text };
/** A second factor or a passkey of a person. `by_administrator` is false if the person made the change. */
const factor = {
  ...person,
  kind: Type.Enum(['totp', 'passkey']),
  name: Type.Optional(MaybeText),
  by_administrator: Type.Boolean(),
};
/** The people who were asked to decide before and after a change of the approvers or reviewers. */
const handedOver = {
  from: Type.Array(Uuid, { description: 'The people before.' }),
  to: Type.Array(Uuid, { description: 'The people after.' }),
};
const absence = {
  ...person,
  absence_id: Uuid,
  deputy_id: Uuid,
  starts_at: Timestamp,
  ends_at: Timestamp,
};
const OnBehalfOf = Type.Optional(
  Type.Array(Uuid, { description: 'The absent or late people in whose place the actor decided.' }),
);
/** A channel of Slack or Microsoft Teams. `host` and not the whole address, which is a secret. */
const channel = {
  channel_id: Uuid,
  name: Text,
  kind: Type.Enum(['slack', 'teams']),
  host: Text,
  app_id: Nullable(Uuid),
  kinds: Type.Array(Text),
};
/** A file that a person uploaded as a sync of an app, or to import people. */
const spreadsheet = {
  upload_id: Uuid,
  app_id: Nullable(Uuid),
  app_name: MaybeText,
  file_name: Text,
  bytes: Count,
  sha256: Text,
  rows: Nullable(Count),
  sync_id: Nullable(Uuid),
};
/** Two people who look alike. */
const duplicate = {
  ...person,
  other_id: { ...Uuid, description: 'The other person.' },
  other_email: Text,
};
const suggestion = { ...app, ...account, person_id: Uuid };
const personGroup = { group_id: Uuid, name: Text };
/** `host` and not the whole address, whose path or query may hold a secret. */
const webhook = { webhook_id: Uuid, name: Text, host: Text };
const heldRemoval = {
  ...app,
  sync_id: Uuid,
  held: Type.Object({ accounts: Count, memberships: Count }),
};

/** The connector that the server runs for an app. */
const connector = { ...app, connector_type: Text };
const connectorRun = { ...connector, run_id: Uuid, kind: Type.Enum(['sync', 'tasks', 'test', 'preview']) };

export const configurationCatalog = {
  'connector.created': define('Connector added to an app', ['app'], BY_PERSON, connector),
  'connector.changed': define('Connector of an app changed', ['app'], BY_PERSON, {
    ...connector,
    changes: Changes,
  }),
  'connector.credentials_changed': define('Credentials of a connector set or removed', ['app'], BY_PERSON, {
    ...connector,
    set: Type.Array(Text, { description: 'The names of the secrets that were set.' }),
    removed: Type.Array(Text, { description: 'The names of the secrets that were removed.' }),
  }),
  'connector.paused': define('Connector paused', ['app'], BY_PERSON, connector),
  'connector.resumed': define('Connector resumed', ['app'], BY_PERSON, connector),
  'connector.deleted': define('Connector removed from an app', ['app'], BY_PERSON, connector),
  'connector.run_requested': define('Connector run requested', ['app'], BY_PERSON, connectorRun),
  'connector.run_cancelled': define('Connector run canceled', ['app'], BY_PERSON, connectorRun),
  'policy.created': define('Policy created', ['system'], BY_PERSON, {
    ...policy,
    definition: Type.Object({}, { additionalProperties: true }),
  }),
  'policy.updated': define('Policy changed', ['system'], BY_PERSON, { ...policy, changes: Changes }),
  'policy.deleted': define('Policy deleted', ['system'], BY_PERSON, policy),
  'policy.actions_confirmed': define('Held actions of a policy confirmed', ['system'], BY_PERSON, {
    ...policy,
    count: Type.Optional(Count),
  }),
  'policy.actions_discarded': define('Held actions of a policy discarded', ['system'], BY_PERSON, {
    ...policy,
    count: Type.Optional(Count),
  }),
  'policy.access_kept': define(
    'Access kept by a policy, because another group or license gives it',
    ['system'],
    BY_CLOCK,
    {
      ...policy,
      count: Count,
      kept: Type.Array(
        Type.Object({ account_id: Uuid, email: Text, app_name: Text, resource: Text, via: giver }),
        {
          description: 'The first 20.',
        },
      ),
    },
  ),
  'policy.held': define('Actions of a policy held for confirmation', ['system'], BY_CLOCK, {
    ...policy,
    count: Count,
    because: Nullable(
      Type.Object(
        {
          kind: Type.Enum(['group_renamed', 'group_deleted']),
          group_id: Uuid,
          from: Text,
          to: MaybeText,
          is_named: Type.Boolean(),
        },
        { description: 'The group that was renamed or deleted. Null: the actions exceed the task limit.' },
      ),
    ),
  }),
  'policy.undecided': define(
    'A run of a policy that takes access away left out people whom its condition does not decide',
    ['system'],
    BY_CLOCK,
    {
      ...policy,
      enabled_by: Nullable(Uuid),
      count: Count,
      reasons: Type.Array(
        Type.Object({
          code: Type.Enum(['missing', 'type', 'cost']),
          field: MaybeText,
          count: Count,
          message: Text,
        }),
      ),
    },
  ),
  'policy.settings_changed': define('Policy settings changed', ['system'], BY_PERSON, { changes: Changes }),
  'campaign.created': define('Access review campaign created', ['system'], BY_PERSON, {
    ...campaign,
    definition: Type.Object({}, { additionalProperties: true }),
  }),
  'campaign.updated': define('Access review campaign changed', ['system'], BY_PERSON, {
    ...campaign,
    changes: Changes,
  }),
  'campaign.deleted': define('Access review campaign deleted', ['system'], BY_PERSON, campaign),
  'campaign.started': define('Review cycle opened', ['system'], BY_ANYTHING, {
    ...campaign,
    cycle_id: Uuid,
    accounts: Type.Integer({ minimum: 0, description: 'The number of accounts in the scope of the cycle.' }),
  }),
  'campaign.closed': define('Review cycle closed', ['system'], BY_ANYTHING, { ...campaign, cycle_id: Uuid }),
  'review.decided': define('Review decision made or changed', ['app_user'], BY_PERSON, {
    ...app,
    ...account,
    cycle_id: Uuid,
    item_id: Uuid,
    kind: Text,
    resource: Type.Optional(Nullable(Type.Object({ slug: Text, id: Text, name: Text }))),
    decision: Text,
    previous_decision: Nullable(Text),
    comment: MaybeText,
    on_behalf_of: OnBehalfOf,
    revoked_at: Type.Optional(giver),
    kept_by: Type.Optional(giver),
    kept_for: Type.Optional(keptFor),
  }),
  'review.decision_withdrawn': define('Review decision withdrawn', ['app_user'], BY_PERSON, {
    ...app,
    ...account,
    cycle_id: Uuid,
    item_id: Uuid,
    kind: Text,
    resource: Type.Optional(Nullable(Type.Object({ slug: Text, id: Text, name: Text }))),
    previous_decision: Text,
  }),
  'review.reassigned': define('Review item assigned to another reviewer', ['app_user'], BY_ANYTHING, {
    ...app,
    ...account,
    cycle_id: Uuid,
    item_id: Uuid,
    from: Type.Array(Uuid, { description: 'The reviewers before.' }),
    to: Type.Array(Uuid, { description: 'The reviewers after.' }),
    reason: Type.Optional(MaybeText),
  }),
  'review.reminded': define('Reviewer reminded of undecided items', ['system'], BY_PERSON, {
    ...campaign,
    cycle_id: Uuid,
    user_id: Uuid,
    email: Text,
    items: Type.Integer({ minimum: 1, description: 'The number of undecided items of the reviewer.' }),
  }),
  'request.step_approved': define('Approval step of a request approved', ['ticket'], BY_PERSON, {
    ...ticket,
    step: Count,
    comment: MaybeText,
    on_behalf_of: OnBehalfOf,
  }),
  'request.canceled': define('Request canceled', ['ticket'], BY_ANYTHING, { ...ticket, reason: MaybeText }),
  'request.commented': define('Comment added to a request', ['ticket'], BY_PERSON, {
    ...ticket,
    comment_id: Uuid,
    comment: Text,
  }),
  'request.information_requested': define('More information requested', ['ticket'], BY_PERSON, {
    ...ticket,
    step: Count,
    comment: Text,
  }),
  'request.information_provided': define('Requested information provided', ['ticket'], BY_PERSON, {
    ...ticket,
    step: Count,
    comment: Text,
  }),
  'request.reassigned': define('Request assigned to another approver', ['ticket'], BY_ANYTHING, {
    ...ticket,
    step: Count,
    ...handedOver,
    reason: MaybeText,
  }),
  'request.escalated': define('Request escalated after waiting too long', ['ticket'], BY_ANYTHING, {
    ...ticket,
    step: Count,
    ...handedOver,
  }),
  'request.expired': define('Request expired', ['ticket'], BY_ANYTHING, ticket),
  'review.escalated': define('Review item escalated after waiting too long', ['app_user'], BY_ANYTHING, {
    ...app,
    ...account,
    cycle_id: Uuid,
    item_id: Uuid,
    ...handedOver,
  }),
  'absence.created': define('Absence of a person set', ['platform_user'], BY_PERSON, absence),
  'absence.updated': define('Absence of a person changed', ['platform_user'], BY_PERSON, {
    ...absence,
    changes: Changes,
  }),
  'absence.deleted': define('Absence of a person removed', ['platform_user'], BY_PERSON, absence),
  'webhook.created': define('Webhook added', ['system'], BY_PERSON, webhook),
  'webhook.updated': define('Webhook changed', ['system'], BY_PERSON, { ...webhook, changes: Changes }),
  'webhook.deleted': define('Webhook removed', ['system'], BY_PERSON, webhook),
  'webhook.secret_rotated': define('Signing secret of a webhook rotated', ['system'], BY_PERSON, {
    ...webhook,
    previous_valid_until: Timestamp,
  }),
  'webhook.replayed': define('Webhook set back to an earlier event', ['system'], BY_PERSON, {
    ...webhook,
    from_event: Nullable(Uuid),
  }),
  'webhook.disabled': define(
    'Webhook disabled because its deliveries kept failing',
    ['system'],
    BY_ANYTHING,
    {
      ...webhook,
      reason: Text,
    },
  ),
  'webhook.failing': define('Webhook whose deliveries go on failing', ['system'], BY_ANYTHING, {
    ...webhook,
    reason: Text,
  }),
  'webhook.event_skipped': define('Event of a webhook skipped', ['system'], BY_PERSON, {
    ...webhook,
    skipped_event: Uuid,
    skipped_type: Text,
  }),
  'notification_channel.created': define('Notification channel added', ['system'], BY_PERSON, channel),
  'notification_channel.updated': define('Notification channel changed', ['system'], BY_PERSON, {
    ...channel,
    changes: Changes,
  }),
  'notification_channel.deleted': define('Notification channel removed', ['system'], BY_PERSON, channel),
  'account_link.changed': define(
    'Account linked to a person by hand, or moved to another person',
    ['app_user'],
    BY_ANYTHING,
    {
      ...app,
      ...account,
      from: Nullable(Uuid),
      to: Nullable(Uuid),
    },
  ),
  'account_correlation.changed': define(
    'Record of an account that a task created became known, or changed',
    ['app_user'],
    BY_ANYTHING,
    {
      ...app,
      ...account,
      from: MaybeText,
      to: Text,
    },
  ),
  'account_link.dismissed': define(
    'Account marked as not belonging to a person',
    ['app_user'],
    BY_PERSON,
    suggestion,
  ),
  'account_link.restored': define(
    'Dismissal of a suggested person undone',
    ['app_user'],
    BY_PERSON,
    suggestion,
  ),
  'account_owner.changed': define(
    'Kind or owner of an account changed',
    ['app_user'],
    [...BY_PERSON, 'sync'],
    {
      ...app,
      ...account,
      changes: Changes,
    },
  ),
  'removal_guard.approved': define('Held removal approved', ['app'], BY_PERSON, heldRemoval),
  'removal_guard.rejected': define('Held removal rejected', ['app'], BY_PERSON, heldRemoval),
  'sync.reverted': define('Inventory returned to what it was before a sync', ['app'], BY_PERSON, {
    ...app,
    sync_id: { ...Uuid, description: 'The sync that was reverted.' },
    reason: MaybeText,
    accounts: Type.Object({ removed: Count, restored: Count }),
    memberships: Type.Object({ added: Count, removed: Count }),
    conflicts: {
      ...Count,
      description: 'Records that had changed since the sync. They stayed as they were.',
    },
    canceled_tasks: { ...Count, description: 'Tasks of policies that the sync had led to.' },
  }),
  'removal_budget.exceeded': define(
    'Tasks held because they exceed the daily budget of an app',
    ['app'],
    BY_ANYTHING,
    {
      ...app,
      tasks: { ...Count, description: 'The number of tasks that wait for confirmation from now on.' },
    },
  ),
  'removal_budget.confirmed': define('Held tasks of an app confirmed', ['app'], BY_PERSON, {
    ...app,
    tasks: { ...Count, description: 'The number of tasks that run although they exceed the budget.' },
  }),
  'removal_budget.rejected': define('Held tasks of an app rejected', ['app'], BY_PERSON, {
    ...app,
    tasks: { ...Count, description: 'The number of tasks that were canceled.' },
  }),
  'restore.created': define('Tasks created to restore access as of an earlier time', ['system'], BY_PERSON, {
    restore_id: { ...Uuid, description: 'The plan, which is the source of the tasks.' },
    as_of: Timestamp,
    user_ids: Type.Optional(Type.Array(Uuid, { description: 'If the accounts of people were restored.' })),
    account_ids: Type.Optional(Type.Array(Uuid, { description: 'If listed accounts were restored.' })),
    app_id: Type.Optional({ ...Uuid, description: 'If all accounts of an app were restored.' }),
    include_possible: Type.Boolean({ description: 'Whether access that was only possible is included.' }),
    reason: MaybeText,
    tasks: { ...Count, description: 'The number of tasks that were created.' },
    groups: { ...Count, description: 'The number of groups that the tasks restore.' },
    licenses: { ...Count, description: 'The number of licenses that the tasks restore.' },
  }),
  'fulfillment.configured': define('Manual fulfillment of an app changed', ['app'], BY_PERSON, {
    ...app,
    changes: Changes,
  }),
  'fulfillment.assigned': define('Task assigned to a person', ['task'], BY_ANYTHING, {
    ...task,
    assignee_id: { ...Nullable(Uuid), description: 'Null if nobody can carry out the task.' },
    due_at: Timestamp,
  }),
  'fulfillment.reassigned': define('Task handed to another person', ['task'], BY_ANYTHING, {
    ...task,
    from: Nullable(Uuid),
    to: Nullable(Uuid),
    cause: Type.Enum(['person', 'unavailable', 'overdue']),
    reason: MaybeText,
  }),
  'fulfillment.attachment_added': define('File attached to a task', ['task'], BY_PERSON, {
    ...task,
    attachment_id: Uuid,
    name: Text,
    size: Count,
    sha256: Text,
  }),
  'app_settings.changed': define('Settings of an app changed', ['app'], BY_PERSON, {
    ...app,
    changes: Changes,
  }),
  'app_settings.archived': define('App archived', ['app'], BY_PERSON, app),
  'resource_type.registered': define('Resource type registered', ['app'], BY_PERSON, {
    ...app,
    slug: Text,
    name: Text,
    type: Text,
  }),
  'resource_type.updated': define('Resource type renamed', ['app'], BY_PERSON, {
    ...app,
    slug: Text,
    changes: Changes,
  }),
  'provider.created': define('Sign-in provider added', ['system'], BY_PERSON, provider),
  'provider.updated': define('Sign-in provider changed', ['system'], BY_PERSON, {
    ...provider,
    changes: Changes,
  }),
  'provider.deleted': define('Sign-in provider removed', ['system'], BY_PERSON, provider),
  'password.changed': define('Password changed', ['platform_user'], BY_PERSON, {
    ...person,
    method: Type.Enum(['self', 'link']),
  }),
  'password.link_created': define('Sign-in link created for a person', ['platform_user'], BY_PERSON, {
    ...person,
    expires_at: Timestamp,
  }),
  'password.link_requested': define(
    'Emailing of a sign-in link requested',
    ['platform_user'],
    BY_PERSON,
    person,
  ),
  'factor.added': define('Second factor or passkey added', ['platform_user'], BY_PERSON, factor),
  'factor.removed': define('Second factor or passkey removed', ['platform_user'], BY_PERSON, factor),
  'factor.count_fell': define('Passkey used that may have been copied', ['platform_user'], BY_PERSON, {
    ...person,
    kind: Type.Enum(['passkey']),
    name: MaybeText,
    before: Count,
    after: Count,
  }),
  'provider_link.refused': define(
    'Sign-in refused: the person is linked to another account of the provider',
    ['platform_user'],
    BY_ANYTHING,
    providerLink,
  ),
  'provider_link.removed': define(
    'Person unlinked from an account at a provider',
    ['platform_user'],
    BY_PERSON,
    {
      ...providerLink,
      by_administrator: Type.Boolean(),
    },
  ),
  'role.changed': define('Role of a person changed', ['platform_user'], BY_ANYTHING, {
    ...person,
    from: Text,
    to: Text,
  }),
  'person.imported': define('People imported', ['system'], BY_PERSON, {
    created: Count,
    updated: Count,
    unchanged: Count,
  }),
  'person.released': define(
    'Person released from the identity provider that managed them',
    ['platform_user'],
    BY_PERSON,
    person,
  ),
  'person.succeeded': define('Email of a person passed to a new person', ['platform_user'], BY_PERSON, {
    ...person,
    successor_id: Uuid,
  }),
  'second_person.waived': define(
    'The only owner or administrator did what needs two people',
    ['platform_user'],
    BY_PERSON,
    { ...person, act: Type.Enum(['task', 'restore', 'approval', 'correlation']) },
  ),
  'person_group.created': define('Group of people created', ['system'], BY_PERSON, personGroup),
  'person_group.updated': define('Group of people changed', ['system'], BY_PERSON, {
    ...personGroup,
    changes: Changes,
  }),
  'person_group.deleted': define('Group of people deleted', ['system'], BY_PERSON, personGroup),
  'person_group.members_changed': define('Members of a group of people changed', ['system'], BY_PERSON, {
    ...personGroup,
    added: Count,
    removed: Count,
  }),
  'person_group.role_set': define('Role that a group gives its members set', ['system'], BY_PERSON, {
    ...personGroup,
    from: MaybeText,
    to: MaybeText,
  }),
  'person.merged': define('Person merged into another', ['platform_user'], BY_PERSON, {
    ...person,
    from: { ...Uuid, description: 'The person who was merged and deactivated.' },
    from_email: Text,
    moved: Type.Record(Text, Count, {
      description: 'How many references moved, were canceled or were revoked, by kind.',
    }),
  }),
  'person.duplicate_dismissed': define(
    'Possible duplicate dismissed: two people are different',
    ['platform_user'],
    BY_PERSON,
    duplicate,
  ),
  'person.duplicate_restored': define(
    'Dismissal of a possible duplicate undone',
    ['platform_user'],
    BY_PERSON,
    duplicate,
  ),
  'key.transferred': define('API key transferred to another person', ['platform_user'], BY_PERSON, {
    ...apiKey,
    from: Uuid,
    to: Uuid,
  }),
  'organization.created': define('Organization created', ['system'], BY_ANYTHING, organization),
  'organization.updated': define('Organization settings changed', ['system'], BY_PERSON, {
    ...organization,
    changes: Changes,
  }),
  'organization.suspended': define('Organization suspended', ['system'], BY_ANYTHING, {
    ...organization,
    reason: MaybeText,
  }),
  'organization.resumed': define('Organization resumed', ['system'], BY_ANYTHING, organization),
  'organization.deletion_ordered': define('Deletion of the organization ordered', ['system'], BY_ANYTHING, {
    ...organization,
    deleted_after: Timestamp,
  }),
  'organization.deletion_withdrawn': define(
    'Deletion of the organization withdrawn',
    ['system'],
    BY_ANYTHING,
    organization,
  ),
  'secrets.rotated': define('Encryption keys rotated', ['system'], BY_ANYTHING, {
    key_id: Text,
    rewrapped: Count,
  }),
  'spreadsheet.uploaded': define('Spreadsheet uploaded', ['system', 'app'], BY_PERSON, spreadsheet),
  'spreadsheet.applied': define('Spreadsheet applied', ['system', 'app'], BY_PERSON, spreadsheet),
  'spreadsheet.discarded': define('Spreadsheet discarded', ['system', 'app'], BY_PERSON, spreadsheet),
  'export.created': define('Data exported', ['system', 'app'], BY_PERSON, {
    what: Text,
    format: Text,
    rows: Type.Optional(Count),
    cycle_id: Type.Optional(Uuid),
  }),
  'privileged_call.refused': define('Privileged call refused', ['system', 'platform_user'], BY_PERSON, {
    method: Text,
    route: Type.String({ description: 'The address of the request, with placeholders instead of ids.' }),
    status: Type.Enum([401, 403]),
    reason: Text,
    api_key_id: Type.Optional(Nullable(Uuid)),
  }),
};
