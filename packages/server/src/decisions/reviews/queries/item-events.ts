import { type RawBuilder, sql } from 'kysely';
import type { Cause } from '../../../kit/identity/cause.ts';
import { actorField } from '../../../log/events/record.ts';

const envelope = (type: string, { actor, source }: Cause) => sql`
  ${type}::text as event_type, null::timestamptz as occurred_at, ${JSON.stringify(actorField(actor))}::jsonb as actor,
  'app_user'::text as subject_type, i.account_id as subject_uuid, ${source.type}::text as source_type,
  ${source.uuid}::uuid as source_uuid`;

const item = sql`
  'app_id', i.app_id, 'app_name', i.app_name, 'account_id', i.account_id, 'email', i.account_email,
  'username', i.account_username, 'user_id', i.user_id, 'cycle_id', i.cycle_id, 'item_id', i.id`;

/** Returns the events of items that have just been decided, as recordEventsFrom takes them. */
export const decidedEvents = (
  orgId: string,
  cycleId: string,
  itemIds: string[],
  cause: Cause,
): RawBuilder<unknown> => sql`
  select ${envelope('review.decided', cause)}, jsonb_build_object(${item}, 'kind', i.kind, 'resource', i.resource,
    'decision', i.decision, 'previous_decision', i.earlier -> -1 ->> 'decision', 'comment', i.comment,
    'on_behalf_of', coalesce(to_jsonb(i.on_behalf_of), '[]'))
    || case when i.revoked_at is null then '{}' else jsonb_build_object('revoked_at', i.revoked_at) end
    || case when i.kept_by is null then '{}' else jsonb_build_object('kept_by', i.kept_by) end
    || case when i.kept_for is null then '{}' else jsonb_build_object('kept_for', i.kept_for) end as payload
  from review_item i
  where i.org_id = ${orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
  order by i.id`;

/** Returns the events of items whose decision has just been withdrawn, as recordEventsFrom takes them. */
export const withdrawnEvents = (
  orgId: string,
  cycleId: string,
  itemIds: string[],
  cause: Cause,
): RawBuilder<unknown> => sql`
  select ${envelope('review.decision_withdrawn', cause)}, jsonb_build_object(${item}, 'kind', i.kind,
    'resource', i.resource, 'previous_decision', i.earlier -> -1 ->> 'decision') as payload
  from review_item i
  where i.org_id = ${orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
  order by i.id`;
