import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import {
  account,
  app,
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  define,
  field,
  held,
  MaybeText,
  OTHER,
  optional,
  Text,
  Timestamp,
} from '../payloads.ts';

const suggestion = { ...app, ...account, person_id: field('The suggested person.', Uuid) };

const heldRemoval = {
  ...app,
  sync_id: field('The sync.', Uuid),
  held: field('The number of removals that were decided.', held),
};

/** A client that starts syncs. */
const syncClient = Type.Object({
  type: field(
    'Is api_key for a connector that runs elsewhere, connector for the one that the server runs for the app, and person for somebody who uploads a spreadsheet.',
    Nullable(Type.Enum(['api_key', 'connector', 'person'])),
  ),
  id: field('The API key, the app whose connector the server runs, or the person.', Nullable(Uuid)),
  name: field('The name of the API key or person at the time of the event.', MaybeText),
});

/** Links and owners of accounts, removals, reverts and restores. */
export const accountsEvents = {
  'account_link.changed': define(
    'Account linked to a person by hand, or moved to another person',
    ['app_user'],
    BY_ANYTHING,
    {
      ocsf: ['account_change', OTHER],
      sentence:
        '{has_to, select, no {{who} unlinked the account of {account} in {app}} other {{who} linked the account of {account} in {app} to {to}}}',
      people: ['to'],
      payload: {
        ...app,
        ...account,
        from: field('The person before. Null means nobody.', Nullable(Uuid)),
        to: field('The person after. Null means nobody.', Nullable(Uuid)),
      },
    },
  ),
  'account_correlation.changed': define(
    'Record of an account that a task created became known, or changed',
    ['app_user'],
    BY_ANYTHING,
    {
      ocsf: ['account_change', OTHER],
      sentence:
        '{has_from, select, no {{who} recognized the record {to} as the account of {account} in {app}} other {{who} replaced the record of the account of {account} in {app} by {to}}}',
      payload: {
        ...app,
        ...account,
        from: field('The id in the app before. Null means that it was not known.', MaybeText),
        to: field('The id in the app after.', Text),
      },
    },
  ),
  'account_link.dismissed': define('Account marked as not belonging to a person', ['app_user'], BY_PERSON, {
    sentence: '{who} marked the account of {account} in {app} as not belonging to {person_id}',
    people: ['person_id'],
    payload: suggestion,
  }),
  'account_link.restored': define('Dismissal of a suggested person undone', ['app_user'], BY_PERSON, {
    sentence: '{who} undid the dismissal of {person_id} for the account of {account} in {app}',
    people: ['person_id'],
    payload: suggestion,
  }),
  'account_owner.changed': define(
    'Kind or owner of an account changed',
    ['app_user'],
    [...BY_PERSON, 'sync'],
    {
      sentence: '{who} changed the account of {account} in {app}: {changes}',
      payload: { ...app, ...account, changes: Changes },
    },
  ),
  'removal_guard.approved': define('Held removal approved', ['app'], BY_PERSON, {
    severity: 'medium',
    sentence:
      '{who} approved the removal of {accounts, plural, one {# account} other {# accounts}} and {memberships, plural, one {# membership} other {# memberships}} in {app}',
    payload: heldRemoval,
  }),
  'removal_guard.rejected': define('Held removal rejected', ['app'], BY_PERSON, {
    sentence:
      '{who} rejected the removal of {accounts, plural, one {# account} other {# accounts}} and {memberships, plural, one {# membership} other {# memberships}} in {app}',
    payload: heldRemoval,
  }),
  'sync.reverted': define('Inventory returned to what it was before a sync', ['app'], BY_PERSON, {
    severity: 'medium',
    sentence: '{who} reverted a sync of {app}',
    quote: ['reason'],
    payload: {
      ...app,
      sync_id: field('The sync that was reverted.', Uuid),
      reason: field('The reason that the person gave.', MaybeText),
      accounts: field(
        'The accounts that the revert changed.',
        Type.Object({
          removed: field('The number of accounts that the sync had created.', Count),
          restored: field('The number of accounts that the sync had changed or removed.', Count),
        }),
      ),
      memberships: field(
        'The memberships that the revert changed.',
        Type.Object({
          added: field('The number of memberships that the sync had removed.', Count),
          removed: field('The number of memberships that the sync had added.', Count),
        }),
      ),
      conflicts: field('Records that had changed since the sync. They stayed as they were.', Count),
      canceled_tasks: field('Tasks of policies that the sync had led to.', Count),
    },
  }),
  'app.sync.superseded': define(
    'The third sync of an app in a row discarded by the start of another one with another key',
    ['app'],
    ['sync'],
    {
      severity: 'medium',
      sentence:
        '{app} had {count, plural, one {# sync} other {# syncs}} in a row discarded by newer ones: the last one was started by {discarded}, the newer one by {newer}',
      payload: {
        ...app,
        sync_id: field('The sync that was discarded.', Uuid),
        superseded_by: field('The newer sync that replaced this one.', Nullable(Uuid)),
        client: field('The client that started the discarded sync.', syncClient),
        superseded_by_client: field('The client that started the newer sync.', syncClient),
        count: field('The number of syncs that were discarded in a row.', Count),
        since: field('The time at which the first of them was discarded.', Timestamp),
      },
    },
  ),
  'removal_budget.exceeded': define(
    'Tasks held because they exceed the daily budget of an app',
    ['app'],
    BY_ANYTHING,
    {
      severity: 'medium',
      sentence:
        'The daily budget of {app} holds {tasks, plural, one {# task} other {# tasks}} until an administrator confirms them',
      payload: { ...app, tasks: field('The number of tasks that wait for confirmation from now on.', Count) },
    },
  ),
  'removal_budget.confirmed': define('Held tasks of an app confirmed', ['app'], BY_PERSON, {
    severity: 'medium',
    sentence: '{who} confirmed {tasks, plural, one {# held task} other {# held tasks}} of {app}',
    payload: { ...app, tasks: field('The number of tasks that run although they exceed the budget.', Count) },
  }),
  'removal_budget.rejected': define('Held tasks of an app rejected', ['app'], BY_PERSON, {
    sentence: '{who} rejected {tasks, plural, one {# held task} other {# held tasks}} of {app}',
    payload: { ...app, tasks: field('The number of tasks that were canceled.', Count) },
  }),
  'restore.created': define('Tasks created to restore access as of an earlier time', ['system'], BY_PERSON, {
    severity: 'medium',
    sentence: '{who} restored access as of {as_of}, with {tasks, plural, one {# task} other {# tasks}}',
    quote: ['reason'],
    payload: {
      restore_id: field('The plan, which is the source of the tasks.', Uuid),
      as_of: field('The time whose access is restored.', Timestamp),
      user_ids: Type.Optional(Type.Array(Uuid, { description: 'If the accounts of people were restored.' })),
      account_ids: Type.Optional(Type.Array(Uuid, { description: 'If listed accounts were restored.' })),
      app_id: optional('If all accounts of an app were restored.', Uuid),
      include_possible: Type.Boolean({ description: 'Whether access that was only possible is included.' }),
      reason: field('The reason that the person gave.', MaybeText),
      tasks: field('The number of tasks that were created.', Count),
      groups: field('The number of groups that the tasks restore.', Count),
      licenses: field('The number of licenses that the tasks restore.', Count),
      decided: field('How much of it decisions had taken away.', Count),
    },
  }),
};
