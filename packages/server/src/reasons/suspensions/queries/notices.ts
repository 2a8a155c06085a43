import type { OrgDb } from '#kit/database.ts';
import { values } from '#kit/sql.ts';

/** Returns the active people who decided the suspensions of an account that a sync has ended. */
export const suspendersOf = (db: OrgDb, accountId: string, sessionId: string) => values<string>(db)`
    select distinct u.id from suspension s
    join platform_user u on u.org_id = ${db.orgId} and u.id = s.decided_by and u.status = 'active'
    where s.org_id = ${db.orgId} and s.account_id = ${accountId} and s.ended_kind = 'app' and s.ended_source = ${sessionId}
    order by u.id`;
