import { type RawBuilder, sql } from 'kysely';

/**
 * What a change of an account's state is called in the log (contract 6.3, D27). `null` is an account that was not
 * there; pairs that are not listed change nobody's access.
 */
const ACCOUNT_EVENT: readonly (readonly [from: string | null, to: string, type: string])[] = [
  [null, 'ACTIVE', 'account.provisioned'],
  ['NEW', 'ACTIVE', 'account.provisioned'],
  ['INACTIVE', 'ACTIVE', 'account.provisioned'],
  ['INVITED', 'ACTIVE', 'account.activated'],
  ['SUSPENDED', 'ACTIVE', 'account.unsuspended'],
  [null, 'SUSPENDED', 'account.suspended'],
  ['NEW', 'SUSPENDED', 'account.suspended'],
  ['INACTIVE', 'SUSPENDED', 'account.suspended'],
  ['INVITED', 'SUSPENDED', 'account.suspended'],
  ['ACTIVE', 'SUSPENDED', 'account.suspended'],
  ['INVITED', 'INACTIVE', 'account.deprovisioned'],
  ['ACTIVE', 'INACTIVE', 'account.deprovisioned'],
  ['SUSPENDED', 'INACTIVE', 'account.deprovisioned'],
];

const accountEvents = sql.join(
  ACCOUNT_EVENT.map(([from, to, type]) => sql`(${from}::text, ${to}::text, ${type}::text)`),
);

interface Scope {
  orgId: string;
  sessionId: string;
}

const envelope = (sessionId: string) => sql`
  now() as occurred_at, '{"type": "system", "uuid": null}'::jsonb as actor, 'app_user' as subject_type,
  a.id as subject_uuid, 'sync' as source_type, ${sessionId}::uuid as source_uuid`;

const accountPayload = sql`
  'app_id', p.id, 'app_name', p.name, 'account_id', a.id, 'external_id', a.external_id, 'email', a.email,
  'username', a.username, 'display_name', a.display_name`;

/** Events for rows of `changes (account_id, old_status, new_status)`, as recordEventsFrom wants them. */
export const accountEventsFrom = (
  { orgId, sessionId }: Scope,
  changes: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select v.type as event_type, ${envelope(sessionId)},
    jsonb_build_object(${accountPayload}, 'status', c.new_status, 'previous_status', c.old_status,
      'sync_id', ${sessionId}::uuid) as payload
  from ${changes} c
  join (values ${accountEvents}) as v (from_status, to_status, type)
    on v.from_status is not distinct from c.old_status and v.to_status = c.new_status
  join account a on a.org_id = ${orgId} and a.id = c.account_id
  join app p on p.org_id = a.org_id and p.id = a.app_id`;

/** Events for rows of `changes (account_id, entitlement_id)`: memberships in groups that came or went. */
export const groupEventsFrom = (
  { orgId, sessionId }: Scope,
  type: 'account.group.added' | 'account.group.removed',
  changes: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select ${type}::text as event_type, ${envelope(sessionId)},
    jsonb_build_object(${accountPayload}, 'resource_type', t.slug, 'group_id', e.id, 'group_external_id', e.external_id,
      'group_name', e.name, 'sync_id', ${sessionId}::uuid) as payload
  from ${changes} c
  join entitlement e on e.org_id = ${orgId} and e.id = c.entitlement_id
  join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.type = 'group'
  join account a on a.org_id = ${orgId} and a.id = c.account_id
  join app p on p.org_id = a.org_id and p.id = a.app_id`;
