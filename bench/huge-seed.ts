import type pg from 'pg';
import {
  catalog,
  categoryOf,
  type EventType,
  severityOf,
  TYPES_OF_CATALOG,
} from '../packages/server/src/log/events/catalog.ts';
import { NAMES } from './console.ts';
import { month, periods } from './history-seed.ts';
import { COUNT_ACCOUNTS, COUNT_MEMBERS } from './kit/apps.ts';
import { runStatements } from './kit/service.ts';

/** The numbers of rows in all organizations. The first organization has 60 % of them. */
export interface Size {
  organizations: number;
  accounts: number;
  people: number;
  /** Three for each account, the last of them a license. As many have ended. */
  memberships: number;
  events: number;
  reviewItems: number;
}

const FULL: Size = {
  organizations: 1000,
  accounts: 10_000_000,
  people: 1_000_000,
  memberships: 30_000_000,
  events: 100_000_000,
  reviewItems: 1_000_000,
};

export const sizeAt = (scale: number): Size =>
  Object.fromEntries(
    Object.entries(FULL).map(([name, full]) => [name, Math.max(2, Math.round(full * scale))]),
  ) as unknown as Size;

/** The first organization has 50 apps with a sync on each of the last 180 days, the others two with ten syncs. */
const DAYS = 180;
const APPS = 50;
const ENTITLEMENTS = 501;
/** The event log begins that many months ago. */
const MONTHS = 12;

const TABLES = ['account', 'membership', 'platform_user', 'task', 'review_item', 'event_contract'];

/**
 * Fills a migrated database inside the server, while no Gatehouse runs. Indexes are dropped and built again, and foreign
 * keys and triggers are not checked (session_replication_role). The schema is the released one afterwards.
 */
export async function fill(client: pg.Client, size: Size) {
  await client.query(`
    set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB';
    set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 1`);
  await runStatements(client, statements(size));
}

/** The day of a sync: `x` picks one of the first or the last 90 days, of those on which the app had a sync. */
const early = (x: string) => `a.step * (1 + (${x}) % (90 / a.step))`;
const late = (x: string) => `a.step * (90 / a.step + 1 + (${x}) % (90 / a.step))`;

/** The number of an entitlement of account `a`. Low numbers have most of the members. */
const entitlementOf = (j: string, salt: number) =>
  `3 * floor((a.entitlements / 3) * (((a.n::bigint * 7919 + ${j} * 104729 + ${salt}) % 10007) / 10007.0) ^ 2)::integer + ${j}`;

const statements = (size: Size): [string, string][] => [
  ['names', NAMES],
  ['organizations', organizations(size)],
  ['apps, syncs and entitlements', APPS_AND_SYNCS],
  ['dropping of indexes', DROP_INDEXES],
  ['people', PEOPLE],
  ['accounts', ACCOUNTS],
  [
    'memberships',
    `
    insert into membership (org_id, account_id, entitlement_id, granted_at, not_before, change_id)
      select a.org_id, a.id, e.id, s.at, s.not_before, s.id
      from seed_account a cross join generate_series(0, 2) j
      join seed_entitlement e on e.app_id = a.app_id and e.number = ${entitlementOf('j', 1)}
      join seed_sync s on s.app_id = a.app_id and s.day = ${late('a.n * 3 + j')};
    ${COUNT_MEMBERS}`,
  ],
  ['tasks', TASKS],
  // The planner knows nothing of the new rows yet, and would join them one by one.
  ['statistics', 'analyze account, membership, platform_user, app, resource_type, entitlement'],
  ['review cycle', review(size)],
  ['events', events()],
  ['indexes', BUILD_INDEXES],
  ...periods(
    'account_period',
    `
      select a.org_id, uuidv7() as id, a.id as account_id, a.app_id, a.account_type_id as resource_type_id,
        'u' || a.n as external_id, email_of(a.n) as email, 'user' || a.n as username, 'Ann' as first_name,
        'Number ' || a.n as last_name, 'Ann Number ' || a.n as display_name, 'INVITED' as status, null::timestamptz as not_before,
        f.at as since, l.seen_until, l.started_at as gone_by, f.at as known_from, l.at as ended_at,
        null::timestamptz as known_to, f.id as began_by, l.id as ended_by
      from seed_account a
      join seed_sync f on f.app_id = a.app_id and f.day = 0
      join seed_sync l on l.app_id = a.app_id and l.day = ${early('a.n')}
      where a.n % 2 = 0`,
  ),
  ...periods(
    'membership_period',
    `
      select a.org_id, uuidv7() as id, a.id as account_id, e.id as entitlement_id, a.app_id, f.not_before, f.at as since,
        l.seen_until, l.started_at as gone_by, f.at as known_from, l.at as ended_at, null::timestamptz as known_to,
        f.id as began_by, l.id as ended_by
      from seed_account a cross join generate_series(0, 2) j
      join seed_entitlement e on e.app_id = a.app_id and e.number = ${entitlementOf('j', 5000)}
      join seed_sync f on f.app_id = a.app_id and f.day = 0
      join seed_sync l on l.app_id = a.app_id and l.day = ${early('a.n * 3 + j')}`,
  ),
  ['vacuum', 'vacuum analyze'],
];

const organizations = (size: Size) => `
  insert into organization (slug, name, created_at)
    select 'org' || n, 'Organization ' || n, now() - interval '400 days' from generate_series(2, ${size.organizations}) n;
  insert into event_head (org_id) select id from organization where slug <> 'acme';
  create temp table seed_org as
    with ranked as (select id as org_id, row_number() over (order by slug <> 'acme', id)::integer as i from organization),
      shares as (
        select *, case when i = 1 then 0.6 else 0.4 / i / (select sum(1.0 / i) from ranked where i > 1) end as share from ranked)
    select org_id, i, case when i = 1 then 1 else 18 end as step, case when i = 1 then ${APPS} else 2 end as apps,
      case when i = 1 then ${ENTITLEMENTS} else 60 end as entitlements,
      ceil(share * ${size.accounts})::integer as accounts, ceil(share * ${size.people})::integer as people,
      ceil(share * ${size.events})::integer as events
    from shares`;

const APPS_AND_SYNCS = `
  create temp table seed_app as
    select org_id, i, step, entitlements, accounts, apps, k, uuidv7() as app_id, uuidv7() as account_type_id, uuidv7() as group_type_id,
      uuidv7() as license_type_id
    from seed_org, generate_series(1, apps) k;
  insert into app (org_id, id, name, clone_group_id, configuration_status, last_synced_at)
    select org_id, app_id, 'App ' || k, app_id, 'CONNECTED', now() from seed_app;
  insert into resource_type (org_id, id, clone_group_id, slug, name, type)
    select org_id, account_type_id, app_id, 'user', 'Users', 'account' from seed_app union all
    select org_id, group_type_id, app_id, 'group', 'Groups', 'group' from seed_app union all
    select org_id, license_type_id, app_id, 'license', 'Licenses', 'license' from seed_app;
  create temp table seed_sync as
    select org_id, app_id, day, uuidv7() as id, uuidv7() as session_id, started_at, started_at + interval '5 minutes' as at,
      started_at - interval '1 day' as not_before, started_at - interval '1 day' + interval '5 minutes' as seen_until
    from seed_app cross join lateral generate_series(0, ${DAYS}, step) day
      cross join lateral (
        select date_trunc('day', now()) - (${DAYS} - day) * interval '1 day' - k * interval '10 minutes' as started_at);
  insert into sync_session (org_id, id, app_id, status, started_at, completing_at, published_at, finished_at)
    select org_id, session_id, app_id, 'completed', started_at, at, at, at from seed_sync;
  insert into inventory_change
    (org_id, id, app_id, kind, source_id, started_at, at, completed_at, not_before, seen_until, gone_by)
    select org_id, id, app_id, 'sync', session_id, started_at, at, at, not_before, seen_until, started_at from seed_sync;
  create temp table seed_entitlement as
    select a.*, number, uuidv7() as id from seed_app a, generate_series(0, entitlements - 1) number;
  insert into entitlement (org_id, id, app_id, resource_type_id, external_id, name, max_count, created_at, updated_at)
    select e.org_id, e.id, e.app_id, case when number % 3 = 2 then license_type_id else group_type_id end, 'e' || number,
      case when number % 3 = 2 then 'License ' else 'Group ' end || number,
      case when number % 3 = 2 and number < 60 then 1000000 end, s.at, s.at
    from seed_entitlement e join seed_sync s on s.app_id = e.app_id and s.day = 0;
  analyze seed_org, seed_app, seed_sync, seed_entitlement`;

/** The constraint indexes of these tables are few, and their rows come in order. */
const DROP_INDEXES = `
  create temp table seed_index as
    select x.indexrelid::regclass as name, pg_get_indexdef(x.indexrelid) as definition
    from pg_index x where x.indrelid in (${TABLES.map((table) => `'${table}'::regclass`).join(', ')})
      and not exists (select from pg_constraint c where c.conindid = x.indexrelid);
  do $$ declare x record; begin for x in select name from seed_index loop execute format('drop index %s', x.name); end loop; end $$`;

/** An index of a partitioned table is created on the table alone and would stay invalid: \`only\` is left out. */
const BUILD_INDEXES = `
  do $$ declare x record; begin
    for x in select definition from seed_index loop execute replace(x.definition, ' ON ONLY ', ' ON '); end loop;
  end $$`;

const PEOPLE = `
  create temp table seed_person as
    select org_id, n, uuidv7() as id, apps, people from seed_org, generate_series(1, people) n;
  insert into platform_user (org_id, id, email, username, first_name, last_name, role, status, manager_id, attributes)
    select p.org_id, p.id, email_of(p.n), email_of(p.n), 'Ann', 'Number ' || p.n,
      case when p.n % 5000 = 0 then 'admin' else 'member' end, case when p.n % 50 = 0 then 'deactivated' else 'active' end,
      m.id, '{"department": "Sales", "title": "Engineer"}'
    from seed_person p left join seed_person m on m.org_id = p.org_id and p.n > 1 and m.n = p.n / 10 + 1 and m.n <> p.n;
  analyze seed_person`;

const ACCOUNTS = `
  create temp table seed_account as
    select o.org_id, o.step, o.entitlements, n, uuidv7() as id, a.app_id, a.account_type_id, o.people
    from seed_org o cross join lateral generate_series(1, o.accounts) n
    join seed_app a on a.org_id = o.org_id
      and a.k = case when n % 2 = 0 or o.apps = 1 then 1 else 2 + n / 2 % (o.apps - 1) end;
  analyze seed_account;
  insert into account (org_id, id, app_id, resource_type_id, external_id, email, username, first_name, last_name,
    display_name, status, user_id, seen_at, created_at, since, not_before, change_id)
    select a.org_id, a.id, a.app_id, a.account_type_id, 'u' || a.n, email_of(a.n), 'user' || a.n, 'Ann', 'Number ' || a.n,
      'Ann Number ' || a.n,
      case when a.n % 20 > 1 then 'ACTIVE' when a.n % 100 = 1 then 'NEW' when a.n % 20 = 1 then 'SUSPENDED' else 'INACTIVE' end,
      case when a.n % 10 > 0 then p.id end, s.at, first.at, s.at, s.not_before, s.id
    from seed_account a
    join seed_person p on p.org_id = a.org_id and p.n = 1 + a.n % a.people
    join seed_sync s on s.app_id = a.app_id and s.day = case when a.n % 2 = 0 then ${early('a.n')} else 0 end
    join seed_sync first on first.app_id = a.app_id and first.day = 0
    order by a.id;
  ${COUNT_ACCOUNTS}`;

/** One task for every fifth account. */
const TASKS = `
  insert into task (org_id, app_id, account_id, action, status, execute_after, ended_at, error, task_type, created_at)
    select org_id, app_id, id, case when n % 10 = 0 then 'suspend_account' else 'update_account' end,
      case when n % 100 = 0 then 'failed' when n % 1000 = 5 then 'pending' else 'completed' end, at,
      case when n % 1000 <> 5 then at end,
      case when n % 100 = 0 then
        jsonb_build_object('code', case when n % 1000 = 0 then 'TIMEOUT' else 'PERMISSION_DENIED' end, 'message', 'No.')
      end, 'USER_ACTION', at
    from seed_account, lateral (select now() - (n % 300) * interval '1 day' - n * interval '1 millisecond' as at)
    where n % 5 = 0 order by at`;

/** A cycle of the first organization, a tenth decided. Its owner reviews 1 item in 20, managers the others. */
const review = (size: Size) => `
  create temp table seed_review as
    select org_id, uuidv7() as campaign_id, uuidv7() as cycle_id, jsonb_build_object('name', 'Yearly review',
      'scope', jsonb_build_object('apps', null, 'users', null, 'include', jsonb_build_array('memberships', 'assignments')),
      'reviewer', 'manager', 'fallback_reviewers', null, 'frequency', 'once', 'starts_at', null, 'due_days', 30,
      'on_no_response', 'keep', 'revoke_account_by', 'suspend', 'cooling_off_hours', 24) as settings,
      (select u.id from platform_user u where u.org_id = o.org_id and u.role = 'owner' limit 1) as owner_id
    from seed_org o where i = 1;
  insert into review_campaign (org_id, id, settings, created_by) select org_id, campaign_id, settings, owner_id from seed_review;
  insert into review_item (org_id, cycle_id, kind, app_id, app_name, account_id, account_email, account_username, user_id,
    user_email, user_name, entitlement_id, resource, since, last_seen_at, reviewers, decision, decided_by, decided_at)
    select r.org_id, r.cycle_id, case t.type when 'group' then 'membership' else 'assignment' end, p.id, p.name, a.id, a.email,
      a.username, u.id, u.email, u.first_name || ' ' || u.last_name, e.id,
      jsonb_build_object('slug', t.slug, 'id', e.external_id, 'name', e.name), i.granted_at, a.seen_at,
      case when n % 20 = 0 then array[r.owner_id] when u.manager_id is null then '{}'::uuid[] else array[u.manager_id] end,
      case when n % 10 = 0 then 'keep' end, case when n % 10 = 0 then r.owner_id end, case when n % 10 = 0 then now() end
    from seed_review r
    join (
      select *, row_number() over (order by account_id, entitlement_id) as n from (
        select m.* from membership m join seed_review r on r.org_id = m.org_id order by m.account_id, m.entitlement_id
        limit ${size.reviewItems})) i on i.org_id = r.org_id
    join account a on a.org_id = i.org_id and a.id = i.account_id
    join app p on p.org_id = a.org_id and p.id = a.app_id
    join entitlement e on e.org_id = i.org_id and e.id = i.entitlement_id
    join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
    left join platform_user u on u.org_id = a.org_id and u.id = a.user_id
    order by i.n;
  insert into review_cycle (org_id, id, campaign_id, status, opens_at, begun_at, opened_at, due_at, settings, items, kept,
    accounts_total, accounts_done)
    select r.org_id, cycle_id, campaign_id, 'in_progress', now(), now(), now(), now() + interval '30 days', settings,
      i.items, i.kept, i.accounts, i.accounts
    from seed_review r, (
      select count(*) as items, count(decision) as kept, count(distinct account_id) as accounts from review_item) i`;

const headOf = (type: EventType) =>
  JSON.stringify({
    event_type: type,
    event_version: catalog[type].version,
    category: categoryOf(type),
    severity: severityOf(type),
  }).slice(1, -1);

/** Replaces the event log by one of the last twelve months, in the order of the positions. */
function events() {
  // Questions about user.deleted find nothing.
  const types = TYPES_OF_CATALOG.contract.filter((type) => type !== 'user.deleted');
  const list = (texts: string[]) => `array[${texts.map((text) => `'${text}'`).join(', ')}]`;
  const instant = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  return `
    begin;
    do $$ declare x record; begin
      for x in select inhrelid::regclass as name from pg_inherits where inhparent = 'event_contract'::regclass loop
        execute format('drop table %s', x.name);
      end loop;
    end $$;
    truncate event_configuration;
    select ensure_event_partitions('${month(1 - MONTHS).slice(0, 10)}');
    insert into event_contract (org_id, position, ingested_at, event_id, event_type, occurred_at, actor_uuid, actor_ip,
      subject_uuid, lag, body)
    select org_id, n, at, event_id, type, at, actor, ip, subject, 0,
      '{"event_id":"' || event_id || '",' || head || ',"occurred_at":"' || at_text || '","ingested_at":"' || at_text
        || '","actor":{"type":"user","uuid":"' || actor || '","ip":"' || ip || '","user_agent":"Mozilla/5.0 (X11; Linux x86_64)"}'
        || ',"subject":{"type":"app_user","uuid":"' || subject || '"},"source":{"type":"sync","uuid":"' || actor || '"}'
        || ',"payload":{"app_id":"' || actor || '","app_name":"Payroll","account_id":"' || subject
        || '","email":"user' || n || '@example.com","status":"ACTIVE","previous_status":"INVITED"}}'
    from (
      select o.org_id, n, gen_random_uuid() as event_id, t.type, t.head, at, ${instant('at')} as at_text,
        ('00000000-0000-7000-8000-' || lpad((n % 400)::text, 12, '0'))::uuid as actor, '10.0.0.' || n % 200 as ip,
        ('00000000-0000-7000-9000-' || lpad((n % 3000)::text, 12, '0'))::uuid as subject
      from seed_org o cross join lateral generate_series(1, o.events) n
      cross join lateral (
        select now() - interval '1 hour' - (o.events - n) * (interval '330 days' / o.events) - (o.events - n) * interval '1 microsecond' as at)
      join unnest(${list(types)}, ${list(types.map(headOf))}) with ordinality as t (type, head, number)
        on t.number = 1 + (n::bigint * n + n / 7) % ${types.length}
      offset 0) made;
    update event_head h set last_position = o.events, last_ingested_at = now() - interval '1 hour'
      from seed_org o where o.org_id = h.org_id;
    commit`;
}
