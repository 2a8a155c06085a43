import type pg from 'pg';
import { addApp, COUNT_ACCOUNTS, COUNT_MEMBERS } from './kit/apps.ts';
import { median, over, timesOf } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `policies`: the counts of a policy's preview, in an organization with 100,000 people and 150,000 accounts (`--small`: a tenth,
 * and also with 100 enabled policies that would undo what it does). Floor: reading the same people and accounts through `pg` alone. Goal:
 * less than 1 second.
 */
const PEOPLE = 100_000;
const OPPOSING = 100;
const GROUPS = 50;
const ROUNDS = 3;
const GOAL_SECONDS = 1;

export async function run({ small }: Options, use: Use) {
  const people = small ? PEOPLE / 10 : PEOPLE;
  const database = await use(startDatabase(['max_wal_size=8GB']));
  const service = await use(startService(database.url));
  const { client } = database;
  const [large = ''] = await fill(service, client, people);
  const suspendAll = [{ do: 'suspend', app: 'all' }];
  const revoke = [{ do: 'revoke', app: large, memberships: { role: ['r1'] } }];
  const grant = [{ do: 'grant', app: large, memberships: { role: ['r1'] } }];
  const policies: [string, string, unknown][] = [
    ['suspend everyone', 'true', suspendAll],
    ['suspend a department', 'user.attributes.department == "Finance"', suspendAll],
    ['suspend contractors', 'user.domain_type == "external" && user.end_date < today', suspendAll],
    ['revoke from everyone', 'true', revoke],
    ['revoke by group', '"r2" in account.memberships.role', revoke],
    ['grant to everyone', 'true', grant],
    ['delete orphans', 'user == null', [{ do: 'delete', app: 'all' }]],
  ];
  const rows: (string | number)[][] = [];
  const measure = async (name: string, condition: string, effects: unknown) => {
    const path = `/api/policies/${await addPolicy(service, { name, condition, effects })}/preview/`;
    let count = 0;
    const ours = await medianSeconds(async () => {
      ({ count } = await service.call<{ count: number }>('POST', path));
    });
    const floor = await medianSeconds(() => readEverything(client));
    rows.push([name, count, ours, floor, floor / ours, over(ours, GOAL_SECONDS)]);
  };
  for (const [name, condition, effects] of policies) await measure(name, condition, effects);
  if (small) {
    for (let n = 0; n < OPPOSING; n++)
      await addPolicy(service, {
        ...{ name: `Opposing ${n}`, trigger: 'user.created', enabled: true, effects: grant },
        condition: n % 2 === 0 ? 'true' : `user.attributes.title == "Title ${n}"`,
      });
    await measure(`revoke, ${OPPOSING} opposing`, 'true', revoke);
    await measure(`revoke from 1 %, ${OPPOSING} opposing`, 'user.attributes.title == "Title 1"', revoke);
  }
  printTable(
    `preview over ${people.toLocaleString('en-US')} people, seconds (goal: less than ${GOAL_SECONDS}); ratio = floor time / our time`,
    ['', 'tasks', 's', 'floor s', 'ratio', ''],
    rows,
  );
}

async function addPolicy(service: Service, policy: object): Promise<string> {
  const usual = { trigger: 'daily', enabled: false };
  const body = { ...usual, ...policy };
  return (await service.call<{ external_uuid: string }>('POST', '/api/policies/', body)).external_uuid;
}

async function readEverything(client: pg.Client) {
  await client.query('select * from platform_user');
  await client.query('select * from account');
  await client.query('select account_id, entitlement_id from membership');
}

const medianSeconds = async (work: () => Promise<unknown>) => median(await timesOf(ROUNDS, work)) / 1000;

/** Everyone has an account in the first app, and every second person in the other. Each account is in two groups. */
async function fill(service: Service, client: pg.Client, people: number): Promise<string[]> {
  const apps: string[] = [];
  for (const name of ['Large', 'Small'])
    apps.push(await addApp(service, name, { user: 'account', role: 'group' }));
  await client.query(
    `insert into platform_user (org_id, email, username, first_name, last_name, domain_type, attributes, end_date)
    select o.id, 'person' || n || '@example.com', 'person' || n, 'Ann', 'Number ' || n,
      case when n % 10 = 0 then 'external' else 'internal' end,
      jsonb_build_object('department', (array['Finance', 'Sales', 'Support', 'Engineering'])[1 + n % 4], 'title', 'Title ' || n % 100),
      case when n % 20 = 0 then current_date - 1 end
    from organization o, generate_series(1, $1::integer) n`,
    [people],
  );
  await client.query(
    `with person as materialized (
      select id, email, row_number() over (order by id) as n from platform_user where email like 'person%')
    insert into account (org_id, app_id, resource_type_id, external_id, email, username, display_name, status, user_id, seen_at)
    select o.id, a.id, t.id, 'u' || n, person.email, 'user' || n, 'Ann Number ' || n, 'ACTIVE',
      case when n % 100 > 0 then person.id end, now()
    from organization o cross join person join app a on a.id = $1 or (a.id = $2 and n % 2 = 0)
    join resource_type t on t.org_id = a.org_id and t.clone_group_id = a.clone_group_id and t.type = 'account'`,
    apps,
  );
  await client.query(
    `insert into entitlement (org_id, app_id, resource_type_id, external_id, name, active)
    select a.org_id, a.id, t.id, 'r' || n, 'Role ' || n, true
    from app a join resource_type t on t.org_id = a.org_id and t.clone_group_id = a.clone_group_id and t.type = 'group'
    cross join generate_series(0, $1::integer - 1) n`,
    [GROUPS],
  );
  await client.query(
    `insert into membership (org_id, account_id, entitlement_id)
    select a.org_id, a.id, e.id from account a join entitlement e on e.org_id = a.org_id and e.app_id = a.app_id
    where substring(e.external_id from 2)::integer in (
      substring(a.external_id from 2)::integer % $1, (substring(a.external_id from 2)::integer + 1) % $1)`,
    [GROUPS],
  );
  await client.query(`${COUNT_ACCOUNTS}; ${COUNT_MEMBERS}`);
  await client.query('vacuum analyze');
  return apps;
}
