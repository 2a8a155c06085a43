import { sql } from 'kysely';
import type { OrgDb } from '../../../kit/database/organization.ts';
import { approversOf } from './approvers.ts';

/** A pending ticket for a person, as another person sees it who may know that it exists. */
export interface PendingOfPerson {
  user: string;
  external_uuid: string;
  label: string;
  created_at: Date;
  /** Whether the other person can decide it now. */
  to_decide: boolean;
  /** Whether the other person requested or filed it. */
  is_own: boolean;
}

/** The pending tickets for these people, oldest first, up to `limit` for each. */
export async function pendingOfPeople(
  db: OrgDb,
  deciderId: string,
  userIds: readonly string[],
  limit: number,
): Promise<PendingOfPerson[]> {
  const { rows } = await sql<PendingOfPerson>`
    select t.user_id as "user", t.id as external_uuid, t.label, t.created_at,
      exists (select from ${approversOf(db, 't')} as w where w.user_id = ${deciderId}) as to_decide,
      t.requester_id = ${deciderId} or t.created_by = ${deciderId} as is_own
    from unnest(${userIds}::uuid[]) as given (id)
    cross join lateral (
      select * from ticket p
      where p.org_id = ${db.orgId} and p.user_id = given.id and p.status = 'PENDING'
      order by p.number limit ${limit}) as t
    order by t.number`.execute(db);
  return rows;
}
