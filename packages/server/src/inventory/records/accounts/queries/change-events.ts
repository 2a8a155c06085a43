import type { Cause } from '#kit/identity.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { jsonArray, jsonObject } from '#log/events/json-facts.ts';
import { actorText } from '#log/events/record.ts';
import { type GroupEventType, REVERTS, TRANSITIONS } from '../change-events.ts';
import { giverTextOf } from '../facts.ts';

const syncEvents = sql.join(
  [...TRANSITIONS, ...REVERTS]
    .filter(({ sync }) => sync !== null)
    .map(({ from, to, sync }) => sql`(${from}::text, ${to}::text, ${sync}::text)`),
);

interface SyncScope {
  orgId: string;
  sessionId: string;
  /** Set if the session is being reverted: who does it. */
  revertedBy?: Cause;
}

const syncEnvelope = ({ sessionId, revertedBy }: SyncScope) => {
  const source = revertedBy?.source ?? { type: 'sync', uuid: sessionId };
  return sql`
    now() as occurred_at, ${actorText(revertedBy?.actor ?? { type: 'system', uuid: null })}::text as actor,
    'app_user' as subject_type, a.id as subject_uuid, ${source.type}::text as source_type,
    ${source.uuid}::uuid as source_uuid`;
};

const syncPayload = ({ sessionId, revertedBy }: SyncScope) => ({
  app_id: sql`p.id`,
  app_name: sql`p.name`,
  account_id: sql`a.id`,
  external_id: sql`a.external_id`,
  email: sql`a.email`,
  username: sql`a.username`,
  display_name: sql`a.display_name`,
  [revertedBy === undefined ? 'sync_id' : 'reverted_sync_id']: sql`${sessionId}::uuid`,
});

/** The events of several selections, as recordEventsFrom takes them. */
export const allEvents = (events: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(events, sql` union all `);

/** The events of rows of `changes (account_id, old_status, new_status)`, as recordEventsFrom takes them. */
export const accountEventsFrom = (scope: SyncScope, changes: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select v.type as event_type, ${syncEnvelope(scope)},
    ${jsonObject({ ...syncPayload(scope), status: sql`c.new_status`, previous_status: sql`c.old_status` })} as payload
  from ${changes} c
  join (values ${syncEvents}) as v (from_status, to_status, type)
    on v.from_status is not distinct from c.old_status and v.to_status = c.new_status
  join account a on a.org_id = ${scope.orgId} and a.id = c.account_id
  join app p on p.org_id = a.org_id and p.id = a.app_id`;

/** The events of rows of `changes (account_id, entitlement_id)`: memberships of groups that came or went. */
export const groupEventsFrom = (
  scope: SyncScope,
  type: GroupEventType,
  changes: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select ${type}::text as event_type, ${syncEnvelope(scope)},
    ${jsonObject(
      {
        ...syncPayload(scope),
        resource_type: sql`t.slug`,
        group_id: sql`e.id`,
        group_external_id: sql`e.external_id`,
        group_name: sql`e.name`,
      },
      { via: sql`case when m.via_id is not null then ${giverTextOf(scope, 'm')} end` },
    )} as payload
  from ${changes} c
  left join membership m on m.org_id = ${scope.orgId} and m.account_id = c.account_id and m.entitlement_id = c.entitlement_id
  join entitlement e on e.org_id = ${scope.orgId} and e.id = c.entitlement_id
  join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.type = 'group'
  join account a on a.org_id = ${scope.orgId} and a.id = c.account_id
  join app p on p.org_id = a.org_id and p.id = a.app_id`;

/** The events of rows of `changedOwner`: kinds and owners that follow from what the app says (D54). */
export const ownerEventsFrom = (scope: SyncScope, changes: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select 'account_owner.changed' as event_type, ${syncEnvelope(scope)},
    ${jsonObject({ ...syncPayload(scope), user_id: sql`a.user_id` }, { changes: jsonArray([changed('kind'), changed('owner')]) })} as payload
  from ${changes} c
  join account a on a.org_id = ${scope.orgId} and a.id = c.account_id
  join app p on p.org_id = a.org_id and p.id = a.app_id
  where c.old_kind <> c.new_kind or c.old_owner is distinct from c.new_owner`;

/** The change of a field, as JSON. Null if it has not changed. */
const changed = (field: 'kind' | 'owner') => {
  const [from, to] = [sql.ref(`c.old_${field}`), sql.ref(`c.new_${field}`)];
  return sql`case when ${from} is distinct from ${to} then ${jsonObject({ field: sql`${field}::text`, from, to })} end`;
};
