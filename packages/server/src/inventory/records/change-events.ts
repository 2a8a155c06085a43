import { type RawBuilder, sql } from 'kysely';
import type { Actor, Cause } from '../../kit/identity/cause.ts';
import { actorField, type NewEvent } from '../../log/events/record.ts';
import type { AccountChange, AccountStatus } from './account.ts';
import { giverOf } from './facts.ts';
import type { NamedAccount } from './queries/correlation.ts';
import type { NamedEntitlement } from './queries/effects.ts';

/** The one place that turns changes of accounts and memberships into events: in SQL for syncs, one by one for tasks. */

type AccountEventType =
  `account.${'provisioned' | 'activated' | 'suspended' | 'unsuspended' | 'deprovisioned'}`;

interface Transition {
  /** Null for an account that did not exist. */
  from: AccountStatus | null;
  to: AccountStatus;
  /** The event if a sync made the change, and if a task did; null for no event. */
  sync: AccountEventType | null;
  task: AccountEventType | null;
}

const PROVISIONED = 'account.provisioned';
const SUSPENDED = 'account.suspended';
const UNSUSPENDED = 'account.unsuspended';
const DEPROVISIONED = 'account.deprovisioned';

/**
 * The event of each transition. Transitions that are missing here change nobody's access. INACTIVE to INACTIVE is the
 * deletion of an account that had been pushed as inactive.
 */
const TRANSITIONS: readonly Transition[] = [
  { from: 'NEW', to: 'INVITED', sync: null, task: PROVISIONED },
  { from: null, to: 'ACTIVE', sync: PROVISIONED, task: null },
  { from: 'NEW', to: 'ACTIVE', sync: PROVISIONED, task: UNSUSPENDED },
  { from: 'INVITED', to: 'ACTIVE', sync: 'account.activated', task: UNSUSPENDED },
  { from: 'SUSPENDED', to: 'ACTIVE', sync: UNSUSPENDED, task: UNSUSPENDED },
  { from: 'INACTIVE', to: 'ACTIVE', sync: PROVISIONED, task: UNSUSPENDED },
  { from: null, to: 'SUSPENDED', sync: SUSPENDED, task: null },
  { from: 'NEW', to: 'SUSPENDED', sync: SUSPENDED, task: SUSPENDED },
  { from: 'INVITED', to: 'SUSPENDED', sync: SUSPENDED, task: SUSPENDED },
  { from: 'ACTIVE', to: 'SUSPENDED', sync: SUSPENDED, task: SUSPENDED },
  { from: 'INACTIVE', to: 'SUSPENDED', sync: SUSPENDED, task: SUSPENDED },
  { from: 'NEW', to: 'INACTIVE', sync: null, task: DEPROVISIONED },
  { from: 'INVITED', to: 'INACTIVE', sync: DEPROVISIONED, task: DEPROVISIONED },
  { from: 'ACTIVE', to: 'INACTIVE', sync: DEPROVISIONED, task: DEPROVISIONED },
  { from: 'SUSPENDED', to: 'INACTIVE', sync: DEPROVISIONED, task: DEPROVISIONED },
  { from: 'INACTIVE', to: 'INACTIVE', sync: null, task: DEPROVISIONED },
];

// Changes by a sync ---------------------------------------------------------------------------------------------

/** The transitions that only the revert of a sync makes: it takes a recognized account back into the awaited state. */
const REVERTS: readonly Transition[] = [
  { from: 'ACTIVE', to: 'NEW', sync: DEPROVISIONED, task: null },
  { from: 'SUSPENDED', to: 'NEW', sync: DEPROVISIONED, task: null },
  { from: 'SUSPENDED', to: 'INVITED', sync: UNSUSPENDED, task: null },
  { from: 'INACTIVE', to: 'INVITED', sync: PROVISIONED, task: null },
];

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

type GroupEventType = 'account.group.added' | 'account.group.removed';

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
  join app p on p.org_id = a.org_id and p.id = a.app_id`;

// Changes by a task ---------------------------------------------------------------------------------------------

/** The account that a completed task changed, as the payload of its events shows it. */
interface TaskAccount {
  app_id: string;
  app_name: string;
  account_id: string;
  external_id: string | null;
  email: string;
  username: string;
  user_id: string | null;
  task_id: string;
}

/** A completed task and who reported it. */
export interface TaskScope {
  account: TaskAccount;
  actor: Actor;
}

const taskEnvelope = ({ account, actor }: TaskScope, accountId: string) => ({
  actor,
  subject: { type: 'app_user' as const, uuid: accountId },
  source: { type: 'task' as const, uuid: account.task_id },
});

/** The events of accounts that a task changed. `reason` is added to the payload if given. */
export const accountEventsOfTask = (
  scope: TaskScope,
  changes: readonly AccountChange[],
  reason?: string,
): NewEvent[] =>
  changes.flatMap(({ account_id, from, to }) => {
    const type = TRANSITIONS.find((known) => known.from === from && known.to === to)?.task;
    if (type === undefined || type === null) return [];
    return {
      type,
      ...taskEnvelope(scope, account_id),
      payload: {
        ...scope.account,
        account_id,
        status: to,
        previous_status: from,
        ...(reason === undefined ? {} : { reason }),
      },
    } as NewEvent;
  });

// Changes by a correlation --------------------------------------------------------------------------------------

const CORRELATED = 'A task created this account, and it is known now which record it is.';

/** The events of accounts whose records changed hands. */
export const accountEventsOfCorrelation = (
  cause: Cause,
  changes: readonly AccountChange[],
  accounts: ReadonlyMap<string, NamedAccount>,
): NewEvent[] =>
  changes.flatMap(({ account_id, from, to }) => {
    const type = TRANSITIONS.find((known) => known.from === from && known.to === to)?.sync;
    const account = accounts.get(account_id);
    if (type == null || account === undefined) return [];
    return {
      type,
      ...cause,
      subject: { type: 'app_user', uuid: account_id },
      payload: { ...account, status: to, previous_status: from, reason: CORRELATED },
    } as NewEvent;
  });

/** The events of groups that the account gained or lost by a task. Licenses have no events. */
export const groupEventsOfTask = (
  scope: TaskScope,
  type: GroupEventType,
  entitlements: readonly NamedEntitlement[],
): NewEvent[] =>
  entitlements
    .filter((entitlement) => entitlement.type === 'group')
    .map(({ entitlement_id, slug, id, name }) => ({
      type,
      ...taskEnvelope(scope, scope.account.account_id),
      payload: {
        ...scope.account,
        resource_type: slug,
        group_id: entitlement_id,
        group_external_id: id,
        group_name: name,
      },
    }));
