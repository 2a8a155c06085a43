import { randomUUIDv7 } from 'node:crypto';
import { type Db, everywhere, type OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { affected, countFor, many, run, sql, values } from '#kit/sql.ts';
import type { Delivery, DeliveryOutcome } from '../schemas.ts';

type NewDelivery = Partial<Delivery> & Pick<Delivery, 'outcome' | 'error'>;

/** Adds an entry to the delivery log, unless the webhook has been deleted. */
export const insertDelivery = (
  db: OrgDb,
  webhookId: string,
  {
    event_id = null,
    event_type = null,
    attempt = 0,
    outcome,
    status = null,
    duration_ms = null,
    error,
    response = null,
  }: NewDelivery,
) => run(db)`
    insert into webhook_delivery
      (org_id, webhook_id, id, event_id, event_type, attempt, outcome, status, duration_ms, error, response)
    select w.org_id, w.id, ${randomUUIDv7()}::uuid, ${event_id}::uuid, ${event_type}::text, ${attempt}::integer, ${outcome}::text,
      ${status}::integer, ${duration_ms}::integer, ${error}::text, ${response}::text
    from webhook w where w.org_id = ${db.orgId} and w.id = ${webhookId}`;

export interface DeliveryFilter {
  outcome: DeliveryOutcome | null;
  eventId: string | null;
}

/** Newest first. */
export async function listDeliveries(
  db: OrgDb,
  webhookId: string,
  { outcome, eventId }: DeliveryFilter,
  page: Page,
): Promise<Slice<Delivery>> {
  const where = sql`
    org_id = ${db.orgId} and webhook_id = ${webhookId}
    ${outcome === null ? sql`` : sql`and outcome = ${outcome}`}
    ${eventId === null ? sql`` : sql`and event_id = ${eventId}`}`;
  const counted = await countFor(db, page)`select from webhook_delivery where ${where}`;
  const rows = await many<Delivery>(db)`
    select id, event_id, event_type, attempt, outcome, status, duration_ms, error, response, at
    from webhook_delivery where ${where}
    order by id desc limit ${page.limit} offset ${page.offset}`;
  return { ...counted, results: rows };
}

const KEPT = sql.raw(`interval '30 days'`);

/** Returns the organizations with entries that are too old. */
export const organizationsWithOldDeliveries = (db: Db) => values<string>(everywhere(db))`
    select distinct org_id from webhook_delivery where at < clock_now() - ${KEPT}`;

/** Deletes up to `limit` old entries and returns how many it deleted. */
export const deleteOldDeliveries = (db: OrgDb, limit: number) => affected(db)`
    delete from webhook_delivery d using (
      select webhook_id, id from webhook_delivery
      where org_id = ${db.orgId} and at < clock_now() - ${KEPT} order by at limit ${limit}
    ) old
    where d.org_id = ${db.orgId} and d.webhook_id = old.webhook_id and d.id = old.id`;
