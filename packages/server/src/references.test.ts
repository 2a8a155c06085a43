import { readdir, readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import type { Column } from '#kit/database/references.ts';
import { sql } from '#kit/sql.ts';
import { REFERENCES, tablesOf } from '#references.ts';
import { openTestDatabase } from '#test/database.ts';

const { database, close } = await openTestDatabase();
afterAll(close);

const TABLES = tablesOf();
const DECLARED = Object.entries(TABLES).flatMap(([table, { columns }]) =>
  Object.entries(columns).map(([name, column]) => ({ name: `${table}.${name}`, column })),
);
const TYPES: Record<string, Column['holds']> = { uuid: 'id', 'uuid[]': 'ids', jsonb: 'json' };

/** Other ids, by the names of their columns in any table. */
const OTHER_IDS: Record<string, string> = {
  org_id: 'an organization',
  id: 'the row itself',
  session_id: 'a sync session',
  sync_id: 'a sync session',
  superseded_by: 'a sync session',
  change_id: 'a change of the inventory',
  via_change_id: 'a change of the inventory',
  began_by: 'a change of the inventory',
  ended_by: 'a change of the inventory',
  entitlement_id: 'an entitlement',
  via_id: 'an entitlement',
  via_before: 'an entitlement',
  resource_type_id: 'a resource type',
  clone_group_id: 'a group of copied apps',
  source_id: 'the sync session, task or decision that caused it',
  ended_source: 'the decision that ended it',
  revoked_source: 'the decision that took it away',
  task_id: 'a task',
  preempted_by: 'a task',
  retry_of: 'a task',
  ticket_id: 'a request',
  campaign_id: 'a review',
  cycle_id: 'a review cycle',
  policy_id: 'a policy',
  with_policy_id: 'a policy',
  preview_id: 'a preview',
  hold_id: 'a hold',
  window_id: 'a hold',
  group_id: 'a group of people',
  key_id: 'an API key',
  api_key_id: 'an API key',
  connector_run_id: 'a run of a connector',
  webhook_id: 'a webhook',
  event_id: 'an event',
  upload_id: 'an upload',
  attachment_id: 'a file',
  notification_id: 'a notification',
  message_id: 'a message',
  channel_id: 'a channel',
  digest: 'a digest',
};

/** Other ids of one table, and JSON that holds none of people, accounts or apps. */
const OTHERS: Record<string, string> = {
  'connector_run.node': 'a process',
  'replica_mark.mark': 'a mark',
  'sync_page.detail_digests': 'digests',
  'sync_page.digests': 'digests',
  'sync_plan_shown.entitlements': 'entitlements',
  'sync_plan_shown.member_entitlements': 'entitlements',
  'policy_undo.waits': 'policies',
  'webhook.claim': 'a turn',

  'account_detail.attributes': 'attributes as the app sent them',
  'app.removal_guard': 'limits',
  'app.user_name': 'a rule',
  'finding.values': 'texts and numbers',
  'entitlement.hidden': 'numbers',
  'sync_session.unreadable': 'ids of another system',
  'sync_session.unseen': 'ids of another system',
  'sync_session.unseen_counts': 'numbers',
  'upload.remarks': 'names of another system',
  'connector.described': 'a form',
  'connector.schedule': 'times',
  'connector.settings': 'settings of another system',
  'connector_run.counts': 'numbers',
  'connector_run.result': 'what a connector found in another system',
  'fulfillment_setting.due_in_working_days': 'numbers',
  'fulfillment_setting.instructions': 'texts',
  'notification_preference.kinds': 'choices',
  'organization.group_guard': 'limits',
  'organization.people_guard': 'limits',
  'organization.sample': 'the sample company, which is removed as a whole',
  'person_period.attributes': 'attributes of a person',
  'person_source.extra': 'attributes that the provider sent',
  'platform_user.attributes': 'attributes of a person',
  'policy_firing.because': 'a group of people',
  'policy_preview.counts': 'numbers',
  'review_item.grants': 'grants as they were when the cycle opened',
  'review_item.kept_by': 'an entitlement',
  'review_item.resource': 'an entitlement by its external id',
  'review_item.revoked_at': 'an entitlement',
  'sync_plan.held': 'numbers',
  'sync_plan_change.after': 'the state of a record',
  'sync_plan_change.before': 'the state of a record',
  'sync_resource_change.after': 'the state of a group or license',
  'sync_resource_change.before': 'the state of a group or license',
  'sync_session.counts': 'numbers',
  'sync_session.error': 'a message',
  'sync_session.held': 'numbers',
  'sync_session.membership_counts': 'numbers',
  'sync_session.progress': 'numbers',
  'sync_session.status_counts': 'numbers',
  'task.ended_reason': 'a sentence',
  'task.error': 'a code and a message',
  'task.left_out': 'sentences',
  'task.reason': 'a sentence',
  'task.seen': 'what a connector saw in another system',
  'ticket.outcome': 'a sentence',
  'upload.content': 'findings about a file',
  'upload.error': 'a sentence',
  'upload.mapping': 'names of columns',
  'upload_problem.message_values': 'texts in a sentence',
  'upload_mapping.mapping': 'names of columns',
};

/** The columns of all tables that can hold ids. Tables of runs, in the schema `staging`, are empty between transactions. */
const { rows: present } = await sql<{ name: string; type: string }>`
  select c.relname || '.' || a.attname as name, format_type(a.atttypid, null) as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype, 'jsonb'::regtype)
  order by 1`.execute(database.db);

/** The foreign keys to people, accounts and apps, with what they do. */
const { rows: keys } = await sql<{ name: string; on_delete: string }>`
  select c.conrelid::regclass || '.' || a.attname as name, c.confdeltype as on_delete
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey) and a.attname <> 'org_id'
  where c.contype = 'f' and c.confrelid = 'platform_user'::regclass and c.conparentid = 0`.execute(
  database.db,
);

test('says of every column that can hold ids what it names', () => {
  const isOther = (name: string, type: string) =>
    name in OTHERS || (type !== 'jsonb' && (name.split('.')[1] as string) in OTHER_IDS);
  const declared = new Set(DECLARED.map(({ name }) => name));
  expect(present.filter(({ name, type }) => !declared.has(name) && !isOther(name, type))).toEqual([]);
});

test('declares columns that exist, with their types, and in one feature', () => {
  const types = new Map(present.map(({ name, type }) => [name, TYPES[type]]));
  expect(DECLARED.filter(({ name, column }) => types.get(name) !== column.holds)).toEqual([]);
  expect(Object.keys(OTHERS).filter((name) => !types.has(name))).toEqual([]);
  const tables = Object.values(REFERENCES).flatMap((tables) => Object.keys(tables));
  expect(tables).toHaveLength(new Set(tables).size);
});

test('agrees with the foreign keys to people', () => {
  const refused = ['refuses by key', 'by '];
  const expected: Record<string, string[]> = { a: refused, c: ['goes by key'], n: ['clears'] };
  const deletions = new Map(DECLARED.map(({ name, column }) => [name, column.person?.deleted ?? '']));
  const disagreeing = keys.filter(({ name, on_delete }) =>
    (expected[on_delete] ?? []).every((word) => !deletions.get(name)?.startsWith(word)),
  );
  expect(disagreeing).toEqual([]);
  const withKey = new Set(keys.map(({ name }) => name));
  expect(
    [...deletions].filter(([name, deleted]) => deleted.endsWith('by key') && !withKey.has(name)),
  ).toEqual([]);
});

test('names a reason for each table of which columns stay, and rules that exist', async () => {
  const words = ({ person, account, app }: Column) =>
    [person?.merged, person?.deleted, account?.merged, app?.archived].filter((word) => word !== undefined);
  const without = Object.entries(TABLES).filter(
    ([, { why, columns }]) =>
      Object.values(columns).some((column) => words(column).includes('stays')) && why === undefined,
  );
  expect(without.map(([table]) => table)).toEqual([]);

  const named = DECLARED.flatMap(({ column }) => words(column)).filter((word) => word.startsWith('by '));
  const files = (await readdir(import.meta.dirname, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const code = (
    await Promise.all(files.map((file) => readFile(`${import.meta.dirname}/${file}`, 'utf8')))
  ).join();
  expect(
    named.filter((word) => !RegExp(`export (const|(async )?function) ${word.slice(3)}\\b`).test(code)),
  ).toEqual([]);
});

test('clears no JSON, and has open rows where columns are released', () => {
  const impossible = Object.values(TABLES).flatMap(({ open, columns }) =>
    Object.entries(columns).filter(
      ([, { holds, person }]) =>
        (holds === 'json' && ['clears', 'releases', 'goes', 'refuses'].includes(person?.deleted ?? '')) ||
        (person?.deleted === 'releases' && open === undefined),
    ),
  );
  expect(impossible).toEqual([]);
});
