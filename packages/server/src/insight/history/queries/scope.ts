import { entitlements } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { value } from '#kit/sql.ts';

export const findEntitlement = (db: OrgDb, appId: string, slug: string, externalId: string) => value<
  string | undefined
>(db)`
    select e.id from ${entitlements} e
    where e.org_id = ${db.orgId} and e.app_id = ${appId} and e.slug = ${slug} and e.external_id = ${externalId}`;
