import { sql } from 'kysely';
import type { OrgDb } from '../../kit/database/organization.ts';

/** Returns those of the webhooks whose next event has failed for so long that the log says it, and still fails. */
export async function failingWebhooksAmong(db: OrgDb, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook
    where org_id = ${db.orgId} and id = any(${ids}::uuid[]) and enabled and failure_told_at is not null`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
