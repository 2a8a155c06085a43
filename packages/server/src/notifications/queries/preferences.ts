import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/open.ts';
import type { Preferences } from '../preferences.ts';

const fields = sql`p.time_zone, p.language, p.quiet_from, p.quiet_to, p.digest_hour, p.kinds`;

/** Returns the preferences of those people who have chosen some. */
export async function findPreferences(
  db: Db,
  orgId: string,
  userIds: readonly string[],
): Promise<Map<string, Preferences>> {
  const { rows } = await sql<Preferences & { user_id: string }>`
    select p.user_id, ${fields} from notification_preference p
    where p.org_id = ${orgId} and p.user_id = any(${userIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ user_id, ...preferences }) => [user_id, preferences]));
}

export async function insertPreferences(tx: Tx, orgId: string, userId: string): Promise<void> {
  await sql`
    insert into notification_preference (org_id, user_id) values (${orgId}, ${userId})
    on conflict do nothing`.execute(tx);
}

export async function lockPreferences(tx: Tx, orgId: string, userId: string): Promise<Preferences> {
  const { rows } = await sql<Preferences>`
    select ${fields} from notification_preference p
    where p.org_id = ${orgId} and p.user_id = ${userId} for update`.execute(tx);
  return rows[0] as Preferences;
}

export async function updatePreferences(
  tx: Tx,
  orgId: string,
  userId: string,
  { time_zone, language, quiet_from, quiet_to, digest_hour, kinds }: Preferences,
): Promise<void> {
  await sql`
    update notification_preference set time_zone = ${time_zone}, language = ${language},
      quiet_from = ${quiet_from}, quiet_to = ${quiet_to}, digest_hour = ${digest_hour},
      kinds = ${JSON.stringify(kinds)}::jsonb
    where org_id = ${orgId} and user_id = ${userId}`.execute(tx);
}
