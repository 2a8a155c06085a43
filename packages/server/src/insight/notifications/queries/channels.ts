import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { exists, isoTime, many, one, run, sql, value } from '#kit/sql.ts';
import type { KindName } from '#log/notices/kinds.ts';
import type { Channel } from '../schemas.ts';

type NewChannel = Pick<Channel, 'type' | 'name' | 'host' | 'kinds' | 'show_reasons' | 'enabled'> & {
  sealed_url: string;
  app_id: string | null;
};

const view = (org: Org) => sql`
  c.id as external_uuid, c.type, c.name, c.host, c.kinds, c.show_reasons, c.enabled, c.created_at, c.updated_at,
  md5(c.sealed_url) as address_version,
  case when p.id is not null then jsonb_build_object('external_uuid', p.id, 'name', p.name) end as app,
  (select jsonb_build_object('state', d.state, 'reason', d.last_error,
      'at', ${isoTime(sql`coalesce(d.sent_at, d.created_at)`)})
    from notification_delivery d where d.org_id = ${org.orgId} and d.channel_id = c.id and d.state <> 'skipped'
    order by d.id desc limit 1) as last_delivery`;
const joined = (org: Org) => sql`
  notification_channel c left join app p on p.org_id = ${org.orgId} and p.id = c.app_id`;

/** By name. */
export async function listChannels(db: OrgDb, { limit, offset }: Page): Promise<Slice<Channel>> {
  const rows = await many<Channel>(db)`
    select ${view(db)} from ${joined(db)} where c.org_id = ${db.orgId}
    order by c.name, c.id limit ${limit} offset ${offset}`;
  return { count: await countChannels(db), results: rows };
}

export const countChannels = (db: OrgDb) => value<number>(db)`
    select count(*) as n from notification_channel where org_id = ${db.orgId}`;

export const findChannel = (db: OrgDb, id: string) => one<Channel>(db)`
    select ${view(db)} from ${joined(db)} where c.org_id = ${db.orgId} and c.id = ${id}`;

export const lockChannel = (tx: OrgTx, id: string) => exists(tx)`
    select from notification_channel where org_id = ${tx.orgId} and id = ${id} for update`;

export async function insertChannel(tx: OrgTx, channel: NewChannel): Promise<string> {
  const { type, name, sealed_url, host, app_id, kinds, show_reasons, enabled } = channel;
  return value<string>(tx)`
    insert into notification_channel (org_id, type, name, sealed_url, host, app_id, kinds, show_reasons, enabled)
    values (${tx.orgId}, ${type}, ${name}, ${sealed_url}, ${host}, ${app_id}, ${kinds}::text[],
      ${show_reasons}, ${enabled})
    returning id`;
}

export const updateChannel = (
  tx: OrgTx,
  id: string,
  {
    name,
    app_id,
    kinds,
    show_reasons,
    enabled,
  }: Pick<NewChannel, 'name' | 'app_id' | 'kinds' | 'show_reasons' | 'enabled'>,
) => run(tx)`
    update notification_channel set name = ${name}, app_id = ${app_id}, kinds = ${kinds}::text[],
      show_reasons = ${show_reasons}, enabled = ${enabled},
      updated_at = clock_now()
    where org_id = ${tx.orgId} and id = ${id}`;

export const updateAddress = (tx: OrgTx, id: string, sealedUrl: string, host: string) => run(tx)`
    update notification_channel set sealed_url = ${sealedUrl}, host = ${host}
    where org_id = ${tx.orgId} and id = ${id}`;

export const deleteChannel = (tx: OrgTx, id: string) => exists(tx)`
    delete from notification_channel where org_id = ${tx.orgId} and id = ${id} returning id`;

/** Returns the encrypted address. Undefined if the channel is gone. */
export const sealedUrl = (db: OrgDb, id: string) => value<string | undefined>(db)`
    select sealed_url from notification_channel where org_id = ${db.orgId} and id = ${id}`;

/** Returns the enabled channels that get a kind, for all apps or for this one. */
export const channelsFor = (db: OrgDb, kind: KindName, appId: string | null) => many<{
  id: string;
  type: 'slack' | 'teams';
}>(db)`
    select c.id, c.type from notification_channel c
    where c.org_id = ${db.orgId} and c.enabled and ${kind} = any(c.kinds)
      and (c.app_id is null or c.app_id = ${appId}::uuid)`;
