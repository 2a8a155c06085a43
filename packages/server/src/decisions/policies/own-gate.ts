import type { Excluded } from '#directory/means/excluded.ts';
import { handsBehindEach } from '#directory/means/hands.ts';
import { onlyAdministrator, secondPersonWaived } from '#directory/means/second-person.ts';
import { beneficiariesAmong, type FindBeneficiary } from '#inventory/records/accounts/beneficiaries.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { NewEvent } from '#log/events/record.ts';
import { gives } from '#proposals/change.ts';
import { policyHeld } from './events.ts';
import type { PlannedGrant, PlannedSuspension, PlannedTask, TaskGate } from './planned.ts';
import type { Policy } from './policy.ts';
import * as queries from './queries/firing.ts';

/**
 * Keeps back the tasks that would give access to the people behind a policy, or behind a confirmation of its actions: they wait for a second
 * person (D76). The policy goes on without them.
 */
export class OwnGate implements TaskGate {
  readonly #hands: readonly string[];
  readonly #findBeneficiary: FindBeneficiary;
  readonly #next: TaskGate | undefined;
  readonly #kept: { task: PlannedTask; person: string }[] = [];
  readonly #keptGrants: { grant: PlannedGrant; person: string }[] = [];

  private constructor(hands: readonly string[], findBeneficiary: FindBeneficiary, next?: TaskGate) {
    this.#hands = hands;
    this.#findBeneficiary = findBeneficiary;
    this.#next = next;
  }

  static async of(db: OrgDb, hands: readonly string[], next?: TaskGate): Promise<OwnGate> {
    return new OwnGate(hands, await beneficiariesAmong(db, hands), next);
  }

  async sift(db: OrgDb, tasks: readonly PlannedTask[]): Promise<readonly PlannedTask[]> {
    const passing = this.#next === undefined ? tasks : await this.#next.sift(db, tasks);
    return passing.filter((task) => {
      const person = gives(task) ? this.#holderOf(task) : undefined;
      if (person !== undefined) this.#kept.push({ task, person });
      return person === undefined;
    });
  }

  /** A grant on what is held gives, too: the access stays longer. */
  async siftGrants(db: OrgDb, planned: readonly PlannedGrant[]): Promise<readonly PlannedGrant[]> {
    const passing = this.#next === undefined ? planned : await this.#next.siftGrants(db, planned);
    return passing.filter((grant) => {
      const person = this.#holderOf(grant);
      if (person !== undefined) this.#keptGrants.push({ grant, person });
      return person === undefined;
    });
  }

  /** A suspension ends without a task only where another one goes on, which gives nothing. */
  async siftSuspensions(
    db: OrgDb,
    planned: readonly PlannedSuspension[],
  ): Promise<readonly PlannedSuspension[]> {
    return this.#next === undefined ? planned : this.#next.siftSuspensions(db, planned);
  }

  #holderOf({ user, account }: Pick<PlannedTask, 'user' | 'account'>): string | undefined {
    return this.#findBeneficiary({ user: user?.id, account: account?.id });
  }

  /** Returns the people whose tasks were kept back. */
  async excluded(db: OrgDb): Promise<Excluded[]> {
    const people = new Set([...this.#kept, ...this.#keptGrants].map(({ person }) => person));
    if (people.size === 0) return [];
    const acting = this.#hands.map((person) => ({ person, provider: null, at: null }));
    const behind = await handsBehindEach(db, acting.slice(0, 1));
    return [...people].map((user) => ({ user, because: behind[0]?.get(user) ?? 'chain' }));
  }

  /**
   * Holds what was kept back until somebody else confirms it. If there is nobody else, returns the tasks and grants, which are created after
   * all, with the event that says so.
   */
  async settle(
    tx: OrgTx,
    policy: Policy,
  ): Promise<{ tasks: PlannedTask[]; grants: PlannedGrant[]; events: NewEvent[] }> {
    const kept = [...this.#kept, ...this.#keptGrants];
    if (kept.length === 0) return { tasks: [], grants: [], events: [] };
    const only = await onlyAdministrator(tx);
    if (only !== undefined && kept.every(({ person }) => person === only.id)) {
      const actor = { type: 'user', uuid: only.id } as const;
      const cause = { actor, source: { type: 'user_action', uuid: null } } as const;
      const tasks = this.#kept.map(({ task }) => task);
      const grants = this.#keptGrants.map(({ grant }) => grant);
      return { tasks, grants, events: [secondPersonWaived(cause, 'policy', only)] };
    }
    const subjects = [
      ...this.#kept.map(({ task }) => task.subject),
      ...this.#keptGrants.map(({ grant }) => grant.subject),
    ];
    return { tasks: [], grants: [], events: await holdForOthers(tx, policy, subjects) };
  }
}

/** Holds what a policy would do for these until somebody who is not behind it confirms it. Returns the event of a new hold. */
export async function holdForOthers(
  tx: OrgTx,
  policy: Policy,
  subjects: readonly string[],
): Promise<NewEvent[]> {
  const waiting = await queries.notYetHeld(tx, policy.id, [...new Set(subjects)]);
  if (waiting.length === 0) return [];
  const count = subjects.filter((id) => waiting.includes(id)).length;
  const isNew = await queries.holdFiring(tx, policy.id, { subjects: waiting, count, because: null });
  return isNew ? [policyHeld(policy, { count, because: null })] : [];
}
