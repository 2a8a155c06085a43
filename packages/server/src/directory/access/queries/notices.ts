import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';

export interface ExpiringKey {
  id: string;
  name: string;
  user_id: string;
  expires_at: Date;
}

/** Returns the working keys that expire within `days`, and were not created this short before. */
export const expiringKeys = (db: OrgDb, days: number) => many<ExpiringKey>(db)`
    select id, name, user_id, expires_at from api_key
    where org_id = ${db.orgId} and revoked_at is null and expires_at > clock_now()
      and expires_at < clock_now() + ${days}::integer * interval '24 hours'
      and expires_at > created_at + ${days + 1}::integer * interval '24 hours'`;
