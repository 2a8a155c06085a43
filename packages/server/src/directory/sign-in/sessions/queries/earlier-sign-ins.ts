import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';

/** Returns how a person signed in before an event, newest first. */
export const earlierSignIns = (db: OrgDb, userId: string, before: Date, limit: number) => many<{
  user_agent: string | null;
  ip: string | null;
}>(db)`
    select e.body::jsonb -> 'actor' ->> 'user_agent' as user_agent, e.actor_ip as ip from event_contract e
    where e.org_id = ${db.orgId} and e.subject_uuid = ${userId} and e.event_type = 'session.login.succeeded'
      and e.ingested_at < ${before.toISOString()}::timestamptz
    order by e.ingested_at desc limit ${limit}`;
