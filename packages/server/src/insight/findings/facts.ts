import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import type { KindName } from './finding.ts';

/** The findings that are not resolved, accepted ones included. Columns: org_id, kind, subject_id. */
export const presentFindings = sql`(select org_id, kind, subject_id from finding where resolved_at is null)`;

/** Counts the findings of these kinds that are not resolved, accepted ones included: of each kind up to `limit`. */
export async function countFindings<K extends KindName>(
  db: OrgDb,
  kinds: readonly K[],
  limit: number,
): Promise<Record<K, number>> {
  const rows = await many<{ kind: K; n: number }>(db)`
    select k.kind, (
      select count(*) from (
        select from ${presentFindings} f where f.org_id = ${db.orgId} and f.kind = k.kind limit ${limit}) as found) as n
    from unnest(${kinds}::text[]) as k (kind)`;
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n])) as Record<K, number>;
}
