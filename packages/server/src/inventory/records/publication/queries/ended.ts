import type { OrgTx } from '#kit/database.ts';
import { type RawBuilder, run, sql, value } from '#kit/sql.ts';
import type { endedAccess, Scope, stagedAccount } from '../relations.ts';
import { isStagedAccount } from './accounts.ts';
import { rowsOf, updateRows } from './relations.ts';

/** Whether a status of the first kind becomes one of the second: the account loses its access (D24a). */
export const endsAccess = (former: string, status: string): RawBuilder<boolean> => sql`(
  ${sql.ref(former)} in ('INVITED', 'ACTIVE') and ${sql.ref(status)} in ('SUSPENDED', 'INACTIVE'))`;

/** Selects the rows of `endedAccess`. */
export const selectEnded = (scope: Scope, staged: typeof stagedAccount): RawBuilder<unknown> => sql`
  select a.id, a.status, s.status from ${rowsOf(scope, staged)} s
  join account a on ${isStagedAccount(scope)}
  where a.removed_at is null and ${endsAccess('a.status', 's.status')}`;

export const countSuspended = (tx: OrgTx, scope: Scope, ended: typeof endedAccess) => value<number>(tx)`
    select count(*) as n from ${rowsOf(scope, ended)} where status = 'SUSPENDED'`;

/** Whether account `a` is one of `ended`. */
export const isEnded = (scope: Scope, ended: typeof endedAccess): RawBuilder<boolean> => sql`exists (
  select from ${rowsOf(scope, ended)} e where e.account_id = a.id)`;

/** Whether account `a` is none of `ended`. */
export const isNotEnded = (scope: Scope, ended: typeof endedAccess): RawBuilder<boolean> =>
  sql`not ${isEnded(scope, ended)}`;

/** Gives the staged accounts the status that they have in the inventory. */
export async function keepStatuses(
  tx: OrgTx,
  scope: Scope,
  staged: typeof stagedAccount,
  ended: typeof endedAccess,
): Promise<void> {
  await updateRows(scope, staged, {
    set: sql`status = e.former`,
    from: sql`${rowsOf(scope, ended)} e join account a on a.org_id = ${scope.orgId} and a.id = e.account_id`,
    where: sql`a.resource_type_id = r.resource_type_id and a.external_id = r.external_id`,
  }).execute(tx);
}

/** Adds the pushed statuses to the plan of a session that is held. */
export const planEnded = (tx: OrgTx, scope: Scope, ended: typeof endedAccess) => run(tx)`
    insert into sync_removal (org_id, session_id, account_id, status)
    select ${scope.orgId}, ${scope.sessionId}, account_id, status from ${rowsOf(scope, ended)}`;
