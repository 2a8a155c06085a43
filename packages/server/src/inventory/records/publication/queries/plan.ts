import type { OrgDb, OrgTx } from '#kit/database.ts';
import { affected, type RawBuilder, run, sql, value, values } from '#kit/sql.ts';
import type { droppedMembership, Scope, StartedAt } from '../relations.ts';
import { rowsOf } from './relations.ts';

/** The start of the session, in the microseconds that a Date would lose. */
export const startedAt = ({ orgId, sessionId }: Scope): StartedAt =>
  sql`(select started_at from sync_session where org_id = ${orgId} and id = ${sessionId})`;

export const planAccounts = (tx: OrgTx, scope: Scope, stale: RawBuilder<unknown>) => affected(tx)`
    insert into sync_removal (org_id, session_id, account_id)
    select ${scope.orgId}, ${scope.sessionId}, account_id from (${stale}) stale`;

export const planEntitlements = (tx: OrgTx, scope: Scope, stale: RawBuilder<unknown>) => affected(tx)`
    insert into sync_removal (org_id, session_id, entitlement_id)
    select ${scope.orgId}, ${scope.sessionId}, entitlement_id from (${stale}) stale`;

export const planMemberships = (tx: OrgTx, scope: Scope, dropped: typeof droppedMembership) => run(tx)`
    insert into sync_removal (org_id, session_id, account_id, entitlement_id)
    select ${scope.orgId}, ${scope.sessionId}, account_id, entitlement_id from ${rowsOf(scope, dropped)}`;

/** The plan of a session, as queries. */
export const planOf = (scope: Scope) => ({
  accounts: plannedAccounts(scope),
  entitlements: sql`
    select entitlement_id from sync_removal
    where org_id = ${scope.orgId} and session_id = ${scope.sessionId} and account_id is null`,
  memberships: sql`
    select account_id, entitlement_id from sync_removal
    where org_id = ${scope.orgId} and session_id = ${scope.sessionId}
      and account_id is not null and entitlement_id is not null`,
  ended: sql`
    select account_id, status from sync_removal
    where org_id = ${scope.orgId} and session_id = ${scope.sessionId} and status is not null`,
});

export const plannedAccounts = ({ orgId, sessionId }: Scope): RawBuilder<unknown> => sql`
  select account_id from sync_removal
  where org_id = ${orgId} and session_id = ${sessionId} and entitlement_id is null and status is null`;

/** Whether a session removes records, or ends access by a status, once its plan is carried out. */
export const hasPlan = (db: OrgDb, sessionId: string) => value<boolean>(db)`
    select exists (
      select from sync_removal where org_id = ${db.orgId} and session_id = ${sessionId}) as found`;

export const unionOf = (...queries: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(queries, sql` union all `);

export const deletePlan = (tx: OrgTx, { orgId, sessionId }: Scope) =>
  run(tx)`delete from sync_removal where org_id = ${orgId} and session_id = ${sessionId}`;

/** Returns the app's other sessions that are completing: their plans may still be carried out. */
export const otherPlans = (tx: OrgTx, { orgId, appId, sessionId }: Scope) => values<string>(tx)`
    select id from sync_session
    where org_id = ${orgId} and app_id = ${appId} and status = 'completing' and id <> ${sessionId}`;

/** Deletes the pushed records from the plan of another session. */
export const removeFromPlan = (
  tx: OrgTx,
  { orgId }: Scope,
  planId: string,
  pushed: {
    accounts: RawBuilder<unknown>;
    entitlements: RawBuilder<unknown>;
    memberships: RawBuilder<unknown>;
  },
) => run(tx)`
    delete from sync_removal r where r.org_id = ${orgId} and r.session_id = ${planId} and (
      (r.entitlement_id is null and exists (select from ${pushed.accounts} p where p.account_id = r.account_id))
      or (r.account_id is null and exists (
        select from (${pushed.entitlements}) p where p.entitlement_id = r.entitlement_id))
      or exists (
        select from ${pushed.memberships} p
        where p.account_id = r.account_id and p.entitlement_id = r.entitlement_id))`;
