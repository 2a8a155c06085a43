import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import { approversOf } from './queries/approvers.ts';
import type { PendingOfPerson } from './ticket.ts';

/** Beyond this number, the tickets of a person are not listed. */
const MOST = 50;

/** Returns the pending tickets for these people, oldest first. The caller has checked that `deciderId` may know of them. */
export const pendingTicketsOf = (
  db: OrgDb,
  deciderId: string,
  userIds: readonly string[],
) => many<PendingOfPerson>(db)`
    select t.user_id as "user", t.id as external_uuid, t.label, t.created_at,
      exists (select from ${approversOf(db, 't')} as w where w.user_id = ${deciderId}) as to_decide,
      t.requester_id = ${deciderId} or t.created_by = ${deciderId} as is_own
    from unnest(${userIds}::uuid[]) as given (id)
    cross join lateral (
      select * from ticket p
      where p.org_id = ${db.orgId} and p.user_id = given.id and p.status = 'PENDING'
      order by p.number limit ${MOST}) as t
    order by t.number`;
