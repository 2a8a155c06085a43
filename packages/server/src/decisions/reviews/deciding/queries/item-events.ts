import type { Cause } from '#kit/identity.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { jsonObject } from '#log/events/json-facts.ts';
import { actorText } from '#log/events/record.ts';

const envelope = (type: string, { actor, source }: Cause) => sql`
  ${type}::text as event_type, null::timestamptz as occurred_at, ${actorText(actor)}::text as actor,
  'app_user'::text as subject_type, i.account_id as subject_uuid, ${source.type}::text as source_type,
  ${source.uuid}::uuid as source_uuid`;

const item = {
  app_id: sql`i.app_id`,
  app_name: sql`i.app_name`,
  account_id: sql`i.account_id`,
  email: sql`i.account_email`,
  username: sql`i.account_username`,
  user_id: sql`i.user_id`,
  cycle_id: sql`i.cycle_id`,
  item_id: sql`i.id`,
  kind: sql`i.kind`,
  previous_decision: sql`i.earlier -> -1 ->> 'decision'`,
};

/** A JSON column with texts, as an event contains it. Null if it is. */
const stored = (column: string, names: string[], json: Record<string, RawBuilder<unknown>> = {}) => {
  const texts = names.map((name) => [name, sql`${sql.ref(column)} ->> ${sql.lit(name)}`]);
  return sql`case when ${sql.ref(column)} is not null then ${jsonObject(Object.fromEntries(texts), json)} end`;
};
const resource = sql`coalesce(${stored('i.resource', ['slug', 'id', 'name'])}, 'null')`;
const GIVER = ['external_uuid', 'type', 'slug', 'id', 'name'];
const keeper = jsonObject({
  external_uuid: sql`i.kept_for #>> '{by,external_uuid}'`,
  email: sql`i.kept_for #>> '{by,email}'`,
});

/** Returns the events of items that have just been decided, as recordEventsFrom takes them. */
export const decidedEvents = (
  orgId: string,
  cycleId: string,
  itemIds: string[],
  cause: Cause,
): RawBuilder<unknown> => sql`
  select ${envelope('review.decided', cause)}, ${jsonObject(
    {
      ...item,
      decision: sql`i.decision`,
      comment: sql`i.comment`,
      on_behalf_of: sql`coalesce(i.on_behalf_of, '{}')`,
    },
    {
      resource,
      revoked_at: stored('i.revoked_at', GIVER),
      kept_by: stored('i.kept_by', GIVER),
      kept_for: stored('i.kept_for', GIVER, { by: keeper }),
    },
  )} as payload
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
  select ${envelope('review.decision_withdrawn', cause)}, ${jsonObject(item, { resource })} as payload
  from review_item i
  where i.org_id = ${orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
  order by i.id`;
