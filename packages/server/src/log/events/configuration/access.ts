import { Type } from 'typebox';
import { Nullable, Uuid } from '../../../kit/http/schemas.ts';
import {
  account,
  app,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  define,
  held,
  MaybeText,
  Text,
  Timestamp,
  task,
} from '../payloads.ts';

const suggestion = { ...app, ...account, person_id: Uuid };
const heldRemoval = {
  ...app,
  sync_id: Uuid,
  held,
};

/** A client that starts syncs. */
const syncClient = Type.Object({
  type: Nullable(Type.Enum(['api_key', 'connector', 'person'])),
  id: Nullable(Uuid),
  name: MaybeText,
});

/** Accounts, removals, restores, manual fulfillment, and the settings of apps. */
export const accessEvents = {
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
  'app.sync.superseded': define(
    'The third sync of an app in a row discarded by the start of another one with another key',
    ['app'],
    ['sync'],
    {
      ...app,
      sync_id: { ...Uuid, description: 'The sync that was discarded.' },
      superseded_by: Nullable(Uuid),
      client: syncClient,
      superseded_by_client: syncClient,
      count: { ...Count, description: 'The number of syncs that were discarded in a row.' },
      since: { ...Timestamp, description: 'The time at which the first of them was discarded.' },
    },
  ),
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
};
