import { sql } from 'kysely';
import type { Database, Db } from '../platform/database/open.ts';
import type { RecordKind, RecordPage } from './record.ts';

export interface TypeRow {
  id: string;
  slug: string;
  type: RecordKind;
}

export async function typesOfApp(db: Db, orgId: string, cloneGroupId: string): Promise<TypeRow[]> {
  const { rows } = await sql<TypeRow>`
    select id, slug, type from resource_type where org_id = ${orgId} and clone_group_id = ${cloneGroupId}`.execute(
    db,
  );
  return rows;
}

export async function isKeyLive(db: Db, orgId: string, keyId: string): Promise<boolean> {
  const { rows } = await sql<{ live: boolean }>`
    select exists (
      select from api_key
      where org_id = ${orgId} and id = ${keyId} and revoked_at is null and (expires_at is null or expires_at > now())
    ) as live`.execute(db);
  return rows[0]?.live ?? false;
}

/**
 * Stores a page if the key is live and may touch the app, the app is here and the session in progress. The share
 * lock keeps the session from ending under it; ids that the live table does not know are kept once per session, in
 * one order, so that two pages cannot wait for each other.
 */
const stageInto = (table: 'account' | 'entitlement') => `
  with caller as (
    select exists (
        select from api_key where org_id = $1 and id = $2 and revoked_at is null and (expires_at is null or expires_at > now())
      ) as live,
      exists (
        select from api_key k where org_id = $1 and id = $2 and (all_apps or exists (
          select from api_key_app a where a.org_id = $1 and a.key_id = $2 and a.app_id = $3))
      ) as allowed
  ), session as (
    select s.id from sync_session s
    where s.org_id = $1 and s.app_id = $3 and s.id = $4 and s.status = 'in_progress'
      and (select $2::uuid is null or (live and allowed) from caller)
      and exists (select from app a where a.org_id = $1 and a.id = $3 and a.archived_at is null)
    for share
  ), page as (
    insert into sync_page (org_id, session_id, resource_type_id, record_count, records,
      ref_records, ref_types, ref_ids, ref_names)
    select $1, id, $5, cardinality($6::text[]), $7, $8::integer[], $9::text[], $10::text[], $11::text[]
    from session returning number
  ), fresh as (
    insert into sync_new_record (org_id, session_id, resource_type_id, external_id)
    select $1, session.id, $5, pushed.id from session, unnest($6::text[]) as pushed (id)
    where not exists (
      select from ${table} r
      where r.org_id = $1 and r.app_id = $3 and r.resource_type_id = $5 and r.external_id = pushed.id collate "C")
    order by pushed.id collate "C"
    on conflict do nothing returning external_id
  )
  select $2::uuid is null or (select live from caller) as key_live,
    case when exists (select from page) then (select count(*) from fresh) end as created`;

const STATEMENT = {
  account: stageInto('account'),
  group: stageInto('entitlement'),
  license: stageInto('entitlement'),
};

export interface StagedPage extends Record<string, unknown> {
  key_live: boolean;
  /** Null where nothing was stored. */
  created: number | null;
}

export async function stagePage(
  database: Database,
  input: {
    orgId: string;
    keyId: string | null;
    appId: string;
    sessionId: string;
    type: TypeRow;
    page: RecordPage;
  },
): Promise<StagedPage> {
  const { orgId, keyId, appId, sessionId, type, page } = input;
  const rows = await database.prepared<StagedPage>(`stage-${type.type}`, STATEMENT[type.type], [
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
  ]);
  return rows[0] as StagedPage;
}
