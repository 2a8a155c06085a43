import { sql } from 'kysely';
import { entitlements } from '../../../inventory/records/facts.ts';
import type { OrgDb } from '../../../kit/database/organization.ts';

export async function findEntitlement(
  db: OrgDb,
  appId: string,
  slug: string,
  externalId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select e.id from ${entitlements} e
    where e.org_id = ${db.orgId} and e.app_id = ${appId} and e.slug = ${slug} and e.external_id = ${externalId}`.execute(
    db,
  );
  return rows[0]?.id;
}
