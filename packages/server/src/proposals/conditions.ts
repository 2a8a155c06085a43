import type { Action, Precondition } from '#work/provisioning/task.ts';
import { type Change, gives } from './change.ts';

/**
 * Returns what must still hold when the task of a change has its turn (D31, D74): the policy decides the same, the change is needed, the
 * person is there or away as then, and silence takes no last member. Administrators decide without conditions.
 */
export function conditionsOf(change: Change): Precondition[] {
  const { decision, user, action } = change;
  if (decision.kind === 'manual') return [];
  return [
    ...(decision.kind === 'policy' ? [{ kind: 'policy_agrees' as const, user_id: user?.id ?? null }] : []),
    ...STATE[action](change),
    ...ofPerson(change),
    ...(decision.kind === 'review' && decision.decidedBy === null
      ? [{ kind: 'not_last_member' as const }]
      : []),
  ];
}

const LIVE = ['NEW', 'INVITED', 'ACTIVE'];

/** An open task that changes the status first makes the present one meaningless. */
const inStatus = ({ isBehind = false }: Change, statuses: string[]): Precondition[] =>
  isBehind ? [] : [{ kind: 'account_status', in: statuses }];

/** The state of the account that each action asks for. */
const STATE: Record<Action, (change: Change) => Precondition[]> = {
  create_account: () => [],
  update_account: ({ remove, decision, executeAfter }) =>
    remove.length > 0
      ? [{ kind: 'change_needed' }, { kind: 'not_regranted' }, { kind: 'not_derived' }]
      : decision.kind === 'request' && executeAfter === null
        ? []
        : [{ kind: 'change_needed' }],
  suspend_account: (change) => inStatus(change, LIVE),
  unsuspend_account: (change) => [
    ...inStatus(change, ['SUSPENDED']),
    ...(change.decision.kind === 'policy' ? [{ kind: 'no_suspension' as const }] : []),
  ],
  delete_account: () => [],
  reset_password: () => [],
};

/** People who have left by then get nothing. Those who were away and are back keep what they have. */
function ofPerson(change: Change): Precondition[] {
  const { user } = change;
  if (user === null) return [];
  if (gives(change)) return [{ kind: 'user_active', user_id: user.id }];
  return user.status === 'deactivated' ? [{ kind: 'user_inactive', user_id: user.id }] : [];
}
