import { type PersonName, personFields } from '#directory/people/facts.ts';
import type { UndecidedCounts } from '#directory/people/undecided.ts';
import { accounts } from '#inventory/records/accounts/facts.ts';
import { type Db, everywhere, type OrgDb, type OrgTx } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import { exists, many, one, run, value } from '#kit/sql.ts';
import type { Settings } from '../../campaigns/cycle.ts';
import { isInScope, type Scoped } from '../../campaigns/queries/scope.ts';

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
export const unfinishedCycles = (db: Db) => many<Unfinished>(everywhere(db))`
    select y.org_id, y.id, y.campaign_id,
      case when y.status = 'in_progress' then 'close' when y.begun_at is null then 'begin' else 'open' end as step
    from review_cycle y
    where y.status <> 'completed' and ${isActiveOrganization('y.org_id')} and (y.due_at <= clock_now()
      or (y.status = 'scheduled' and y.begun_at is not null)
      or (y.begun_at is null and y.opens_at <= clock_now() and not exists (
        select from review_cycle o
        where o.org_id = y.org_id and o.campaign_id = y.campaign_id and o.begun_at is not null and o.status <> 'completed')))
    order by y.org_id, y.id`;

/** Whether the cycle is waiting and its opening time has come. */
export const isDue = (tx: OrgTx, cycleId: string) => exists(tx)`
    select from review_cycle
    where org_id = ${tx.orgId} and id = ${cycleId} and begun_at is null and opens_at <= clock_now()`;
