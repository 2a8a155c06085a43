import type pg from 'pg';
import { addApp, COUNT_ACCOUNTS, COUNT_MEMBERS } from './kit/apps.ts';
import { runStatements, startService } from './kit/service.ts';

interface Size {
  accounts: number;
  people: number;
}

const APPS = 20;
const GROUPS = 500;
/** Each app has completed a sync on each of these days, of which today is the last. */
const DAYS = 180;
/** Closed memberships per account. Account n had a number that falls with the square root of n. */
const MEMBERSHIPS = 9;

/**
 * Fills an organization with accounts, with one closed period each and nine closed memberships each on average. Half of
 * the accounts belong to the first app. The busiest account had MEMBERSHIPS / 2 * sqrt(accounts) memberships, the median
 * account about six. Everything has the bounds that daily syncs give it (D45).
 */
export async function fill(url: string, client: pg.Client, size: Size) {
  await createOrganization(url);
  // No server may run from here on: its jobs would read accounts without their indexes.
  await client.query(`set work_mem = '256MB'; set maintenance_work_mem = '512MB'`);
  await client.query('set max_parallel_maintenance_workers = 1');
  await runStatements(client, statements(size));
}

async function createOrganization(url: string) {
  const service = await startService(url);
  for (let i = 0; i < APPS; i++) await addApp(service, `App ${i}`, { user: 'account', group: 'group' });
  await service[Symbol.asyncDispose]();
}

const statements = ({ accounts, people }: Size): [string, string][] => [
  [
    'apps, groups and syncs',
    `
    create temp table seed_app as
      select a.org_id, a.id as app_id, row_number() over (order by a.id)::integer as i,
        t.id as account_type_id, g.id as group_type_id
      from app a
      join resource_type t on t.org_id = a.org_id and t.clone_group_id = a.clone_group_id and t.type = 'account'
      join resource_type g on g.org_id = a.org_id and g.clone_group_id = a.clone_group_id and g.type = 'group';
    create temp table seed_sync as
      select org_id, app_id, i, day, uuidv7() as id, uuidv7() as session_id, started_at, started_at + interval '5 minutes' as at,
        started_at - interval '1 day' as not_before, started_at - interval '1 day' + interval '5 minutes' as seen_until
      from seed_app, generate_series(0, ${DAYS}) day,
        lateral (select date_trunc('day', now()) - (${DAYS} - day) * interval '1 day' - i * interval '10 minutes' as started_at);
    insert into sync_session (org_id, id, app_id, status, started_at, completing_at, published_at, finished_at)
      select org_id, session_id, app_id, 'completed', started_at, at, at, at from seed_sync;
    insert into inventory_change
      (org_id, id, app_id, kind, source_id, started_at, at, completed_at, not_before, seen_until, gone_by)
      select org_id, id, app_id, 'sync', session_id, started_at, at, at, not_before, seen_until, started_at from seed_sync;
    update app set last_synced_at = (select max(started_at) from seed_sync s where s.app_id = app.id);
    create temp table seed_group as select org_id, app_id, i, k, uuidv7() as id, group_type_id
      from seed_app, generate_series(0, ${GROUPS - 1}) k;
    insert into entitlement (org_id, id, app_id, resource_type_id, external_id, name, created_at, updated_at)
      select g.org_id, g.id, g.app_id, g.group_type_id, 'g' || g.k, 'Group ' || g.k, s.at, s.at
      from seed_group g join seed_sync s on s.i = g.i and s.day = 0;
    analyze seed_app, seed_sync, seed_group;`,
  ],
  [
    'people and accounts',
    `
    create temp table seed_person as select n, uuidv7() as id from generate_series(0, ${people - 1}) n;
    insert into platform_user (org_id, id, email, username, first_name, last_name, role, status)
      select o.id, p.id, 'person.' || n || '@example.com', 'person' || n, 'Ann', 'Number ' || n, 'member', 'active'
      from seed_person p, organization o;
    create temp table seed_account as
      select a.org_id, a.app_id, a.account_type_id, a.i, n, uuidv7() as id,
        ceil(${MEMBERSHIPS / 2} * sqrt(${accounts}.0 / n))::integer as memberships
      from generate_series(1, ${accounts}) n
      join seed_app a on a.i = case when (n / ${people} + n) % 2 = 0 then 1 else 2 + (n / ${people} + n / 2) % ${APPS - 1} end;
    analyze seed_account;
    create temp table seed_index as
      select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid in ('account'::regclass, 'membership'::regclass) and not indisunique;
    do $$ declare x record; begin for x in select name from seed_index loop execute format('drop index %s', x.name); end loop; end $$;
    insert into account (org_id, id, app_id, resource_type_id, external_id, email, username, first_name, last_name,
      display_name, status, user_id, seen_at, created_at, since, not_before, change_id)
      select a.org_id, a.id, a.app_id, a.account_type_id, 'u' || a.n, 'user.' || a.n || '@example.com', 'user' || a.n, 'Ann',
        'Number ' || a.n, 'Ann Number ' || a.n, case when a.n % 50 = 0 then 'SUSPENDED' else 'ACTIVE' end,
        case when a.n % 10 > 0 then p.id end, s.at, first.at, s.at, s.not_before, s.id
      from seed_account a
      join seed_person p on p.n = a.n % ${people}
      join seed_sync s on s.i = a.i and s.day = 1 + a.n % ${DAYS}
      join seed_sync first on first.i = a.i and first.day = 0;
    ${COUNT_ACCOUNTS};
    insert into membership (org_id, account_id, entitlement_id, granted_at, not_before, change_id)
      select a.org_id, a.id, g.id, s.at, s.not_before, s.id
      from seed_account a cross join generate_series(0, 1) j
      join seed_group g on g.i = a.i and g.k = (a.n * 7 + j * 250) % ${GROUPS}
      join seed_sync s on s.i = a.i and s.day = 1 + (a.n * 3 + j) % ${DAYS};
    ${COUNT_MEMBERS};`,
  ],
  [
    'indexes of accounts',
    'do $$ declare x record; begin for x in select definition from seed_index loop execute x.definition; end loop; end $$',
  ],
  ...periods(
    'account_period',
    `
      select a.org_id, uuidv7() as id, a.id as account_id, a.app_id, a.account_type_id as resource_type_id,
        'u' || a.n as external_id, 'user.' || a.n || '@example.com' as email, 'user' || a.n as username, 'Ann' as first_name,
        'Number ' || a.n as last_name, 'Ann Number ' || a.n as display_name, 'INVITED' as status, null::timestamptz as not_before,
        f.at as since, l.seen_until, l.started_at as gone_by, f.at as known_from, l.at as ended_at,
        null::timestamptz as known_to, f.id as began_by, l.id as ended_by
      from seed_account a
      join seed_sync f on f.i = a.i and f.day = 0
      join seed_sync l on l.i = a.i and l.day = 1 + a.n % ${DAYS}`,
  ),
  [
    'order of the memberships',
    // In the order of time, as they would have been written.
    `
    create temp table seed_period as
      select n, k, first, last from seed_account, generate_series(0, memberships - 1) k,
        lateral (select (k * ${DAYS - 10} + n % ${DAYS - 10}) / memberships as first),
        lateral (select first + 1 + (n + k) % 8 as last)
      order by last, n;`,
  ],
  // The same account comes to the same group again after 500 memberships, which takes more days than a membership.
  ...periods(
    'membership_period',
    `
      select a.org_id, uuidv7() as id, a.id as account_id, g.id as entitlement_id, a.app_id, f.not_before, f.at as since,
        l.seen_until, l.started_at as gone_by, f.at as known_from, l.at as ended_at, null::timestamptz as known_to,
        f.id as began_by, l.id as ended_by
      from seed_period p
      join seed_account a on a.n = p.n
      join seed_group g on g.i = a.i and g.k = (p.n * 7 + p.k * 131 + 1) % ${GROUPS}
      join seed_sync f on f.i = a.i and f.day = p.first
      join seed_sync l on l.i = a.i and l.day = p.last`,
  ),
  ['vacuum', 'vacuum analyze'],
];

/**
 * Replaces the first partition of a history table, which has no lower bound, by full ones of this month and those before.
 * The indexes are built afterwards, as `like` does not copy them. Each table is new in its transaction, so that nothing is
 * written to the log (wal_level = minimal).
 */
export function periods(parent: string, rows: string): [string, string][] {
  const partitions = Array.from(
    { length: Math.ceil(DAYS / 30) + 1 },
    (_, i, ago = Math.ceil(DAYS / 30) - i) => ({
      name: `${parent}_${month(-ago).slice(0, 7).replace('-', '_')}`,
      bounds: `from (${i === 0 ? 'minvalue' : `'${month(-ago)}'`}) to ('${month(1 - ago)}')`,
    }),
  );
  const each = (text: (partition: { name: string; bounds: string }) => string) =>
    partitions.map(text).join('\n');
  return [
    [
      `rows of ${parent}`,
      `
      begin;
      drop table ${partitions.at(-1)?.name};
      create table seed_${parent} (like ${parent}) partition by range (ended_at);
      ${each(({ name, bounds }) => `create table ${name} partition of seed_${parent} for values ${bounds};`)}
      insert into seed_${parent} ${rows};
      commit;`,
    ],
    [
      `indexes of ${parent}`,
      each(
        ({ name, bounds }) => `
        alter table seed_${parent} detach partition ${name};
        alter table ${parent} attach partition ${name} for values ${bounds};`,
      ),
    ],
  ];
}

/** The first instant of a month, counted from the present one. */
export function month(offset: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString();
}
