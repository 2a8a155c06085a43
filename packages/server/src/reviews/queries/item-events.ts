import { type RawBuilder, sql } from 'kysely';
import { actorField } from '../../events/record.ts';
import type { Cause } from '../../identity/cause.ts';

/** The events of items, as recordEventsFrom takes them. */

const envelope = (type: 'review.decided' | 'review.reassigned', { actor, source }: Cause) => sql`
  ${type}::text as event_type, null::timestamptz as occurred_at, ${JSON.stringify(actorField(actor))}::jsonb as actor,
  'app_user'::text as subject_type, i.account_id as subject_uuid, ${source.type}::text as source_type,
  ${source.uuid}::uuid as source_uuid`;

const item = sql`
  'app_id', i.app_id, 'app_name', i.app_name, 'account_id', i.account_id, 'email', i.account_email,
  'username', i.account_username, 'user_id', i.user_id, 'cycle_id', i.cycle_id, 'item_id', i.id`;

/** The events of items that have just been decided. */
export const decidedEvents = (
  orgId: string,
  cycleId: string,
  itemIds: string[],
  cause: Cause,
): RawBuilder<unknown> => sql`
  select ${envelope('review.decided', cause)}, jsonb_build_object(${item}, 'kind', i.kind, 'resource', i.resource,
    'decision', i.decision, 'previous_decision', i.earlier -> -1 ->> 'decision', 'comment', i.comment) as payload
  from review_item i
  where i.org_id = ${orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
  order by i.id`;

/** An item whose reviewers were replaced. */
export interface Reassigned {
  org_id: string;
  cycle_id: string;
  id: string;
  from: string[];
  to: string[];
}

/** The events of reassigned items of one organization. */
export const reassignedEvents = (
  orgId: string,
  items: readonly Reassigned[],
  cause: Cause,
): RawBuilder<unknown> =>
  sql`
  select ${envelope('review.reassigned', cause)}, jsonb_build_object(${item}, 'from', given."from", 'to', given."to") as payload
  from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as given (cycle_id uuid, id uuid, "from" jsonb, "to" jsonb)
  join review_item i on i.org_id = ${orgId} and i.cycle_id = given.cycle_id and i.id = given.id
  order by i.cycle_id, i.id`;
