import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, type RawBuilder, sql, value } from '#kit/sql.ts';

/** A request to connect an application. */
export interface ConnectionRequest {
  external_uuid: string;
  app_name: string;
  reason: string;
  /** Null if the person was deleted. */
  requester: { external_uuid: string; email: string } | null;
  created_at: Date;
}

const viewOf = (org: Org, requests: RawBuilder<unknown>) => sql`
  select r.id as external_uuid, r.app_name, r.reason, r.created_at,
    case when u.id is not null then json_build_object('external_uuid', u.id, 'email', u.email) end as requester
  from ${requests} r
  left join platform_user u on u.org_id = ${org.orgId} and u.id = r.requester_id`;

export async function insertConnectionRequest(
  tx: OrgTx,
  requesterId: string,
  { app_name, reason }: { app_name: string; reason: string },
): Promise<ConnectionRequest> {
  return (await one<ConnectionRequest>(tx)`
    with added as (
      insert into connection_request (org_id, app_name, reason, requester_id)
      values (${tx.orgId}, ${app_name}, ${reason}, ${requesterId}) returning *
    )
    ${viewOf(tx, sql`added`)}`) as ConnectionRequest;
}

/** Lists requests, newest first, of one requester or, for null, of everyone. */
export async function listConnectionRequests(
  db: OrgDb,
  requester: string | null,
  page: Page,
): Promise<Slice<ConnectionRequest>> {
  const where = sql`r.org_id = ${db.orgId} and (${requester}::uuid is null or r.requester_id = ${requester}::uuid)`;
  const counted = await value<number>(db)`select count(*) as n from connection_request r where ${where}`;
  const rows = await many<ConnectionRequest>(db)`
    ${viewOf(db, sql`connection_request`)}
    where ${where} order by r.id desc limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}
