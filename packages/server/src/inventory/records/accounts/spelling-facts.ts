import type { OrgDb } from '#kit/database.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';

/** An id that is not in NFC, and stands for its form in NFC. */
export interface Spelling {
  slug: string;
  id: string;
}

/**
 * Returns the ids of an app's groups and licenses that are not in NFC, without those whose form in NFC the app has as well: of two forms,
 * the active one counts, then that in NFC. For ids that Gatehouse itself makes from names (D89).
 */
export const spellingsOfGroups = (db: OrgDb, appId: string) => many<Spelling>(db)`
    select t.slug, e.external_id as id from entitlement e
    join resource_type t on t.org_id = ${db.orgId} and t.id = e.resource_type_id
    where e.org_id = ${db.orgId} and e.app_id = ${appId} and ${isNotInNfc(sql`e.external_id`)}
      and not exists (
        select from entitlement n
        where n.org_id = ${db.orgId} and n.app_id = ${appId} and n.resource_type_id = e.resource_type_id
          and n.external_id = normalize(e.external_id, NFC) and (n.active or not e.active))
    order by e.active desc, e.id`;

/** Does the same for accounts. */
export const spellingsOfAccounts = (db: OrgDb, appId: string) => many<Spelling>(db)`
    select t.slug, a.external_id as id from account a
    join resource_type t on t.org_id = ${db.orgId} and t.id = a.resource_type_id
    where a.org_id = ${db.orgId} and a.app_id = ${appId} and ${isNotInNfc(sql`a.external_id`)}
      and not exists (
        select from account n
        where n.org_id = ${db.orgId} and n.app_id = ${appId} and n.resource_type_id = a.resource_type_id
          and n.external_id = normalize(a.external_id, NFC) and (n.removed_at is null or a.removed_at is not null))
    order by a.removed_at is null desc, a.id`;

/** ASCII has one form only, which is much faster to see. */
const isNotInNfc = (id: RawBuilder<unknown>) =>
  sql`octet_length(${id}) <> char_length(${id}) and normalize(${id}, NFC) <> ${id}`;

/** Returns the names of an app's active groups and licenses, by the slug of their type, at most `most` of them. */
export const groupNames = (db: OrgDb, appId: string, most: number) => many<{ slug: string; name: string }>(
  db,
)`
    select t.slug, e.name from entitlement e
    join resource_type t on t.org_id = ${db.orgId} and t.id = e.resource_type_id
    where e.org_id = ${db.orgId} and e.app_id = ${appId} and e.active and e.name <> ''
    order by e.id limit ${most}`;
