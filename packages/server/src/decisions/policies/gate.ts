import {
  findGates,
  findGatesOfOrphans,
  findGatesOfTasks,
  type Gate,
  holdsVersion,
} from '#decisions/holds/facts.ts';
import type { HeldFiring } from '#decisions/holds/hold.ts';
import { fieldsRead } from '#kit/cel-fields.ts';
import type { OrgDb } from '#kit/database.ts';
import type { HoldGateHook } from '#work/provisioning/hold-gate.ts';
import type { PlannedGrant, PlannedSuspension, PlannedTask, TaskGate } from './planned.ts';
import type { PolicySpec } from './policy.ts';
import { allPolicies } from './queries/policies.ts';

/** Whether a hold of a group concerns a policy: its condition reads the groups of people. */
export function readsGroups({ condition }: Pick<PolicySpec, 'condition'>): boolean {
  const read = fieldsRead(condition, ['user']).get('user');
  return read === 'all' || read?.has('groups') === true || read?.has('role') === true;
}

const subjectOf = ({ user, account }: Pick<PlannedTask, 'user' | 'account'>) => user?.id ?? account?.id ?? '';

type Spec = Pick<PolicySpec, 'trigger' | 'condition'>;

/** Whether a place of a person in a hold concerns what a policy does. */
function concerns(policy: Spec, { kind, is_successor, decision }: Omit<Gate, 'user_id'>): boolean {
  if (kind === 'group') return readsGroups(policy);
  return !is_successor || decision === null || policy.trigger === 'user.created';
}

/** Decides about tasks that exist like HoldGate about those that a policy is about to make: retries find the hold as well. */
export const gateTasks: HoldGateHook = async (tx, tasks) => {
  const waiting = new Map<string, string>();
  const discarded = new Set<string>();
  if ((await holdsVersion(tx)) === null) return { waiting, discarded };
  const found = await findGatesOfTasks(tx, tasks);
  if (found.length === 0) return { waiting, discarded };
  const policies = new Map((await allPolicies(tx)).map((policy) => [policy.id, policy]));
  for (const { task_id, policy_id, ...gate } of found) {
    const policy = policies.get(policy_id);
    // A policy that was deleted has no condition any more.
    if (policy === undefined ? gate.kind === 'group' : !concerns(policy, gate)) continue;
    if (gate.decision === null) waiting.set(task_id, gate.hold_id);
    else discarded.add(task_id);
  }
  for (const id of discarded) waiting.delete(id);
  return { waiting, discarded };
};

/**
 * Lets the tasks of one policy pass that no hold concerns (D78). A task of a person in an open hold waits in it. Of a discarded one, policies
 * do nothing for the people who left, and nothing because a successor came.
 */
export class HoldGate implements TaskGate {
  readonly #policy: Spec;
  /** The result of holdsVersion. Null: no holds exist. */
  readonly #holds: string | null;
  readonly #waiting = new Map<string, HeldFiring>();

  constructor(policy: Spec, holds: string | null) {
    this.#policy = policy;
    this.#holds = holds;
  }

  /** Returns the tasks that may be created now, and counts those that wait. Reads holds after people: their changes are in both. */
  async sift(db: OrgDb, tasks: readonly PlannedTask[]): Promise<readonly PlannedTask[]> {
    const gatesOf = await this.#gatesOf(db, tasks);
    if (gatesOf.size === 0) return tasks;
    return tasks.filter((task) => {
      const found = gatesOf.get(subjectOf(task)) ?? [];
      const [first] = found;
      if (first === undefined) return true;
      if (found.every(({ decision }) => decision === null)) this.#wait(first.hold_id, task);
      return false;
    });
  }

  siftGrants(db: OrgDb, planned: readonly PlannedGrant[]): Promise<readonly PlannedGrant[]> {
    return this.#siftRest(db, planned);
  }

  siftSuspensions(db: OrgDb, planned: readonly PlannedSuspension[]): Promise<readonly PlannedSuspension[]> {
    return this.#siftRest(db, planned);
  }

  /** Lets pass what needs no task. The rest is decided again with the tasks. */
  async #siftRest<One extends Pick<PlannedTask, 'user' | 'account'>>(
    db: OrgDb,
    planned: readonly One[],
  ): Promise<readonly One[]> {
    const gatesOf = await this.#gatesOf(db, planned);
    return planned.filter((one) => !gatesOf.has(subjectOf(one)));
  }

  /** Returns the gates that concern the policy, by person, or by account for those of nobody. */
  async #gatesOf(
    db: OrgDb,
    planned: readonly Pick<PlannedTask, 'user' | 'account'>[],
  ): Promise<Map<string, Gate[]>> {
    const people = new Set(planned.flatMap(({ user }) => user?.id ?? []));
    const orphans = new Set(
      planned.flatMap(({ user, account }) => (user === null ? (account?.id ?? []) : [])),
    );
    if (this.#holds === null || people.size + orphans.size === 0) return new Map();
    const found = [...(await findGates(db, [...people])), ...(await findGatesOfOrphans(db, [...orphans]))];
    const gates = found.filter((gate) => concerns(this.#policy, gate));
    return Map.groupBy(gates, ({ user_id }) => user_id);
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
}
