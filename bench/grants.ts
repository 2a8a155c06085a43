import type pg from 'pg';
import { openDatabase } from '../packages/server/src/kit/database/open.ts';
import { type OrgTx, transaction, within } from '../packages/server/src/kit/database.ts';
import { BY_THE_CLOCK } from '../packages/server/src/kit/identity.ts';
import { planEnds } from '../packages/server/src/work/provisioning/ends.ts';
import { addApp, COUNT_ACCOUNTS, COUNT_MEMBERS } from './kit/apps.ts';
import { median, over, timesOf } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `grants`: why accounts have access, among 1,000,000 grants (`--small`: 100,000), 10 on each account. Floor: the same rows through
 * `pg` alone, by the ids of their accounts. Goals: one account in 20 ms, a page of 100 members or of grants in 50 ms. Then the planning of the
 * ends of 100 groups, which one request grants or 100 of them. Floor: the insertion of the same tasks. Goal: 50 ms.
 */
const PER_ACCOUNT = 10;
const GROUPS = 500;
const ROUNDS = 20;
const ENDING = 100;

export async function run({ small }: Options, use: Use) {
  const database = await use(startDatabase(['max_wal_size=8GB']));
  const service = await use(startService(database.url));
  const { client } = database;
  const accounts = (small ? 100_000 : 1_000_000) / PER_ACCOUNT;
  const { app, group, some } = await fill(service, client, accounts);
  const now = new Date().toISOString();
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const list = `/api/grants/?limit=100&count_to=1000`;
  const ways: [name: string, goal: number, path: string, floor: string][] = [
    ['why of an account', 20, `/api/accounts/${some}/`, one(some)],
    [
      '100 members',
      50,
      `/api/apps/${app}/resources/${group}/members/?limit=100&count_to=1000`,
      members(group),
    ],
    ['100 accounts', 50, `/api/accounts/?limit=100&count_to=1000`, page('true')],
    ...[
      ['active', ''],
      ['scheduled', '&status=scheduled'],
      ['ended', '&status=ended'],
      ['owed', '&status=owed'],
      ['of a rare kind', '&kind=emergency'],
      ['of an app', `&app=${app}`],
      ['on a group', `&app=${app}&slug=group&resource=g1`],
      ['that end soon', `&ends_before=${soon}`],
      ['as of now', `&as_of=${now}`],
      ['as of a year ago', `&as_of=${new Date(Date.now() - 365 * 86_400_000).toISOString()}`],
    ].map(([name = '', query = '']): (typeof ways)[number] => [name, 50, list + query, page('true')]),
  ];
  const rows: (string | number)[][] = [];
  for (const [name, goal, path, floor] of ways) {
    const { count = 1 } = await service.call<{ count?: number }>('GET', path);
    const ours = median(await timesOf(ROUNDS, () => service.call('GET', path), 2));
    const bare = median(await timesOf(ROUNDS, () => client.query(floor), 2));
    rows.push([name, count, ours, bare, bare / ours, over(ours, goal)]);
  }
  printTable(
    `${(accounts * PER_ACCOUNT).toLocaleString('en-US')} grants, ms; ratio = floor time / our time`,
    ['', 'counted', 'ms', 'floor ms', 'ratio', ''],
    rows,
  );
  printTable(
    `planning the ends of ${ENDING} groups of an account, ms`,
    ['', 'tasks', 'ms', 'floor ms', 'ratio', ''],
    await planning(database, app),
  );
}

class Undone extends Error {}

/** Plans the ends of an account whose groups end together, and of one whose groups end one after the other, and undoes it. */
async function planning({ url, client }: { url: string; client: pg.Client }, app: string) {
  const server = await openDatabase({ url });
  const rows: (string | number)[][] = [];
  for (const decisions of [1, ENDING]) {
    const { orgId, account } = await addEnding(client, app, decisions);
    const undone = (work: (tx: OrgTx) => Promise<unknown>) =>
      transaction(within(server.db, orgId), async (tx) => {
        await work(tx);
        throw new Undone();
      }).catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
    let planned = 0;
    const ours = median(
      await timesOf(
        ROUNDS,
        () =>
          undone(async (tx) => {
            planned = (await planEnds(tx, [account], BY_THE_CLOCK)).tasks.length;
          }),
        2,
      ),
    );
    const bare = median(
      await timesOf(
        ROUNDS,
        async () => {
          await client.query('begin');
          await client.query(insertion(account, decisions));
          await client.query('rollback');
        },
        2,
      ),
    );
    rows.push([`of ${decisions}`, planned, ours, bare, bare / ours, over(ours, 50)]);
  }
  await server.close();
  return rows;
}

/** Adds an account with `ENDING` groups, which that many requests grant for a month. */
async function addEnding(client: pg.Client, app: string, decisions: number) {
  const { rows } = await client.query<{ id: string; org_id: string }>(
    `insert into account (org_id, app_id, resource_type_id, external_id, email, username, display_name, status, seen_at, given)
    select org_id, app_id, resource_type_id, 'ending-' || $2, 'ending-' || $2 || '@example.com', '', '', 'ACTIVE', now(), true
    from account where app_id = $1 limit 1 returning id, org_id`,
    [app, decisions],
  );
  const { id = '', org_id: orgId = '' } = rows[0] ?? {};
  await client.query(
    `with held as (
      insert into membership (org_id, account_id, entitlement_id, given)
      select e.org_id, $2, e.id, true from entitlement e where e.app_id = $1 order by e.id limit ${ENDING} returning *)
    insert into access_grant (org_id, app_id, account_id, entitlement_id, kind, source_id, label, starts_at, ends_at)
    select org_id, $1, account_id, entitlement_id, 'request', md5('request' || n % $3)::uuid, 'Request', now(),
      now() + interval '30 days' + n % $3 * interval '1 minute'
    from (select *, row_number() over () as n from held) h`,
    [app, id, decisions],
  );
  return { orgId, account: id };
}

/** Inserts as many tasks, with a change for each group. */
const insertion = (account: string, tasks: number) => `
  with made as (
    insert into task (org_id, app_id, account_id, action, status, execute_after, task_type)
    select org_id, app_id, id, 'update_account', 'scheduled', now() + interval '30 days', 'APPROVAL_WORKFLOW'
    from account, generate_series(1, ${tasks}) where id = '${account}' returning org_id, id),
  numbered as (select *, row_number() over () - 1 as n from made)
  insert into task_change (org_id, task_id, entitlement_id, added, name)
  select m.org_id, t.id, m.entitlement_id, false, 'Group'
  from (select *, row_number() over () - 1 as n from membership where account_id = '${account}') m
  join numbered t on t.n = m.n % ${tasks}`;

const one = (account: string) => `select * from access_grant where account_id = '${account}'`;
const members = (group: string) => `select * from membership m join account a on a.id = m.account_id
  join access_grant g on g.org_id = m.org_id and g.account_id = m.account_id and g.entitlement_id = m.entitlement_id
  where m.entitlement_id = '${group}' order by m.account_id limit 100`;
const page = (where: string) =>
  `select * from access_grant g join account a on a.org_id = g.org_id and a.id = g.account_id where ${where} limit 100`;

/** Each account is in 8 groups, with a grant each: 2 have ended, one in 10 ends within a month, and one in 1,000 is for an emergency. */
async function fill(service: Service, client: pg.Client, accounts: number) {
  const app = await addApp(service, 'Bench');
  await client.query(
    `insert into account (org_id, app_id, resource_type_id, external_id, email, username, display_name, status, seen_at, given)
    select a.org_id, a.id, t.id, 'u' || n, 'u' || n || '@example.com', 'u' || n, 'User ' || n, 'ACTIVE', now(), true
    from app a join resource_type t on t.org_id = a.org_id and t.clone_group_id = a.clone_group_id and t.type = 'account'
    cross join generate_series(1, $1::integer) n`,
    [accounts],
  );
  await client.query(
    `insert into entitlement (org_id, app_id, resource_type_id, external_id, name, active)
    select a.org_id, a.id, t.id, 'g' || n, 'Group ' || n, true
    from app a join resource_type t on t.org_id = a.org_id and t.clone_group_id = a.clone_group_id and t.type = 'group'
    cross join generate_series(0, ${GROUPS - 1}) n`,
  );
  await client.query(
    `insert into access_grant (org_id, app_id, account_id, entitlement_id, kind, source_id, label, starts_at, ends_at, ended_at,
      ended_kind, end_recorded_at, gone_since, recorded_at)
    select a.org_id, a.app_id, a.id, e.id,
      case when n % 1000 = 0 then 'emergency' when k % 2 = 0 then 'request' else 'policy' end, gen_random_uuid(), 'Label ' || n,
      at, case when (n + k) % 10 = 0 then now() + (n / 10 % 30) * interval '1 day' + interval '1 hour' end, ended, case when ended is not null then 'manual' end,
      ended, ended, at
    from (select *, substring(external_id from 2)::integer as n from account) a
    cross join generate_series(1, ${PER_ACCOUNT}) k
    join entitlement e on e.org_id = a.org_id and e.app_id = a.app_id and e.external_id = 'g' || (n * 7 + k * 31) % ${GROUPS}
    cross join lateral (select now() - ((n * ${PER_ACCOUNT} + k) % 900) * interval '1 day' - interval '1 hour' as at) s
    cross join lateral (select case when k > 8 then at + interval '30 minutes' end as ended) x`,
  );
  await client.query(
    `insert into membership (org_id, account_id, entitlement_id, given)
    select org_id, account_id, entitlement_id, true from access_grant where ended_at is null on conflict do nothing`,
  );
  await client.query(`${COUNT_ACCOUNTS}; ${COUNT_MEMBERS}`);
  await client.query('vacuum analyze');
  const first = async (table: string, more = '') =>
    (await client.query<{ id: string }>(`select id from ${table} ${more} limit 1`)).rows[0]?.id ?? '';
  return { app, group: await first('entitlement', `where external_id = 'g1'`), some: await first('account') };
}
