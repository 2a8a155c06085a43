import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../../kit/database/open.ts';
import { emailKey } from '../../../../kit/identity/person.ts';
import { countSteps, insertedAccountColumns, updatedAccountColumns } from '../../account-counts-queries.ts';
import { personWithEmail } from '../../facts.ts';
import type { Change } from '../../history/change.ts';
import { beginningOf, beginState, endedState, keepStates } from '../../history/queries/periods.ts';
import { insertInto, rowsOf } from '../relation.ts';
import type {
  changedAccount,
  pushedAccount,
  Scope,
  StartedAt,
  stagedAccount,
  unchangedAccount,
} from '../relations.ts';

/** Joins account `a` to a staged account `s`. */
export const isStagedAccount = ({ orgId, appId }: Scope) => sql`
  a.org_id = ${orgId} and a.app_id = ${appId}
  and a.resource_type_id = s.resource_type_id and a.external_id = s.external_id`;

const isAwaited = ({ orgId, appId }: Scope) => sql`
  org_id = ${orgId} and app_id = ${appId} and status in ('NEW', 'INVITED') and external_id is null`;

/** True if the app has awaited accounts: a task created them, and their external ids are unknown (D24). */
export async function hasAwaited(tx: Tx, scope: Scope): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from account where ${isAwaited(scope)}) as found`.execute(tx);
  return rows[0]?.found ?? false;
}

/**
 * Selects the awaited accounts that were pushed: their `account_id`, and the `resource_type_id` and `external_id` under
 * which they were pushed. A record matches by email, or else by username. Ambiguous matches are left alone: a record
 * that fits two accounts, an account that fits two records (D24).
 */
export const selectAdoptions = (scope: Scope, staged: typeof stagedAccount): RawBuilder<unknown> => sql`
    with unknown as (
      select s.* from ${rowsOf(scope, staged)} s where not exists (select from account a where ${isStagedAccount(scope)})
    ), awaited as (
      select id, ${emailKey(sql`email`)} as email, lower(username) as username from account where ${isAwaited(scope)}
    ), by_email as (
      select u.resource_type_id, u.external_id, w.id as account_id
      from unknown u join awaited w on w.email = ${emailKey(sql`u.email`)} and u.email <> ''
    ), by_username as (
      select u.resource_type_id, u.external_id, w.id as account_id
      from unknown u join awaited w on w.username = lower(u.username) and u.username <> ''
      where not exists (
        select from by_email b where b.resource_type_id = u.resource_type_id and b.external_id = u.external_id)
    ), claim as (
      select *, count(*) over (partition by resource_type_id, external_id) as candidates,
        count(*) over (partition by account_id) as claimants
      from (select * from by_email union all select * from by_username) as claims
    )
    select account_id, resource_type_id, external_id from claim where candidates = 1 and claimants = 1`;

/**
 * Gives awaited accounts the external ids under which they were pushed, and returns the ids of these accounts. The
 * pushed status differs from theirs, so that updateAccounts begins their new state.
 */
export async function adoptAwaited(
  tx: Tx,
  scope: Scope,
  change: Change,
  staged: typeof stagedAccount,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with adopted as (
      update account a set external_id = c.external_id, resource_type_id = c.resource_type_id,
        change_id = ${change.id}
      from (${selectAdoptions(scope, staged)}) c
      where a.org_id = ${scope.orgId} and a.id = c.account_id
      returning a.id, ${endedState}
    ), kept as (${keepStates(change, sql`adopted`)})
    select id from adopted`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Whether the pushed state `s` differs from that of account `a`. */
export const accountDiffers = sql<boolean>`(
  (a.email, a.username, a.first_name, a.last_name, a.display_name, a.status)
    is distinct from (s.email, s.username, s.first_name, s.last_name, s.display_name, s.status)
  or a.removed_at is not null)`;

/** Updates the accounts `a` of `which`, adds them to `changed` and returns their number. */
export async function updateAccounts(
  tx: Tx,
  scope: Scope,
  change: Change,
  staged: typeof stagedAccount,
  changed: typeof changedAccount,
  which: RawBuilder<boolean> = sql`true`,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with updated as (
      update account a set email = s.email, username = s.username, first_name = s.first_name, last_name = s.last_name,
        display_name = s.display_name, status = s.status, removed_at = null, tasked_at = null,
        seen_at = now(), ${beginState(change, accountDiffers)}
      from ${rowsOf(scope, staged)} s
      where ${isStagedAccount(scope)} and (${accountDiffers} or a.tasked_at is not null) and ${which}
      returning a.id, ${updatedAccountColumns}, ${endedState}
    ), counted as (${countSteps(scope, sql`updated`)}), kept as (${keepStates(change, sql`updated`)})
    ${insertInto(scope, changed, sql`select id, old_status, new_status from updated`)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Adds the accounts that it inserts to `changed` and returns their number. */
export async function insertAccounts(
  tx: Tx,
  scope: Scope,
  change: Change,
  staged: typeof stagedAccount,
  changed: typeof changedAccount,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with inserted as (
      insert into account (org_id, app_id, resource_type_id, external_id, email, username, first_name, last_name,
        display_name, status, seen_at, user_id, since, not_before, change_id)
      select ${scope.orgId}, ${scope.appId}, s.resource_type_id, s.external_id, s.email, s.username, s.first_name,
        s.last_name, s.display_name, s.status, now(), ${personWithEmail(scope, emailKey(sql`s.email`))},
        ${beginningOf(change)}
      from ${rowsOf(scope, staged)} s
      where not exists (select from account a where ${isStagedAccount(scope)})
      returning id, ${insertedAccountColumns}
    ), counted as (${countSteps(scope, sql`inserted`)})
    ${insertInto(scope, changed, sql`select id, old_status, new_status from inserted`)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export const selectPushedAccounts = (
  scope: Scope,
  { accounts, unchanged }: { accounts: typeof stagedAccount; unchanged: typeof unchangedAccount },
): RawBuilder<unknown> => sql`
  select a.id, s.page, s.place, false from ${rowsOf(scope, accounts)} s join account a on ${isStagedAccount(scope)}
  union all select account_id, page, place, true from ${rowsOf(scope, unchanged)}`;

/**
 * Selects the `account_id` of each account of the app that the session did not push. NEW accounts do not count: they
 * are not in the external system yet. Accounts whose creation failed do not count either: they never were.
 */
export const selectStaleAccounts = (
  scope: Scope,
  pushed: typeof pushedAccount,
  startedAt: StartedAt,
): RawBuilder<unknown> => sql`
  select a.id as account_id from account a
  where a.org_id = ${scope.orgId} and a.app_id = ${scope.appId} and a.removed_at is null
    and a.status <> 'NEW' and (a.external_id is not null or a.status <> 'INACTIVE')
    and (a.tasked_at is null or a.tasked_at <= ${startedAt})
    and not exists (select from ${rowsOf(scope, pushed)} p where p.account_id = a.id)`;
