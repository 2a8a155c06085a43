import { sql } from 'kysely';
import type { OrgDb } from '../../../../kit/database/organization.ts';

/** Returns how a person signed in before an event, newest first. */
export async function earlierSignIns(
  db: OrgDb,
  userId: string,
  before: Date,
  limit: number,
): Promise<{ user_agent: string | null; ip: string | null }[]> {
  const { rows } = await sql<{ user_agent: string | null; ip: string | null }>`
    select e.body::jsonb -> 'actor' ->> 'user_agent' as user_agent, e.actor_ip as ip from event_contract e
    where e.org_id = ${db.orgId} and e.subject_uuid = ${userId} and e.event_type = 'session.login.succeeded'
      and e.ingested_at < ${before.toISOString()}::timestamptz
    order by e.ingested_at desc limit ${limit}`.execute(db);
  return rows;
}
