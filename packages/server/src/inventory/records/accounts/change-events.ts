import type { Actor, Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { AccountChange, AccountStatus } from './account.ts';
import type { NamedAccount } from './queries/correlation.ts';
import type { NamedEntitlement } from './queries/effects.ts';

/**
 * Turns changes of accounts and memberships into events, one by one. queries/change-events.ts does the same in SQL for the many
 * changes of a sync.
 */

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
export const TRANSITIONS: readonly Transition[] = [
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

/** The transitions that only the revert of a sync makes: it takes a recognized account back into the awaited state. */
export const REVERTS: readonly Transition[] = [
  { from: 'ACTIVE', to: 'NEW', sync: DEPROVISIONED, task: null },
  { from: 'SUSPENDED', to: 'NEW', sync: DEPROVISIONED, task: null },
  { from: 'SUSPENDED', to: 'INVITED', sync: UNSUSPENDED, task: null },
  { from: 'INACTIVE', to: 'INVITED', sync: PROVISIONED, task: null },
];

export type GroupEventType = 'account.group.added' | 'account.group.removed';

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
