import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/open.ts';
import type { Grant } from '../../provisioning/create.ts';
import type { Include, Settings } from '../cycle.ts';

/** A cycle that is being opened. */
export interface Opening {
  id: string;
  settings: Settings;
  last_account: string | null;
}

export async function hasOpenCycle(tx: Tx, orgId: string, campaignId: string): Promise<boolean> {
  const { rows } = await sql`
    select from review_cycle
    where org_id = ${orgId} and campaign_id = ${campaignId} and begun_at is not null and status <> 'completed'`.execute(
    tx,
  );
  return rows.length > 0;
}

/** The cycle that waits, where there is one, or a new one: its settings are frozen now. */
export async function beginCycle(
  tx: Tx,
  orgId: string,
  campaignId: string,
  settings: Settings,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with begun as (
      update review_cycle set begun_at = clock_timestamp(), opens_at = clock_timestamp(), settings = ${JSON.stringify(settings)}::jsonb
      where org_id = ${orgId} and campaign_id = ${campaignId} and begun_at is null
      returning id
    ), made as (
      insert into review_cycle (org_id, campaign_id, opens_at, begun_at, settings)
      select ${orgId}, ${campaignId}, clock_timestamp(), clock_timestamp(), ${JSON.stringify(settings)}::jsonb
      where not exists (select from begun)
      returning id
    )
    select id from begun union all select id from made`.execute(tx);
  return rows[0]?.id as string;
}

/** The cycle, locked, while its opening goes on. */
export async function lockOpening(tx: Tx, orgId: string, cycleId: string): Promise<Opening | undefined> {
  const { rows } = await sql<Opening>`
    select id, settings, last_account from review_cycle
    where org_id = ${orgId} and id = ${cycleId} and status = 'scheduled' and begun_at is not null
    for no key update`.execute(tx);
  return rows[0];
}

const TYPES: Record<Include, 'group' | 'license' | null> = {
  accounts: null,
  memberships: 'group',
  assignments: 'license',
};
const typesOf = ({ include }: Settings['scope']) =>
  include.map((part) => TYPES[part]).filter((type) => type !== null);

/** Accounts `a` that are there, in apps that are there, and that have something to review. */
const inScope = (orgId: string, { id, settings: { scope } }: Opening) => sql`
  a.org_id = ${orgId} and a.removed_at is null and a.status in ('ACTIVE', 'INVITED', 'SUSPENDED')
  and a.created_at <= (select y.begun_at from review_cycle y where y.org_id = ${orgId} and y.id = ${id})
  and a.app_id in (
    select p.id from app p
    where p.org_id = ${orgId} and p.archived_at is null
      and (${scope.apps}::uuid[] is null or p.id = any(${scope.apps}::uuid[])))
  and (${scope.include.includes('accounts')} or exists (
    select from membership m
    join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
    join resource_type r on r.org_id = e.org_id and r.id = e.resource_type_id
    where m.org_id = a.org_id and m.account_id = a.id and r.type = any(${typesOf(scope)}::text[])))`;

export async function countAccounts(tx: Tx, orgId: string, opening: Opening): Promise<void> {
  await sql`
    update review_cycle set accounts_total = (select count(*) from account a where ${inScope(orgId, opening)})
    where org_id = ${orgId} and id = ${opening.id}`.execute(tx);
}

export interface ScopedAccount {
  id: string;
  /** The person whose account it is, as conditions see them. */
  user: Record<string, unknown> | null;
}

/** The next accounts, by id. */
export async function nextAccounts(
  tx: Tx,
  orgId: string,
  opening: Opening,
  limit: number,
): Promise<ScopedAccount[]> {
  const { rows } = await sql<ScopedAccount>`
    select a.id, case when u.id is not null then jsonb_build_object('id', u.id, 'username', u.username, 'email', u.email,
      'first_name', u.first_name, 'last_name', u.last_name, 'identity_type', u.identity_type,
      'domain_type', u.domain_type, 'manager', u.manager_id, 'status', u.status, 'role', u.role,
      'attributes', u.attributes, 'start_date', u.start_date, 'end_date', u.end_date) end as user
    from (
      select a.id, a.org_id, a.user_id from account a
      where ${inScope(orgId, opening)} and (${opening.last_account}::uuid is null or a.id > ${opening.last_account}::uuid)
      order by a.id limit ${limit}
    ) a
    left join platform_user u on u.org_id = a.org_id and u.id = a.user_id
    order by a.id`.execute(tx);
  return rows;
}

/** Somebody who may decide. */
const mayReview = (person: string) =>
  sql`${sql.ref(`${person}.status`)} = 'active' and ${sql.ref(`${person}.role`)} <> 'auditor'`;

/** Of these people, in this order, those who may decide. */
export async function ableReviewers(db: Db, orgId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from unnest(${ids}::uuid[]) with ordinality as given (id, i)
    join platform_user u on u.org_id = ${orgId} and u.id = given.id
    where ${mayReview('u')} order by given.i`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Freezes these accounts, and what they have, as items; answers how many. `listed` and `fallback` are people who may
 * decide; nobody is given their own access.
 */
export async function freezeItems(
  tx: Tx,
  orgId: string,
  { id: cycleId, settings: { scope, reviewer } }: Opening,
  accountIds: string[],
  grants: Grant[],
  { listed, fallback }: { listed: string[]; fallback: string[] },
): Promise<number> {
  const grantRows = grants.map(({ account_id, entitlement_id, task_id, task_type, source, granted_at }) => ({
    account_id,
    entitlement_id,
    granted_by: { task: task_id, task_type, source, at: granted_at },
  }));
  // Accounts, and what they have, are looked up one by one, through their keys: right after a first sync the planner
  // knows nothing of them, and would join them all for every chunk. "offset 0" is what keeps it from doing so.
  const { numAffectedRows } = await sql`
    with chosen as materialized (
      select a.* from unnest(${accountIds}::uuid[]) as given (id)
      cross join lateral (select * from account a where a.org_id = ${orgId} and a.id = given.id offset 0) a
    )
    insert into review_item (org_id, cycle_id, kind, app_id, app_name, account_id, account_email, account_username, user_id,
      user_email, user_name, entitlement_id, resource, since, granted_by, last_seen_at, reviewers)
    select a.org_id, ${cycleId}, had.kind, p.id, p.name, a.id, a.email, a.username, u.id,
      u.email, trim(u.first_name || ' ' || u.last_name), had.entitlement_id, had.resource, had.since, g.granted_by,
      case when a.seen_at is not null then greatest(a.seen_at, p.last_synced_at) end,
      coalesce(
        nullif(array_remove(array_remove(
          case ${typeof reviewer === 'string' ? reviewer : 'people'}
            when 'manager' then array[manager.id] when 'app_owner' then array[owner.id] else ${listed}::uuid[] end,
          null), u.id), '{}'),
        array_remove(${fallback}::uuid[], u.id))
    from chosen a
    join app p on p.org_id = a.org_id and p.id = a.app_id
    left join platform_user u on u.org_id = a.org_id and u.id = a.user_id
    left join platform_user manager on manager.org_id = u.org_id and manager.id = u.manager_id and ${mayReview('manager')}
    left join platform_user owner on owner.org_id = p.org_id and owner.id = p.owner_id and ${mayReview('owner')}
    cross join lateral (
      select 'account' as kind, null::uuid as entitlement_id, null::jsonb as resource, a.created_at as since
      where ${scope.include.includes('accounts')}
      union all
      select case r.type when 'group' then 'membership' else 'assignment' end, e.id,
        jsonb_build_object('slug', r.slug, 'id', e.external_id, 'name', e.name), m.granted_at
      from (select * from membership m where m.org_id = a.org_id and m.account_id = a.id offset 0) m
      cross join lateral (select * from entitlement e where e.org_id = m.org_id and e.id = m.entitlement_id offset 0) e
      cross join lateral (
        select * from resource_type r where r.org_id = e.org_id and r.id = e.resource_type_id offset 0) r
      where r.type = any(${typesOf(scope)}::text[])
    ) had
    left join jsonb_to_recordset(${JSON.stringify(grantRows)}::jsonb)
      as g (account_id uuid, entitlement_id uuid, granted_by jsonb)
      on g.account_id = a.id and coalesce(g.entitlement_id, g.account_id) = coalesce(had.entitlement_id, a.id)
    order by a.id, had.kind, had.resource ->> 'slug', had.resource ->> 'id'`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** How far the opening has come. With `finished` the cycle is open. */
export async function advance(
  tx: Tx,
  orgId: string,
  { id, settings: { due_days } }: Opening,
  {
    accounts,
    last,
    items,
    finished,
  }: { accounts: number; last: string | null; items: number; finished: boolean },
): Promise<void> {
  await sql`
    update review_cycle set items = items + ${items}, accounts_done = accounts_done + ${accounts},
      last_account = coalesce(${last}, last_account),
      status = case when ${finished} then 'in_progress' else status end,
      opened_at = case when ${finished} then clock_timestamp() end,
      due_at = case when ${finished} then clock_timestamp() + ${due_days} * interval '1 day' end
    where org_id = ${orgId} and id = ${id}`.execute(tx);
}

/** Of the whole deployment: what has fallen due, and openings that have begun and not come to an end. */
export interface Unfinished {
  org_id: string;
  id: string;
  campaign_id: string;
  step: 'begin' | 'open' | 'close';
}

export async function unfinishedCycles(db: Db): Promise<Unfinished[]> {
  const { rows } = await sql<Unfinished>`
    select y.org_id, y.id, y.campaign_id,
      case when y.status = 'in_progress' then 'close' when y.begun_at is null then 'begin' else 'open' end as step
    from review_cycle y
    where y.status <> 'completed' and (y.due_at <= clock_timestamp()
      or (y.status = 'scheduled' and y.begun_at is not null)
      or (y.begun_at is null and y.opens_at <= clock_timestamp() and not exists (
        select from review_cycle o
        where o.org_id = y.org_id and o.campaign_id = y.campaign_id and o.begun_at is not null and o.status <> 'completed')))
    order by y.org_id, y.id`.execute(db);
  return rows;
}

/** Whether the cycle still waits, and its time has come. */
export async function isDue(tx: Tx, orgId: string, cycleId: string): Promise<boolean> {
  const { rows } = await sql`
    select from review_cycle
    where org_id = ${orgId} and id = ${cycleId} and begun_at is null and opens_at <= clock_timestamp()`.execute(
    tx,
  );
  return rows.length > 0;
}

/**
 * Undecided items of people who cannot decide any more pass to the others of their list, or to the fallback: those of
 * these people, or those of one cycle.
 */
export const passOn = (
  tx: Tx,
  orgId: string,
  who: { people: string[] } | { cycleId: string },
): Promise<void> =>
  passOnAmong(
    tx,
    'people' in who
      ? sql`y.org_id = ${orgId} and i.reviewers && ${who.people}::uuid[]`
      : sql`y.org_id = ${orgId} and y.id = ${who.cycleId}`,
  );

/** The same for everybody who is known here but may not decide: found through the index of reviewers. */
export const passOnOfAll = (db: Db): Promise<void> =>
  passOnAmong(
    db,
    sql`(i.org_id, i.cycle_id, i.id) in (
      select mine.org_id, mine.cycle_id, mine.id
      from platform_user u join review_item mine on mine.org_id = u.org_id and mine.reviewers @> array[u.id]
      where not (${mayReview('u')}) and mine.decision is null)`,
  );

async function passOnAmong(db: Db, items: RawBuilder<unknown>): Promise<void> {
  const able = (list: RawBuilder<unknown>) => sql`array(
    select u.id from unnest(${list}) with ordinality as given (id, n)
    join platform_user u on u.org_id = i.org_id and u.id = given.id
    where ${mayReview('u')} and u.id is distinct from i.user_id order by given.n)`;
  const fallback = sql`
    array(select jsonb_array_elements_text(nullif(y.settings -> 'fallback_reviewers', 'null'))::uuid)`;
  await sql`
    update review_item i set reviewers = coalesce(nullif(${able(sql`i.reviewers`)}, '{}'), ${able(fallback)})
    from review_cycle y
    where y.org_id = i.org_id and y.id = i.cycle_id and y.status <> 'completed' and i.decision is null and ${items}
      and exists (
        select from unnest(i.reviewers) as given (id)
        where not exists (
          select from platform_user u where u.org_id = i.org_id and u.id = given.id and ${mayReview('u')}))`.execute(
    db,
  );
}
