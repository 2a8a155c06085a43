import type { Database, OrgDb } from '#kit/database.ts';
import { isLiveKey, keyMayAccessApp } from '#kit/identity.ts';
import { many, sql, value } from '#kit/sql.ts';
import type { StorablePage } from '../page-columns.ts';
import type { RecordKind } from '../record.ts';

export interface TypeRow {
  id: string;
  slug: string;
  type: RecordKind;
}

export const typesOfApp = (db: OrgDb, cloneGroupId: string) => many<TypeRow>(db)`
    select id, slug, type from resource_type where org_id = ${db.orgId} and clone_group_id = ${cloneGroupId}`;

export const isKeyLive = (db: OrgDb, keyId: string) => value<boolean>(db)`
    select exists (
      select from api_key k where k.org_id = ${db.orgId} and k.id = ${keyId} and ${sql.raw(isLiveKey('k'))}
    ) as live`;

/**
 * Stores a page if the key is live and may access the app, the app is not archived and the session is in progress.
 * The share lock keeps the session from ending before the page is committed. Ids that the inventory does not have are
 * stored once per session, in one order, so that two pages cannot deadlock.
 */
const storeStatement = (inventoryTable: 'account' | 'entitlement') => `
  with caller as (
    select exists (
        select from api_key k where k.org_id = $1 and k.id = $2 and ${isLiveKey('k')}
      ) as live,
      exists (
        select from api_key k where k.org_id = $1 and k.id = $2 and ${keyMayAccessApp('k', '$3', '$1')}
      ) as allowed
  ), session as (
    select s.id from sync_session s
    where s.org_id = $1 and s.app_id = $3 and s.id = $4 and s.status = 'in_progress'
      and (select $2::uuid is null or (live and allowed) from caller)
      and exists (select from app a where a.org_id = $1 and a.id = $3 and a.archived_at is null)
    for share
  ), page as (
    insert into sync_page (org_id, session_id, resource_type_id, record_ids, records,
      ref_records, ref_types, ref_ids, ref_names, digests, details, detail_digests, ref_via_types, ref_via_ids)
    select $1, id, $5, $6::text[], $7, $8::integer[], $9::text[], $10::text[], $11::text[], $12::uuid[], $13::text[],
      $14::uuid[], $15::text[], $16::text[]
    from session returning number
  ), fresh as (
    insert into sync_new_record (org_id, session_id, resource_type_id, external_id)
    select $1, session.id, $5, pushed.id from session, unnest($6::text[]) as pushed (id)
    where not exists (
      select from ${inventoryTable} r
      where r.org_id = $1 and r.app_id = $3 and r.resource_type_id = $5 and r.external_id = pushed.id collate "C")
    order by pushed.id collate "C"
    on conflict do nothing returning external_id
  )
  select $2::uuid is null or (select live from caller) as key_live,
    case when exists (select from page) then (select count(*) from fresh) end as created`;

const STATEMENT = {
  account: storeStatement('account'),
  group: storeStatement('entitlement'),
  license: storeStatement('entitlement'),
};

export interface StoredPage extends Record<string, unknown> {
  key_live: boolean;
  /** Null if nothing was stored. */
  created: number | null;
}

export async function storePage(
  database: Database,
  input: {
    orgId: string;
    keyId: string | null;
    appId: string;
    sessionId: string;
    type: TypeRow;
    page: StorablePage;
  },
): Promise<StoredPage> {
  const { orgId, keyId, appId, sessionId, type, page } = input;
  const rows = await database.prepared<StoredPage>(STATEMENT[type.type], [
    orgId,
    keyId,
    appId,
    sessionId,
    type.id,
    page.ids,
    page.records,
    page.refs.records,
    page.refs.types,
    page.refs.ids,
    page.refs.names,
    page.digests,
    page.details.texts,
    page.details.digests,
    page.refs.viaTypes,
    page.refs.viaIds,
  ]);
  return rows[0] as StoredPage;
}
