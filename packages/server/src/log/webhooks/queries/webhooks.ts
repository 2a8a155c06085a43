import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, run, sql, value } from '#kit/sql.ts';
import { type Moment, momentToIso } from '#log/events/follow.ts';
import type { SealedSecrets } from '../signing.ts';
import type { Settings, Webhook } from '../webhook.ts';

const columns = (org: Org) => sql`
  id, name, url, filters, enabled, disabled_reason, position, last_delivered_at, attempts, first_failed_at,
  next_attempt_at, last_status, last_error, created_at, updated_at,
  case when attempts > 0 then (
    select jsonb_build_object('event_id', d.event_id, 'event_type', d.event_type) from webhook_delivery d
    where d.org_id = ${org.orgId} and d.webhook_id = webhook.id and d.outcome = 'failed' and d.event_type <> 'webhook.test'
    order by d.id desc limit 1) end as failing_event,
  case when previous_valid_until > clock_now() then previous_valid_until end as previous_valid_until`;

/** Newest first. */
export async function listWebhooks(db: OrgDb, { limit, offset }: Page): Promise<Slice<Webhook>> {
  const rows = await many<Webhook>(db)`
    select ${columns(db)} from webhook where org_id = ${db.orgId}
    order by id desc limit ${limit} offset ${offset}`;
  return { count: await countWebhooks(db), results: rows };
}

export const countWebhooks = (db: OrgDb) => value<number>(db)`
    select count(*)::integer as n from webhook where org_id = ${db.orgId}`;

export const findWebhook = (db: OrgDb, id: string) => one<Webhook>(db)`
    select ${columns(db)} from webhook where org_id = ${db.orgId} and id = ${id}`;

/** Locks a webhook until `tx` ends. */
export const lockWebhook = (tx: OrgTx, id: string) =>
  run(tx)`select from webhook where org_id = ${tx.orgId} and id = ${id} for update`;

export const insertWebhook = (
  tx: OrgTx,
  id: string,
  { name, url, filters, enabled }: Settings,
  { sealedSecret, position }: { sealedSecret: string; position: Moment },
) => run(tx)`
    insert into webhook (org_id, id, name, url, filters, enabled, sealed_secret, position)
    values (${tx.orgId}, ${id}, ${name}, ${url}, ${JSON.stringify(filters)}::jsonb, ${enabled}, ${sealedSecret},
      ${momentToIso(position)}::timestamptz)`;

/** Ends the running turn, which goes on from the same place with the new settings. Its event may be delivered again. */
const endTurn = sql`claim = null, claimed_until = null`;

/** With `forgets`, earlier failures no longer count: the next attempt follows immediately. With `ends`, the running turn ends. */
export async function updateWebhook(
  tx: OrgTx,
  id: string,
  { name, url, filters, enabled }: Settings,
  { forgets, ends }: { forgets: boolean; ends: boolean },
): Promise<void> {
  const failures = sql`
    , disabled_reason = null, attempts = 0, first_failed_at = null, next_attempt_at = null,
    failure_told_at = null, last_status = null, last_error = null`;
  await run(tx)`
    update webhook set name = ${name}, url = ${url}, filters = ${JSON.stringify(filters)}::jsonb, enabled = ${enabled},
      updated_at = clock_now() ${forgets ? failures : sql``} ${ends ? sql`, ${endTurn}` : sql``}
    where org_id = ${tx.orgId} and id = ${id}`;
}

export const deleteWebhook = (tx: OrgTx, id: string) =>
  run(tx)`delete from webhook where org_id = ${tx.orgId} and id = ${id}`;

/** Sets a webhook to another place in the log. Earlier failures no longer count. */
export const moveWebhook = (tx: OrgTx, id: string, to: Moment) => run(tx)`
    update webhook set position = ${momentToIso(to)}::timestamptz, attempts = 0, first_failed_at = null,
      next_attempt_at = null, failure_told_at = null, last_status = null, last_error = null, updated_at = clock_now()
    where org_id = ${tx.orgId} and id = ${id}`;

/** Replaces the secret. The current one becomes the previous one. Returns until when that one is valid. */
export const rotateSecret = (
  tx: OrgTx,
  id: string,
  sealedSecret: string,
  overlapHours: number,
) => value<Date>(tx)`
    update webhook set sealed_secret = ${sealedSecret}, sealed_previous_secret = sealed_secret,
      previous_valid_until = clock_now() + ${`${overlapHours} hours`}::interval, updated_at = clock_now(), ${endTurn}
    where org_id = ${tx.orgId} and id = ${id} returning previous_valid_until`;

/** Returns the secrets that sign at present. */
export const findSecrets = (db: OrgDb, id: string) => one<SealedSecrets>(db)`
    select sealed_secret,
      case when previous_valid_until > clock_now() then sealed_previous_secret end as sealed_previous_secret
    from webhook where org_id = ${db.orgId} and id = ${id}`;

/** Returns the place of a webhook in the log, which is more exact than the time that the API shows. */
export const findPlace = (db: OrgDb, id: string) => value<Moment | undefined>(db)`
    select (extract(epoch from position) * 1000000)::bigint as place from webhook
    where org_id = ${db.orgId} and id = ${id}`;

/** Returns the webhooks whose next event fails, and those that Gatehouse disabled over one, the longest first. */
export const listFailing = (db: OrgDb, limit: number) => many<Webhook>(db)`
    select ${columns(db)} from webhook where org_id = ${db.orgId} and attempts > 0
    order by first_failed_at, id limit ${limit}`;
