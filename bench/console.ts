import type pg from 'pg';
import { addApp, COUNT_ACCOUNTS } from './kit/apps.ts';
import { median, over, timesOf } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `console`: the requests of the console's tables, in an organization with 1,000,000 accounts, 100,000 people
 * and 1,000,000 tasks. Floor: reading the same rows by id through `pg` alone. Goal: less than 100 ms for each request, for
 * every filter, search and order.
 */
const ACCOUNTS = 1_000_000;
const PEOPLE = 100_000;
const TASKS = 1_000_000;
const APPS = 50;
const ROUNDS = 7;
const GOAL_MS = 100;
/** The console's tables count up to this number. */
const COUNT_TO = 10_000;

export async function run(_: Options, use: Use) {
  const database = await use(startDatabase(['max_wal_size=8GB']));
  const service = await use(startService(database.url));
  const { client } = database;
  const { big, small, person } = await fill(service, client);
  const accounts: [string, string][] = [
    ['first list page', ''],
    ['list page 100', 'offset=4950'],
    ['last list page', `offset=${ACCOUNTS - 50}`],
    ['in a large app', `app=${big}`],
    ['in a small app', `app=${small}`],
    ['active', 'status=ACTIVE'],
    ['suspended', 'status=SUSPENDED'],
    ['suspended, in a small app', `app=${small}&status=SUSPENDED`],
    ['orphans', 'linked=false'],
    ['orphans, in a large app', `app=${big}&linked=false`],
    ['orphans, suspended', 'linked=false&status=SUSPENDED'],
    ['linked', 'linked=true'],
    ['of one person', `user=${person}`],
    ['search: one', 'email=ann.smith.77777%40'],
    ['search: 1 in 100', 'email=garcia'],
    ['search: all', 'email=example'],
    ['search: none', 'email=nobody-at-all'],
    ['search: one letter', 'email=a'],
    ['search: two letters, 1 in 700', 'email=zq'],
    ['search: two letters, 1 in 25', 'email=ay'],
    ['search: two letters, all', 'email=an'],
    ['search: two letters, none', 'email=x9'],
    ['search of all names: two letters', 'search=zq'],
    ['search in a small app', `app=${small}&email=garcia`],
    ['search among orphans', 'linked=false&email=garcia'],
    ['search, suspended', 'status=SUSPENDED&email=garcia'],
  ];
  const sorted = accounts.flatMap(([name, query]): [string, string][] => [
    [name, query],
    [`${name}, by email`, `${query}&sort=email`],
    [`${name}, newest first`, `${query}&sort=-created`],
  ]);
  await table(
    'accounts',
    '/api/accounts/',
    sorted,
    `
    select a.*, p.name from account a join app p on p.org_id = a.org_id and p.id = a.app_id where a.id = any ($1)`,
  );
  const people: [string, string][] = [
    ['first list page', ''],
    ['by email', 'sort=email'],
    ['last list page, by email', `sort=email&offset=${PEOPLE - 50}`],
    ['search', 'q=garcia'],
    ['search: all, by email', 'q=example&sort=email'],
    ['administrators', 'role=admin'],
    ['deactivated, by email', 'status=deactivated&sort=email'],
  ];
  await table('people', '/api/users/', people, 'select * from platform_user where id = any ($1)');
  const tasks: [string, string][] = [
    ['first list page', ''],
    ['pending', 'status=pending'],
    ['failed', 'status=failed'],
    ['completed', 'status=completed'],
    ['in a large app', `app=${big}`],
    ['failed, in a small app', `app=${small}&status=failed`],
    ['by action', 'action=suspend_account'],
    ['by error', 'error_code=TIMEOUT'],
    ['of one person', `user=${person}`],
    ['search: one', 'email=ann.smith.77777%40'],
    ['search: 1 in 100', 'email=garcia'],
    ['search: all', 'email=example'],
    ['search: none', 'email=nobody-at-all'],
    ['search: two letters, 1 in 700', 'email=zq'],
    ['search: two letters, 1 in 25', 'email=ay'],
  ];
  await table('tasks', '/api/tasks/', tasks, 'select * from task where id = any ($1)');
  await table('overview', '/api/overview/', [['overview', '']], 'select 1 where $1::uuid[] is null');

  async function table(what: string, path: string, queries: [string, string][], floorStatement: string) {
    const rows: (string | number)[][] = [];
    for (const [name, query] of queries) {
      const request = () => service.call<List>('GET', `${path}?${query}&count_to=${COUNT_TO}`);
      const { count = 0, results = [] } = await request();
      const ids = results.map(({ external_uuid }) => external_uuid);
      const ours = median(await timesOf(ROUNDS, request));
      const statement = { name: what, text: floorStatement, values: [ids] };
      const floor = median(await timesOf(ROUNDS, () => client.query(statement)));
      rows.push([name, count, ours, floor, over(ours, GOAL_MS)]);
    }
    printTable(
      `${what}: 50 results, ms (goal: less than ${GOAL_MS})`,
      ['', 'count', 'ms', 'floor ms', ''],
      rows,
    );
  }
}

interface List {
  count?: number;
  results?: { external_uuid: string }[];
}

/** Half of the accounts belong to the first app, one in 500 to the last. One in ten is orphaned. */
async function fill(service: Service, client: pg.Client) {
  const apps: string[] = [];
  for (let i = 0; i < APPS; i++) apps.push(await addApp(service, `App ${i}`, { user: 'account' }));
  const [big = '', small = ''] = [apps[0], apps.at(-1)];
  await client.query(NAMES);
  await client.query(
    `insert into platform_user (org_id, email, username, first_name, last_name, role, status)
    select o.id, email_of(n), email_of(n), 'Ann', 'Garcia', case when n % 5000 = 0 then 'admin' else 'member' end,
      case when n % 50 = 0 then 'deactivated' else 'active' end
    from organization o, generate_series(1, $1::integer) n`,
    [PEOPLE],
  );
  await client.query(
    `with person as materialized (
      select id, row_number() over (order by id) as k from platform_user where email like '%@example.com')
    insert into account (org_id, app_id, resource_type_id, external_id, email, username, display_name, status, user_id,
      seen_at)
    select o.id, r.app_id, r.type_id, n, email_of(n), 'user' || n, 'Ann Number ' || n,
      case when n % 20 > 1 then 'ACTIVE' when n % 100 = 1 then 'NEW' when n % 20 = 1 then 'SUSPENDED' else 'INACTIVE' end,
      case when n % 10 > 0 then person.id end, now()
    from organization o cross join generate_series(1, $1::integer) n
      join (
        select a.id as app_id, t.id as type_id, row_number() over (order by a.id) as i
        from app a join resource_type t on t.org_id = a.org_id and t.clone_group_id = a.clone_group_id) r
        on r.i = case when n % 2 = 0 then 1 when n % 500 = 1 then $3 else 2 + n % ($3 - 2) end
      left join person on person.k = 1 + n % $2`,
    [ACCOUNTS, PEOPLE, APPS],
  );
  await client.query(COUNT_ACCOUNTS);
  await client.query(
    `insert into task (org_id, app_id, account_id, action, status, execute_after, ended_at, error, task_type)
    select org_id, app_id, id, case when n % 10 = 0 then 'suspend_account' else 'update_account' end,
      case when n % 100 = 0 then 'failed' when n % 1000 = 1 then 'pending' else 'completed' end, now(),
      case when n % 1000 <> 1 then now() - n * interval '1 second' end,
      case when n % 100 = 0 then
        jsonb_build_object('code', case when n % 1000 = 0 then 'TIMEOUT' else 'PERMISSION_DENIED' end, 'message', 'No.')
      end, 'USER_ACTION'
    from (select *, row_number() over () as n from account) a where n <= $1`,
    [TASKS],
  );
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ id: string }>(
    'select user_id as id from account where user_id is not null limit 1',
  );
  return { big, small, person: rows[0]?.id ?? '' };
}

/** Defines email_of(n). Smith, Garcia and Okafor are each the name of one person in a hundred. */
export const NAMES = `
  create function email_of(n integer) returns text language sql immutable as $$
    select 'ann.' || (array['smith', 'garcia', 'okafor', 'tanaka'])[1 + least(n % 100, 3)]
      || case when n % 100 > 2 then chr(97 + n % 26) || chr(97 + n / 26 % 26) else '' end
      || '.' || n || '@example.com'
  $$`;
