import { fieldsRead } from '../../kit/cel-fields.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import { findGates, findGatesOfOrphans, type Gate } from '../holds/facts.ts';
import type { HeldFiring } from '../holds/hold.ts';
import type { PlannedTask, TaskGate } from './plan.ts';
import type { PolicySpec } from './policy.ts';

/** Whether a hold of a group concerns a policy: its condition reads the groups of people. */
export function readsGroups({ condition }: Pick<PolicySpec, 'condition'>): boolean {
  const read = fieldsRead(condition, ['user']).get('user');
  return read === 'all' || read?.has('groups') === true || read?.has('role') === true;
}

/**
 * Lets the tasks of one policy pass that no hold concerns (D78). A task of a person in an open hold waits in it. Of a discarded one, policies
 * do nothing for the people who left, and nothing because a successor came.
 */
export class HoldGate implements TaskGate {
  readonly #policy: Pick<PolicySpec, 'trigger' | 'condition'>;
  /** The result of holdsVersion. Null: no holds exist. */
  readonly #holds: string | null;
  readonly #waiting = new Map<string, HeldFiring>();

  constructor(policy: Pick<PolicySpec, 'trigger' | 'condition'>, holds: string | null) {
    this.#policy = policy;
    this.#holds = holds;
  }

  /** Returns the tasks that may be created now, and counts those that wait. Reads holds after people: their changes are in both. */
  async sift(db: OrgDb, tasks: readonly PlannedTask[]): Promise<readonly PlannedTask[]> {
    const people = new Set(tasks.flatMap(({ user }) => user?.id ?? []));
    const orphans = new Set(tasks.flatMap(({ user, account }) => (user === null ? (account?.id ?? []) : [])));
    if (this.#holds === null || people.size + orphans.size === 0) return tasks;
    const found = [...(await findGates(db, [...people])), ...(await findGatesOfOrphans(db, [...orphans]))];
    const gates = found.filter((gate) => this.#concerns(gate));
    const gatesOf = Map.groupBy(gates, ({ user_id }) => user_id);
    return tasks.filter((task) => {
      const found = gatesOf.get(task.user?.id ?? task.account?.id ?? '') ?? [];
      const [first] = found;
      if (first === undefined) return true;
      if (found.every(({ decision }) => decision === null)) this.#wait(first.hold_id, task);
      return false;
    });
  }

  /** Returns what has waited so far. */
  waiting(): HeldFiring[] {
    return [...this.#waiting.values()];
  }

  #wait(holdId: string, { subject }: PlannedTask) {
    const key = `${holdId} ${subject}`;
    const tasks = (this.#waiting.get(key)?.tasks ?? 0) + 1;
    this.#waiting.set(key, { holdId, subject, tasks });
  }

  #concerns({ kind, is_successor, decision }: Gate): boolean {
    if (kind === 'group') return readsGroups(this.#policy);
    return !is_successor || decision === null || this.#policy.trigger === 'user.created';
  }
}
