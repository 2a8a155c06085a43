import { Type } from 'typebox';
import { Nullable, Uuid } from '../platform/http/schemas.ts';
import {
  account,
  apiKey,
  app,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  define,
  MaybeText,
  person,
  Text,
  Timestamp,
  ticket,
} from './payloads.ts';

/**
 * The event types that the protocol does not name (D43): changes that administrators make and decisions that people
 * take. No type may begin like one of the protocol's, so that a prefix belongs to one catalog.
 */

const policy = { policy_id: Uuid, name: Text };
const campaign = { campaign_id: Uuid, name: Text };
const provider = { provider_id: Text, name: Text, kind: Type.Optional(Text) };
const organization = { organization_id: Uuid, slug: Text, name: Text };
/** A second factor or a passkey of a person. `by_administrator` is false if the person made the change. */
const factor = {
  ...person,
  kind: Type.Enum(['totp', 'passkey']),
  name: Type.Optional(MaybeText),
  by_administrator: Type.Boolean(),
};
const heldRemoval = {
  ...app,
  sync_id: Uuid,
  held: Type.Object({ accounts: Count, memberships: Count }),
};

export const configurationCatalog = {
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
  }),
  'review.reassigned': define('Review item assigned to another reviewer', ['app_user'], BY_ANYTHING, {
    ...app,
    ...account,
    cycle_id: Uuid,
    item_id: Uuid,
    from: Type.Array(Uuid, { description: 'The reviewers before.' }),
    to: Type.Array(Uuid, { description: 'The reviewers after.' }),
  }),
  'request.step_approved': define('Approval step of a request approved', ['ticket'], BY_PERSON, {
    ...ticket,
    step: Count,
    comment: MaybeText,
  }),
  'request.canceled': define('Request canceled', ['ticket'], BY_ANYTHING, { ...ticket, reason: MaybeText }),
  'request.expired': define('Request expired', ['ticket'], BY_ANYTHING, ticket),
  'account_link.changed': define('Account linked to a person by hand', ['app_user'], BY_PERSON, {
    ...app,
    ...account,
    from: Nullable(Uuid),
    to: Nullable(Uuid),
  }),
  'removal_guard.approved': define('Held removal approved', ['app'], BY_PERSON, heldRemoval),
  'removal_guard.rejected': define('Held removal rejected', ['app'], BY_PERSON, heldRemoval),
  'sync.reverted': define('Inventory returned to what it was before a sync', ['app'], BY_PERSON, {
    ...app,
    sync_id: { ...Uuid, description: 'The sync that was reverted.' },
    reason: MaybeText,
    accounts: Type.Object(
      { removed: Count, restored: Count },
      {
        description:
          'removed: those that the sync had created. restored: those that it had changed or removed.',
      },
    ),
    memberships: Type.Object(
      { added: Count, removed: Count },
      { description: 'added: those that the sync had removed. removed: those that it had added.' },
    ),
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
    tasks: { ...Count, description: 'The number of tasks that were cancelled.' },
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
    groups: { ...Count, description: 'The number of groups that the tasks give back.' },
    licenses: { ...Count, description: 'The number of licenses that the tasks give back.' },
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
  'factor.added': define('Second factor or passkey added', ['platform_user'], BY_PERSON, factor),
  'factor.removed': define('Second factor or passkey removed', ['platform_user'], BY_PERSON, factor),
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
