import { sql } from 'kysely';
import { mayDecide } from '#kit/identity.ts';
import { type PersonName, personFields } from '../../../directory/people/facts.ts';
import type { UndecidedCounts } from '../../../directory/people/undecided.ts';
import {
  accountOwners,
  accounts,
  entitlements,
  isDormant,
  lastSeenAt,
  memberships,
} from '../../../inventory/records/facts.ts';
import { acrossOrganizations } from '../../../kit/database/cluster.ts';
import type { Db } from '../../../kit/database/open.ts';
import type { Org, OrgDb, OrgTx } from '../../../kit/database/organization.ts';
import { exists, many, one, run, value, values } from '../../../kit/database/statements.ts';
import { isActiveOrganization } from '../../../kit/identity/organization-facts.ts';
import type { Grant } from '../../../work/provisioning/task.ts';
import type { Include, Settings } from '../cycle.ts';

/** A cycle whose items are being created. */
export interface Opening {
  id: string;
  settings: Settings;
  /** The last account that has its items. */
  last_account: string | null;
  /** The people so far whom the condition does not decide. */
  undecided: UndecidedCounts | null;
  /** When the lock was taken. */
  now: Date;
}

export const hasOpenCycle = (tx: OrgTx, campaignId: string) => exists(tx)`
    select from review_cycle
    where org_id = ${tx.orgId} and campaign_id = ${campaignId} and begun_at is not null and status <> 'completed'`;

/** Begins the opening of the waiting cycle, or of a new cycle if none waits, with a copy of the settings. */
export const beginCycle = (tx: OrgTx, campaignId: string, settings: Settings) => value<string>(tx)`
    with begun as (
      update review_cycle set begun_at = clock_now(), opens_at = clock_now(), settings = ${JSON.stringify(settings)}::jsonb
      where org_id = ${tx.orgId} and campaign_id = ${campaignId} and begun_at is null
      returning id
    ), made as (
      insert into review_cycle (org_id, campaign_id, opens_at, begun_at, settings)
      select ${tx.orgId}, ${campaignId}, clock_now(), clock_now(), ${JSON.stringify(settings)}::jsonb
      where not exists (select from begun)
      returning id
    )
    select id from begun union all select id from made`;

/** Locks a cycle that is opening. Undefined once it is open. */
export const lockOpening = (tx: OrgTx, cycleId: string) => one<Opening>(tx)`
    select id, settings, last_account, undecided, clock_now() as now from review_cycle
    where org_id = ${tx.orgId} and id = ${cycleId} and status = 'scheduled' and begun_at is not null
    for no key update`;

const TYPES: Record<Include, 'group' | 'license' | null> = {
  accounts: null,
  memberships: 'group',
  assignments: 'license',
};
const typesOf = ({ include }: Settings['scope']) =>
  include.map((part) => TYPES[part]).filter((type) => type !== null);

/** Whether entitlement `e` is in the scope. Licenses have no risk. */
export const isIncluded = (scope: Settings['scope']) => sql`(
  e.type = any(${typesOf(scope)}::text[]) and (${scope.risks ?? null}::text[] is null or e.risk = any(${scope.risks ?? null}::text[])))`;

/** A cycle, or what a cycle that opened now would be. */
interface Scoped {
  id: string | null;
  settings: Settings;
}

/** Whether account `a` exists, in an app that exists, and has something to review in the cycle's scope. */
const isInScope = (org: Org, { id, settings: { scope } }: Scoped) => sql`
  a.org_id = ${org.orgId} and a.removed_at is null and a.status in ('ACTIVE', 'INVITED', 'SUSPENDED')
  and ${id === null ? sql`true` : sql`a.created_at <= (select y.begun_at from review_cycle y where y.org_id = ${org.orgId} and y.id = ${id})`}
  and a.app_id in (
    select p.id from app p
    where p.org_id = ${org.orgId} and p.archived_at is null
      and (${scope.apps}::uuid[] is null or p.id = any(${scope.apps}::uuid[])))
  and (${scope.not_used_for_days == null ? sql`true` : isDormant(org, 'a', scope.not_used_for_days, scope.apps)})
  and (${scope.include.includes('accounts') && scope.risks == null} or exists (
    select from ${memberships} m
    join ${entitlements} e on e.org_id = m.org_id and e.id = m.entitlement_id
    where m.org_id = ${org.orgId} and m.account_id = a.id and ${isIncluded(scope)}))`;

/** Stores and returns how many accounts the cycle has to look at. */
export async function countAccounts(tx: OrgTx, opening: Scoped): Promise<number> {
  return (
    (await value<number | undefined>(tx)`
    update review_cycle set accounts_total = (select count(*) from ${accounts} a where ${isInScope(tx, opening)})
    where org_id = ${tx.orgId} and id = ${opening.id}
    returning accounts_total as accounts`) ?? 0
  );
}

export interface ScopedAccount {
  id: string;
  /** The person of the account, as conditions see them. Null for an orphaned account. */
  user: ScopedPerson | null;
}

export type ScopedPerson = PersonName & Record<string, unknown>;

/** Returns the next accounts in scope, by id. */
export const nextAccounts = (
  tx: OrgDb,
  opening: Scoped & Pick<Opening, 'last_account'>,
  limit: number,
) => many<ScopedAccount>(tx)`
    select a.id, case when u.id is not null then (
        select to_jsonb(fields) from (select ${personFields('u', tx)}) as fields) end as "user"
    from (
      select a.id, a.user_id from ${accounts} a
      where ${isInScope(tx, opening)} and (${opening.last_account}::uuid is null or a.id > ${opening.last_account}::uuid)
      order by a.id limit ${limit}
    ) a
    left join platform_user u on u.org_id = ${tx.orgId} and u.id = a.user_id
    order by a.id`;

/** Returns those of these people who have an account in scope up to the last one that the opening has looked at. */
export async function peopleBefore(
  tx: OrgTx,
  opening: Scoped & Pick<Opening, 'last_account'>,
  ids: string[],
): Promise<Set<string>> {
  if (opening.last_account === null || ids.length === 0) return new Set();
  const rows = await many<{ user_id: string }>(tx)`
    select distinct a.user_id from ${accounts} a
    where ${isInScope(tx, opening)} and a.user_id = any(${ids}::uuid[]) and a.id <= ${opening.last_account}`;
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Returns the people whom the condition of a cycle has not decided so far. */
export async function undecidedOf(tx: OrgTx, cycleId: string): Promise<UndecidedCounts | null> {
  return (
    (await value<UndecidedCounts | null | undefined>(tx)`
    select undecided from review_cycle where org_id = ${tx.orgId} and id = ${cycleId}`) ?? null
  );
}

/** Counts the items that a cycle of this scope would have for these accounts. */
export async function countItems(db: OrgDb, scope: Settings['scope'], accountIds: string[]): Promise<number> {
  const n = await value<number>(db)`
    select count(*)::integer as n from ${memberships} m
    join ${entitlements} e on e.org_id = ${db.orgId} and e.id = m.entitlement_id
    where m.org_id = ${db.orgId} and m.account_id = any(${accountIds}::uuid[]) and ${isIncluded(scope)}`;
  return n + (scope.include.includes('accounts') ? accountIds.length : 0);
}

/** Returns those of these people who can review, in the given order. */
export const ableReviewers = (db: OrgDb, ids: string[]) => values<string>(db)`
    select u.id from unnest(${ids}::uuid[]) with ordinality as given (id, i)
    join platform_user u on u.org_id = ${db.orgId} and u.id = given.id
    where ${mayDecide('u')} order by given.i`;

/** The people of a campaign who can review. */
export interface Reviewing {
  listed: string[];
  fallback: string[];
}

const chosenAccounts = (org: Org, ids: string[]) => sql`chosen as materialized (
      select a.* from unnest(${ids}::uuid[]) as given (id)
      cross join lateral (select * from ${accounts} a where a.org_id = ${org.orgId} and a.id = given.id offset 0) a
    )`;

/** The reviewers of an item of `itemsOf`. People are never reviewers of their own access. */
const reviewersOf = (reviewer: Settings['reviewer'], { listed, fallback }: Reviewing) => sql`
      coalesce(
        nullif(array_remove(array_remove(
          case ${typeof reviewer === 'string' ? reviewer : 'people'}
            when 'manager' then array[manager.id] when 'app_owner' then array[owner.id]
            when 'group_owner' then array[coalesce(group_owner.id, owner.id)]
            when 'account_owner' then case when owned.account_id is null then array[manager.id] else array[holder.id] end
            else ${listed}::uuid[] end,
          null), u.id), '{}'),
        array_remove(${fallback}::uuid[], u.id))`;

/** The accounts with what they have and the people who may review it. */
const itemsOf = (org: Org, scope: Settings['scope']) => sql`
    chosen a
    join app p on p.org_id = ${org.orgId} and p.id = a.app_id
    left join platform_user u on u.org_id = ${org.orgId} and u.id = a.user_id
    left join platform_user manager on manager.org_id = ${org.orgId} and manager.id = u.manager_id and ${mayDecide('manager')}
    left join platform_user owner on owner.org_id = ${org.orgId} and owner.id = p.owner_id and ${mayDecide('owner')}
    left join ${accountOwners} owned on owned.org_id = ${org.orgId} and owned.account_id = a.id
    left join platform_user holder on holder.org_id = ${org.orgId} and holder.id = owned.owner_id and ${mayDecide('holder')}
    cross join lateral (
      select 'account' as kind, null::uuid as entitlement_id, null::jsonb as resource, a.created_at as since,
        null::uuid as owner_id
      where ${scope.include.includes('accounts')}
      union all
      select case e.type when 'group' then 'membership' else 'assignment' end, e.id,
        jsonb_build_object('slug', e.slug, 'id', e.external_id, 'name', e.name), m.granted_at, e.owner_id
      from (select * from ${memberships} m where m.org_id = ${org.orgId} and m.account_id = a.id offset 0) m
      cross join lateral (
        select * from ${entitlements} e where e.org_id = ${org.orgId} and e.id = m.entitlement_id offset 0) e
      where ${isIncluded(scope)}
    ) had
    left join platform_user group_owner on group_owner.org_id = ${org.orgId} and ${mayDecide('group_owner')}
      and group_owner.id = had.owner_id`;

/** Returns the groups of people who would review items of these accounts, and how many. Empty: nobody was named. */
export const reviewersOfAccounts = (
  db: OrgDb,
  { scope, reviewer }: Settings,
  accountIds: string[],
  people: Reviewing,
) => many<{ reviewers: string[]; items: number }>(db)`
    with ${chosenAccounts(db, accountIds)}
    select reviewers::text[] as reviewers, count(*)::integer as items
    from (select ${reviewersOf(reviewer, people)} as reviewers from ${itemsOf(db, scope)}) as item
    group by reviewers`;

/**
 * Creates the items of these accounts and their entitlements. Returns how many. `listed` and `fallback` are people who
 * can review. People are never reviewers of their own access.
 */
export async function insertItems(
  tx: OrgTx,
  { id: cycleId, settings: { scope, reviewer } }: Opening,
  accountIds: string[],
  grants: Grant[],
  people: Reviewing,
): Promise<number> {
  const grantRows = grants.map(({ account_id, entitlement_id, task_id, task_type, source, granted_at }) => ({
    account_id,
    entitlement_id,
    granted_by: { task: task_id, task_type, source, at: granted_at },
  }));
  // Looks up accounts and their entitlements one by one, through their keys. Right after a first sync the planner has no
  // statistics and would otherwise join the whole tables for every chunk; "offset 0" prevents that.
  const { numAffectedRows } = await sql`
    insert into review_item (org_id, cycle_id, kind, app_id, app_name, account_id, account_email, account_username, user_id,
      user_email, user_name, entitlement_id, resource, since, granted_by, last_seen_at, reviewers)
    with ${chosenAccounts(tx, accountIds)}
    select ${tx.orgId}::uuid, ${cycleId}::uuid, had.kind, p.id, p.name, a.id, a.email, a.username, u.id,
      u.email, trim(u.first_name || ' ' || u.last_name), had.entitlement_id, had.resource, had.since, g.granted_by,
      ${lastSeenAt('a', 'p')},
      ${reviewersOf(reviewer, people)}
    from ${itemsOf(tx, scope)}
    left join jsonb_to_recordset(${JSON.stringify(grantRows)}::jsonb)
      as g (account_id uuid, entitlement_id uuid, granted_by jsonb)
      on g.account_id = a.id and coalesce(g.entitlement_id, g.account_id) = coalesce(had.entitlement_id, a.id)
    order by a.id, had.kind, had.resource ->> 'slug', had.resource ->> 'id'`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Records the progress of an opening. */
export const advanceOpening = (
  tx: OrgTx,
  cycleId: string,
  {
    accounts: done,
    last,
    items,
    undecided,
  }: { accounts: number; last: string | null; items: number; undecided: UndecidedCounts },
) => run(tx)`
    update review_cycle set items = items + ${items}, accounts_done = accounts_done + ${done},
      undecided = ${JSON.stringify(undecided)}::jsonb,
      last_account = coalesce(${last}, last_account)
    where org_id = ${tx.orgId} and id = ${cycleId}`;

/** Opens the cycle for decisions. */
export const finishOpening = (
  tx: OrgTx,
  cycleId: string,
  { openedAt, dueAt }: { openedAt: Date; dueAt: Date },
) => run(tx)`
    update review_cycle set status = 'in_progress', opened_at = ${openedAt.toISOString()},
      due_at = ${dueAt.toISOString()}
    where org_id = ${tx.orgId} and id = ${cycleId}`;

/** Updates the planner's statistics. */
export const analyzeItems = ({ db }: OrgDb) => run(db)`analyze review_item`;

/** A cycle that is due to open or close, or whose opening was left unfinished. */
export interface Unfinished {
  org_id: string;
  id: string;
  campaign_id: string;
  step: 'begin' | 'open' | 'close';
}

/** Returns the unfinished cycles of all organizations. */
export async function unfinishedCycles(db: Db): Promise<Unfinished[]> {
  const unfinished = sql<Unfinished>`
    select y.org_id, y.id, y.campaign_id,
      case when y.status = 'in_progress' then 'close' when y.begun_at is null then 'begin' else 'open' end as step
    from review_cycle y
    where y.status <> 'completed' and ${sql.raw(isActiveOrganization('y.org_id'))} and (y.due_at <= clock_now()
      or (y.status = 'scheduled' and y.begun_at is not null)
      or (y.begun_at is null and y.opens_at <= clock_now() and not exists (
        select from review_cycle o
        where o.org_id = y.org_id and o.campaign_id = y.campaign_id and o.begun_at is not null and o.status <> 'completed')))
    order by y.org_id, y.id`;
  const { rows } = await acrossOrganizations(db, (tx) => unfinished.execute(tx));
  return rows;
}

/** Whether the cycle is waiting and its opening time has come. */
export const isDue = (tx: OrgTx, cycleId: string) => exists(tx)`
    select from review_cycle
    where org_id = ${tx.orgId} and id = ${cycleId} and begun_at is null and opens_at <= clock_now()`;
