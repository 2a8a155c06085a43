import { memberships } from '#inventory/records/accounts/facts.ts';
import { begunBy, isFirstSince } from '#inventory/records/history/presence-facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';

export interface Membership {
  account_id: string;
  entitlement_id: string;
}

/** The last task that created an account, with when it was first listed to a connector and when it ended. */
const creation = (tx: OrgTx, accountId: string) => sql`(
  select t.dispatched_at, t.ended_at from task t
  where t.org_id = ${tx.orgId} and t.account_id = ${sql.ref(accountId)} and t.action = 'create_account' and t.dispatched_at is not null
  order by t.number desc limit 1)`;

/** Returns what a session began in accounts that a task has just created: the session is the first since the task was reported. */
export const gotAtCreation = (tx: OrgTx, sessionId: string) => many<Membership>(tx)`
    select b.account_id, b.entitlement_id
    from ${begunBy(tx, sessionId)} b
    join ${memberships} m on m.org_id = ${tx.orgId} and m.account_id = b.account_id and m.entitlement_id = b.entitlement_id
    cross join lateral ${creation(tx, 'b.account_id')} t
    where not m.given and m.granted_at >= t.dispatched_at and ${isFirstSince(tx, sessionId, sql`t.ended_at`)}`;

/** Returns what these accounts hold and got after the tasks that created them were listed to a connector. */
export const gotSinceCreation = (tx: OrgTx, accountIds: readonly string[]) => many<Membership>(tx)`
    select m.account_id, m.entitlement_id
    from ${memberships} m
    cross join lateral ${creation(tx, 'm.account_id')} t
    where m.org_id = ${tx.orgId} and m.account_id = any(${accountIds}::uuid[]) and not m.given and m.granted_at >= t.dispatched_at`;
