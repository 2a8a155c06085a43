// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code, as text.
import { expect, test } from 'vitest';
import { ownersOf, tableOfOwners } from './owners.ts';
import { schemaOf } from './schema.ts';
import { usesOf } from './sql.ts';

const schema = schemaOf([
  `create table account (id uuid); -- create table commented_out (id uuid);
   create table app (id uuid); create table task (id uuid); create unlogged table "window" (id uuid);
   create table old_name (id uuid); create table gone (id uuid);`,
  `create function key(email text) returns text language sql immutable return lower(email);
   alter table old_name rename to new_name; drop table gone;
   create view person as select id from account where active;
   create function touch(a uuid) returns void language sql as $$ update app set seen = now() where id = a; $$;
   create function wake() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); end $$;
   create trigger wakes after update on account for each row execute function wake();
   create trigger dropped after insert on app for each row execute function wake();
   drop trigger dropped on app;`,
]);

const listed = (names: Set<string>) => [...names].sort();

const query = (statement: string) => `import { sql } from 'kysely';\nexport const run = () => ${statement};`;

function reportOf(files: Record<string, string>, allowed = {}, declared = {}) {
  const sources = Object.entries(files).map(([path, code]) => ({ path, code }));
  const { tables, problems } = ownersOf(schema, sources, allowed, declared);
  const users = (table: string) => {
    const use = tables.get(table);
    return {
      writers: [...(use?.writers.keys() ?? [])],
      readers: [...(use?.readers.keys() ?? [])],
      lockers: [...(use?.lockers.keys() ?? [])],
    };
  };
  return { users, problems, tables };
}

test('reads tables, views, functions and triggers from migrations in order', () => {
  expect(listed(schema.tables)).toEqual(['account', 'app', 'new_name', 'task']);
  expect([...schema.views.keys()]).toEqual(['person']);
  expect([...schema.functions.keys()]).toEqual(['key', 'touch', 'wake']);
  expect([...schema.triggers]).toEqual([['wakes', { table: 'account', calls: 'wake' }]]);
});

test.each([
  ['insert into account (id) values (1)', ['account']],
  ['insert into account as a select 1 on conflict do update set id = 2', ['account']],
  ['update only account a set id = 1', ['account']],
  ['update public.account set id = 1', ['account']],
  ['delete from account a using app p where a.id = p.id', ['account']],
  ['merge into account a using app p on true when matched then delete', ['account']],
  ['truncate table account', ['account']],
  ['with gone as (delete from account returning id) select * from gone', ['account']],
  ['select id from account for update', []],
  ['select id from account for no key update skip locked', []],
  ["select 'insert into account' -- update account set", []],
  ['create trigger t before update on account execute function f()', []],
])('finds the written tables of: %s', (text, writes) => {
  expect(listed(usesOf(text).writes)).toEqual(writes);
});

test.each([
  ['select * from account a, app p where true', ['account', 'app']],
  [
    'select * from account a join app p using (task) left join lateral (select from task) t on true',
    ['account', 'app', 'task'],
  ],
  ['select exists (select from app)', ['app']],
  ['select * from (account a join app p on true)', ['account', 'app']],
  ['update account set id = p.id from app p', ['app']],
  ['delete from account using app, task where true', ['app', 'task']],
  ['with app as (select 1), t (id) as materialized (select 2) select * from app, t, task', ['task']],
  ['select extract(epoch from task) from unnest($1) as app (id)', []],
  ['select id is distinct from app.id', []],
  ['select /* from app */ 1', []],
])('finds the read tables of: %s', (text, reads) => {
  expect(listed(usesOf(text).reads)).toEqual(reads);
});

test('takes the leading name of a fragment as a table', () => {
  expect(listed(usesOf('account a join app p on true', { isFragment: true }).reads)).toEqual([
    'account',
    'app',
  ]);
  expect(listed(usesOf('account.id', { isFragment: true }).reads)).toEqual([]);
});

test.each([
  ['select id from account a where true for update', ['account']],
  ['select id from account a join app p on true for share of p', ['app']],
  ['select (select id from account for no key update) from app', ['account']],
  ['lock table task in exclusive mode', ['task']],
])('finds the locked tables of: %s', (text, locks) => {
  expect(listed(usesOf(text).locks)).toEqual(locks);
});

test('names the features that write, read and lock a table', () => {
  const { users, tables } = reportOf({
    'inventory/records/queries/all.ts': query('sql`update account set id = 1`'),
    'sync/queries/a.ts': query('sql<{ id: string }>`select id from account for share`'),
    'reviews/queries/all.ts': query('sql`select ${sql`account a`} from app`'),
  });
  expect(users('account')).toEqual({
    writers: ['records'],
    readers: ['sync', 'reviews'],
    lockers: ['sync'],
  });
  expect(tableOfOwners(tables)).toContain('| account | records | reviews, sync (locks) |');
});

test('reports a second writer with the places of each', () => {
  const { problems } = reportOf({
    'inventory/records/queries/all.ts': query('sql`update account set id = 1`'),
    'sync/queries/all.ts': query('sql`delete from account`'),
  });
  expect(problems).toContain(
    'account has 2 writers: records (inventory/records/queries/all.ts:2); sync (sync/queries/all.ts:2).',
  );
});

test('reports a table without a writer', () => {
  expect(reportOf({}).problems).toContain('No feature writes task.');
});

test('attributes the writes of a function to the features that call it', () => {
  const { users } = reportOf({ 'apps/queries/all.ts': query('sql`select touch(${1})`') });
  expect(users('app').writers).toEqual(['apps']);
});

test('attributes the use of a view to its tables', () => {
  const { users } = reportOf({
    'access/queries/all.ts': query('sql`update person set id = 1`'),
    'reviews/queries/all.ts': query('sql`select id from person`'),
  });
  expect(users('account')).toEqual({ writers: ['access'], readers: ['reviews'], lockers: [] });
});

test('counts the use of a partition as a use of its table', () => {
  const log = schemaOf([
    'create table log (id uuid); create table part (like log); alter table log attach partition part default;',
  ]);
  const sources = [{ path: 'app/queries/all.ts', code: query('sql`insert into part (id) values (null)`') }];
  const { tables, problems } = ownersOf(log, sources, {});

  expect([...(tables.get('log')?.writers.keys() ?? [])]).toEqual(['app']);
  expect([[...tables.keys()], problems]).toEqual([['log'], []]);
});

test('fills the name of a table into a hole', () => {
  const { users, problems } = reportOf({
    'sync/queries/all.ts':
      "const stage = (table: 'account' | 'app') => `insert into ${table} (id) select 1 from task`;",
    'apps/queries/all.ts': query("sql`delete from ${sql.table('task')}`"),
    'access/queries/models.ts': `const NAMES = { a: 'new_name' }; const other = 'task'; function of(m) { return NAMES[m]; }\n${query('sql`update ${of(model)} set id = 1`')}`,
  });
  expect(users('account').writers).toEqual(['sync']);
  expect(users('app').writers).toEqual(['sync']);
  expect(users('task').writers).toEqual(['apps']);
  expect(users('new_name').writers).toEqual(['access']);
  expect(problems.filter((problem) => problem.includes('not in that file'))).toEqual([]);
});

test('reports a written table whose name it cannot see', () => {
  const { problems } = reportOf({ 'apps/queries/all.ts': query('sql`update ${elsewhere} set id = 1`') });
  expect(problems).toContain('apps/queries/all.ts:2 writes a table whose name is not in that file.');
});

test('takes the tables that features declare for those that a general statement writes', () => {
  const files = {
    'kit/database/references.ts': query('sql`update ${elsewhere} set id = 1`'),
    'records/queries/all.ts': query('sql`delete from account`'),
  };
  const allowed = { 'tables in kit/database/references.ts': 'They are declared.' };
  const declared = { records: { account: {} }, apps: { app: {} } };
  const { users, problems } = reportOf(files, allowed, declared);
  expect([users('account').writers, users('app').writers]).toEqual([['records'], ['apps']]);
  expect(problems.filter((problem) => problem.includes('not in that file'))).toEqual([]);

  const wrong = reportOf(files, allowed, { apps: { account: {} } });
  expect(wrong.problems).toContain(
    'account has 2 writers: records (records/queries/all.ts:2); apps (its references.ts).',
  );
});

test('accepts a temporary table of any name if it is qualified', () => {
  const { users, problems } = reportOf({
    'apps/queries/all.ts': query('sql`insert into pg_temp.${name} select 1 from staging.account`'),
  });
  expect(users('account').readers).toEqual([]);
  expect(problems.filter((problem) => problem.includes('not in that file'))).toEqual([]);
});

test('ignores sentences, and literals outside of query files', () => {
  const { users } = reportOf({
    'apps/queries/all.ts': "throw new Error('Removed from account and from app.');",
    'apps/apps.ts': 'const text = `delete from account`;',
  });
  expect(users('account')).toEqual({ writers: [], readers: [], lockers: [] });
});

test.each([
  ['requests/tickets.ts', true],
  ['kit/jobs/jobs.ts', true],
  ['requests/artifacts.ts', true],
  ['requests/queries/tickets.ts', false],
  ['requests/queries/waiting/tickets.ts', false],
  ['requests/facts.ts', false],
  ['records/history/link-facts.ts', false],
  ['requests/filters.ts', false],
  ['requests/prefilters.ts', true],
  ['kit/database/clock.ts', false],
])('says where SQL does not belong: %s', (path, isRefused) => {
  const { problems } = reportOf({ [path]: query('sql`select id from app`') });
  expect(
    problems.includes(`${path}:2 contains SQL. Move it to queries/, or to facts if other features use it.`),
  ).toBe(isRefused);
});

test('refuses facts and filters that write', () => {
  const { problems } = reportOf({
    'apps/facts.ts': `${query('sql`update app set id = 1`')}\nexport const locked = sql\`select id from app for update\`;`,
    'apps/app-filters.ts': query('sql`delete from app`'),
    'apps/queries/facts.ts': query('sql`delete from app`'),
  });
  expect(problems.filter((problem) => problem.includes('writes. '))).toEqual([
    'apps/facts.ts:2 writes. Facts and filters only read: move it to queries/.',
    'apps/app-filters.ts:2 writes. Facts and filters only read: move it to queries/.',
  ]);
});

test.each([
  ["export { findApp } from './queries/apps.ts';", ['findApp']],
  ["export { findApp as appOf, type App } from '../apps/queries/apps.ts';", ['findApp', 'App']],
  ["export type { App } from './queries/apps.ts';", ['App']],
  ["export * from './queries/apps.ts';", ['everything']],
  ["export * as queries from './queries/apps.ts';", ['queries']],
  ["import { findApp, lockApp } from './queries/apps.ts';\nexport { findApp };", ['findApp']],
  ["import * as queries from './queries/apps.ts';\nexport { queries };", ['queries']],
  ["import { findApp } from './queries/apps.ts';\nexport const appOf = () => findApp();", []],
  ["export { findApp } from './facts.ts';\nconst other = 1;\nexport { other };", []],
])('refuses to re-export queries: %s', (code, names) => {
  const { problems } = reportOf({ 'apps/apps.ts': code });
  expect(problems.filter((problem) => problem.includes('re-exports'))).toEqual(
    names.map(
      (name) =>
        `apps/apps.ts re-exports ${name} of a query. Move what others read to facts, or write a rule.`,
    ),
  );
});

test('reports triggers and advisory locks, unless a reason allows them', () => {
  const files = {
    'people/queries/all.ts': query('sql`select pg_try_advisory_xact_lock(1)`'),
    'sync/queries/all.ts': query(
      'sql`create or replace trigger t before insert on app execute function wake()`',
    ),
  };
  const found = reportOf(files).problems;
  expect(found).toContain('people/queries/all.ts:2 takes an advisory lock. Lock a row or a table instead.');
  expect(found).toContain('sync/queries/all.ts:2 creates a trigger. Make the rule a call that can be seen.');
  expect(found).toContain('Trigger wakes on account carries a rule. Make the rule a call that can be seen.');
  expect(found).toContain('Function wake takes an advisory lock. Lock a row or a table instead.');

  const allowed = {
    'advisory lock in people/queries/all.ts': 'a reason',
    'advisory lock in wake': 'a reason',
    'trigger wakes': 'a reason',
  };
  const left = reportOf({ 'people/queries/all.ts': files['people/queries/all.ts'] }, allowed).problems;
  expect(left.filter((problem) => /advisory|rigger/.test(problem))).toEqual([]);
});
