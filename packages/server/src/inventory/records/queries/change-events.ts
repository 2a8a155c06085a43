import { type RawBuilder, sql } from 'kysely';
import type { Cause } from '../../../kit/identity/cause.ts';
import { actorField } from '../../../log/events/record.ts';
import { type GroupEventType, REVERTS, TRANSITIONS } from '../change-events.ts';
import { giverOf } from '../facts.ts';

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
  const actor = revertedBy === undefined ? { type: 'system', uuid: null } : actorField(revertedBy.actor);
  const source = revertedBy?.source ?? { type: 'sync', uuid: sessionId };
  return sql`
    now() as occurred_at, ${JSON.stringify(actor)}::jsonb as actor, 'app_user' as subject_type,
    a.id as subject_uuid, ${source.type}::text as source_type, ${source.uuid}::uuid as source_uuid`;
};

const sessionField = ({ sessionId, revertedBy }: SyncScope) =>
  sql`${revertedBy === undefined ? 'sync_id' : 'reverted_sync_id'}::text, ${sessionId}::uuid`;

const syncPayload = sql`
  'app_id', p.id, 'app_name', p.name, 'account_id', a.id, 'external_id', a.external_id, 'email', a.email,
  'username', a.username, 'display_name', a.display_name`;

/** The events of several selections, as recordEventsFrom takes them. */
export const allEvents = (events: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(events, sql` union all `);

/** The events of rows of `changes (account_id, old_status, new_status)`, as recordEventsFrom takes them. */
export const accountEventsFrom = (scope: SyncScope, changes: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select v.type as event_type, ${syncEnvelope(scope)},
    jsonb_build_object(${syncPayload}, 'status', c.new_status, 'previous_status', c.old_status,
      ${sessionField(scope)}) as payload
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
    jsonb_build_object(${syncPayload}, 'resource_type', t.slug, 'group_id', e.id, 'group_external_id', e.external_id,
      'group_name', e.name, ${sessionField(scope)})
      || case when m.via_id is null then '{}' else jsonb_build_object('via', ${giverOf(scope, 'm')}) end as payload
  from ${changes} c
  left join membership m on m.org_id = ${scope.orgId} and m.account_id = c.account_id and m.entitlement_id = c.entitlement_id
  join entitlement e on e.org_id = ${scope.orgId} and e.id = c.entitlement_id
  join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.type = 'group'
  join account a on a.org_id = ${scope.orgId} and a.id = c.account_id
  join app p on p.org_id = a.org_id and p.id = a.app_id`;

/** The events of rows of `changedOwner`: kinds and owners that follow from what the app says (D54). */
export const ownerEventsFrom = (scope: SyncScope, changes: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select 'account_owner.changed' as event_type, ${syncEnvelope(scope)},
    jsonb_build_object(${syncPayload}, 'user_id', a.user_id, ${sessionField(scope)}, 'changes',
      case when c.old_kind = c.new_kind then '[]'
        else jsonb_build_array(jsonb_build_object('field', 'kind', 'from', c.old_kind, 'to', c.new_kind)) end
      || case when c.old_owner is not distinct from c.new_owner then '[]'
        else jsonb_build_array(jsonb_build_object('field', 'owner', 'from', c.old_owner, 'to', c.new_owner)) end) as payload
  from ${changes} c
  join account a on a.org_id = ${scope.orgId} and a.id = c.account_id
  join app p on p.org_id = a.org_id and p.id = a.app_id
  where c.old_kind <> c.new_kind or c.old_owner is distinct from c.new_owner`;
