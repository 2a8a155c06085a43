import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, one, run, sql } from '#kit/sql.ts';
import type { Choices } from '../schemas.ts';

const fields = sql`p.time_zone, p.language, p.quiet_from, p.quiet_to, p.digest_hour, p.kinds`;

/** Returns the preferences of those people who have chosen some. */
export async function findPreferences(db: OrgDb, userIds: readonly string[]): Promise<Map<string, Choices>> {
  const rows = await many<Choices & { user_id: string }>(db)`
    select p.user_id, ${fields} from notification_preference p
    where p.org_id = ${db.orgId} and p.user_id = any(${userIds}::uuid[])`;
  return new Map(rows.map(({ user_id, ...preferences }) => [user_id, preferences]));
}

export const insertPreferences = (tx: OrgTx, userId: string) => run(tx)`
    insert into notification_preference (org_id, user_id) values (${tx.orgId}, ${userId})
    on conflict do nothing`;

export async function lockPreferences(tx: OrgTx, userId: string): Promise<Choices> {
  return (await one<Choices>(tx)`
    select ${fields} from notification_preference p
    where p.org_id = ${tx.orgId} and p.user_id = ${userId} for update`) as Choices;
}

export const updatePreferences = (
  tx: OrgTx,
  userId: string,
  { time_zone, language, quiet_from, quiet_to, digest_hour, kinds }: Choices,
) => run(tx)`
    update notification_preference set time_zone = ${time_zone}, language = ${language},
      quiet_from = ${quiet_from}, quiet_to = ${quiet_to}, digest_hour = ${digest_hour},
      kinds = ${JSON.stringify(kinds)}::jsonb
    where org_id = ${tx.orgId} and user_id = ${userId}`;
