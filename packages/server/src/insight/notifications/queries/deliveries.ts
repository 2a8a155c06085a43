import type { OrgDb } from '#kit/database.ts';
import { personJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, sql } from '#kit/sql.ts';
import { type DeliveryFilter, deliveryFilters } from '../filters.ts';
import type { Delivery } from '../schemas.ts';

/** Newest first. */
export async function listDeliveries(
  db: OrgDb,
  filter: DeliveryFilter,
  page: Page,
): Promise<Slice<Delivery>> {
  const where = deliveryFilters.where(db, filter, sql`d.org_id = ${db.orgId}`);
  const counted = await countFor(db, page)`select from notification_delivery d where ${where}`;
  const rows = await many<Delivery>(db)`
    with page as materialized (
      select d.* from notification_delivery d where ${where}
      order by d.id desc limit ${page.limit} offset ${page.offset})
    select d.id, d.notification_id as notification, d.kind, n.title, d.medium,
      case when u.id is not null then ${personJson('u')} end as "user",
      case when c.id is not null then jsonb_build_object('external_uuid', c.id, 'name', c.name) end as channel,
      d.state, d.last_error as reason, d.attempts, d.sent_at, d.created_at, d.message_id,
      case when d.state = 'waiting' then coalesce(m.next_attempt_at, d.due_at) end as next_attempt_at
    from page d
    join notification n on n.org_id = ${db.orgId} and n.id = d.notification_id
    left join platform_user u on u.org_id = ${db.orgId} and u.id = d.user_id
    left join notification_channel c on c.org_id = ${db.orgId} and c.id = d.channel_id
    left join notification_message m on m.org_id = ${db.orgId} and m.id = d.message_id
    order by d.id desc`;
  return { ...counted, results: rows };
}
