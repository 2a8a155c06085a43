import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { NewEvent } from '#log/events/record.ts';
import { grantsUndone, type Undoing, type UndoneByPolicy } from '#reasons/grants/undone-facts.ts';
import { type SuspensionUndoing, suspensionsUndone } from '#reasons/suspensions/undone-facts.ts';
import { oppose } from './contradictions.ts';
import { policyHeld } from './events.ts';
import type { PlannedGrant, PlannedSuspension, PlannedTask, TaskGate } from './planned.ts';
import type { Policy } from './policy.ts';
import { holdFiring, notYetHeld } from './queries/firing.ts';
import { enabledPolicies } from './queries/policies.ts';
import * as queries from './queries/undo.ts';
import { type Concerned, readDigests } from './undo-digest.ts';

type Planned = Pick<PlannedTask, 'app' | 'user' | 'account' | 'subject'>;

/** Effects that a policy is about to undo, and for whom. */
interface Doing extends Concerned {
  planned: Planned;
  does: Undoing['does'] | SuspensionUndoing['does'];
  entitlement_id: string | null;
  leaving: boolean;
}

interface Found {
  planned: Planned;
  other: Policy;
  undo: queries.NewUndo;
}

export interface UndoGateOptions {
  /** When what the policy does takes effect. */
  executeAfter: Date;
  /** Whether a person has confirmed it: then it counts as the first undo. */
  isConfirmed: boolean;
  next: TaskGate;
}

/**
 * Keeps back what a policy would undo of another one for the second time in seven days, while nothing that their conditions read has changed
 * (D77): both are held for that person. An undo is read from grants and suspensions. `policy_undo` has the last one.
 */
export class UndoGate implements TaskGate {
  readonly #policy: Policy;
  readonly #opposing: ReadonlyMap<string, Policy>;
  readonly #held: Set<string>;
  readonly #options: UndoGateOptions;
  readonly #found: Found[] = [];
  /** The subjects that are kept back, each once for every task. */
  readonly #kept: string[] = [];

  private constructor(
    policy: Policy,
    opposing: readonly Policy[],
    held: readonly string[],
    options: UndoGateOptions,
  ) {
    this.#policy = policy;
    this.#opposing = new Map(opposing.map((other) => [other.id, other]));
    this.#held = new Set(held);
    this.#options = options;
  }

  static async of(db: OrgDb, policy: Policy, options: UndoGateOptions): Promise<UndoGate> {
    const all = await enabledPolicies(db);
    const opposing = all.filter((other) => other.id !== policy.id && oppose(policy, other));
    const held = opposing.length === 0 ? [] : await queries.heldSubjects(db, policy.id);
    return new UndoGate(policy, opposing, held, options);
  }

  async sift(db: OrgDb, tasks: readonly PlannedTask[]): Promise<readonly PlannedTask[]> {
    return this.#pass(db, await this.#options.next.sift(db, tasks), (task) => {
      const { action, add, remove, leaving } = task;
      const of = doingOf(task, leaving);
      if (action === 'delete_account') return [of('delete', null)];
      if (action === 'suspend_account') return [of('begin', null)];
      if (action === 'unsuspend_account') return [of('end', null)];
      return [
        ...(action === 'create_account' ? [of('give', null)] : []),
        ...add.map(({ entitlement_id }) => of('give', entitlement_id)),
        ...remove.map(({ entitlement_id }) => of('take', entitlement_id)),
      ];
    });
  }

  async siftGrants(db: OrgDb, planned: readonly PlannedGrant[]): Promise<readonly PlannedGrant[]> {
    const passing = await this.#options.next.siftGrants(db, planned);
    return this.#pass(db, passing, (one) => [doingOf(one, false)('give', one.entitlement_id)]);
  }

  async siftSuspensions(
    db: OrgDb,
    planned: readonly PlannedSuspension[],
  ): Promise<readonly PlannedSuspension[]> {
    const passing = await this.#options.next.siftSuspensions(db, planned);
    return this.#pass(db, passing, (one) => [doingOf(one, one.leaving)(one.does, null)]);
  }

  async #pass<One extends Planned>(
    db: OrgDb,
    planned: readonly One[],
    doingsOf: (one: One) => Doing[],
  ): Promise<readonly One[]> {
    if (this.#opposing.size === 0 || planned.length === 0) return planned;
    const free = planned.filter((one) => !this.#held.has(holderOf(one)));
    const found = await this.#undone(db, free.flatMap(doingsOf));
    for (const { undo } of found) if (undo.is_held) this.#held.add(undo.subject_id);
    this.#found.push(...found);
    return planned.filter((one) => {
      const isHeld = this.#held.has(holderOf(one));
      if (isHeld) this.#kept.push(one.subject);
      return !isHeld;
    });
  }

  /** Returns what would be undone, compared with the last undo of both policies. */
  async #undone(db: OrgDb, doings: readonly Doing[]): Promise<Found[]> {
    const undone = (await this.#readUndone(db, doings)).filter(({ policy_id }) =>
      this.#opposing.has(policy_id),
    );
    if (undone.length === 0) return [];
    const concerned = undone.map(({ n }) => doings[n] as Doing);
    const digestOf = await readDigests(db, concerned);
    const subjects = [...new Set(concerned.map(({ planned }) => holderOf(planned)))];
    const last = new Map((await queries.lastUndos(db, subjects)).map((row) => [keyOf(row), row]));
    const { executeAfter, isConfirmed } = this.#options;
    const found = undone.map(({ policy_id, since }, i): Found => {
      const { planned, app_id, entitlement_id } = concerned[i] as Doing;
      const other = this.#opposing.get(policy_id) as Policy;
      const [older, younger] = [this.#policy.id, other.id].sort() as [string, string];
      const key = {
        ...{ subject_id: holderOf(planned), app_id, entitlement_id },
        ...{ policy_id: older, with_policy_id: younger },
      };
      const digest = digestOf([this.#policy, other], concerned[i] as Doing);
      const before = last.get(keyOf(key));
      // The decision that is undone now was made after the last undo, or with it: the other policy undid that.
      const isSecond = before !== undefined && before.digest === digest && since >= before.at;
      const undo = { ...key, digest, at: executeAfter, is_held: isSecond && !isConfirmed, waits: [] };
      return { planned, other, undo };
    });
    return [...new Map(found.map((one) => [keyOf(one.undo), one])).values()];
  }

  async #readUndone(db: OrgDb, doings: readonly Doing[]): Promise<UndoneByPolicy[]> {
    const grants: Undoing[] = [];
    const suspensions: SuspensionUndoing[] = [];
    for (const [n, { does, planned: _, account_id, ...more }] of doings.entries())
      if (does !== 'begin' && does !== 'end') grants.push({ ...more, n, does, account_id });
      else if (account_id !== null) suspensions.push({ ...more, n, does, account_id });
    return [
      ...(await grantsUndone(db, this.#policy.id, grants)),
      ...(await suspensionsUndone(db, this.#policy.id, suspensions)),
    ];
  }

  /** Notes the undos, and holds both policies for those who are kept back. Returns the events of policies that contradict each other since now. */
  async settle(tx: OrgTx): Promise<NewEvent[]> {
    const events: NewEvent[] = [];
    for (const { other } of this.#seconds()) {
      const [one, two] = [this.#policy.id, other.id].sort() as [string, string];
      if ((await queries.contradict(tx, [one, two])).length > 0) continue;
      const count = this.#kept.length;
      events.push(policyHeld(this.#policy, { count, because: null, contradicts: [other] }));
      events.push(policyHeld(other, { count: 0, because: null, contradicts: [this.#policy] }));
    }
    const waiting = new Map<string, Set<string>>();
    waiting.set(this.#policy.id, await hold(tx, this.#policy.id, this.#kept, 1));
    for (const [id, all] of Map.groupBy(this.#found, ({ other }) => other.id)) {
      const subjects = all.flatMap(({ undo }) => (undo.is_held ? undo.subject_id : []));
      waiting.set(id, await hold(tx, id, subjects, 0));
    }
    const noted = this.#found.filter(({ undo }) => undo.is_held || !this.#held.has(undo.subject_id));
    await queries.noteUndos(
      tx,
      noted.map(({ planned, other, undo }) => {
        const waits = [
          ...(waiting.get(this.#policy.id)?.has(planned.subject) ? [this.#policy.id] : []),
          ...(waiting.get(other.id)?.has(undo.subject_id) ? [other.id] : []),
        ];
        return { ...undo, waits: undo.is_held ? waits : [] };
      }),
    );
    return events;
  }

  /** Returns one second undo for each policy. */
  #seconds(): Iterable<Found> {
    const held = this.#found.filter(({ undo }) => undo.is_held);
    return new Map(held.map((one) => [one.other.id, one])).values();
  }
}

/** Adds subjects to what a policy holds, with the tasks that each stands for. Returns those who were not there. */
async function hold(
  tx: OrgTx,
  policyId: string,
  subjects: readonly string[],
  tasksOfEach: number,
): Promise<Set<string>> {
  if (subjects.length === 0) return new Set();
  const added = new Set(await notYetHeld(tx, policyId, [...new Set(subjects)]));
  const count = tasksOfEach * subjects.filter((id) => added.has(id)).length;
  if (added.size > 0) await holdFiring(tx, policyId, { subjects: [...added], count, because: null });
  return added;
}

/** The subject for which a policy is held: the person, or the account of nobody. */
const holderOf = ({ user, account, subject }: Planned) => user?.id ?? account?.id ?? subject;

const doingOf =
  (planned: Planned, leaving: boolean) =>
  (does: Doing['does'], entitlement_id: string | null): Doing => ({
    ...{ planned, does, entitlement_id, leaving, app_id: planned.app.id },
    ...{ user_id: planned.user?.id ?? null, account_id: planned.account?.id ?? null },
  });

const keyOf = ({ subject_id, app_id, entitlement_id, policy_id, with_policy_id }: queries.Undo) =>
  [subject_id, app_id, entitlement_id, policy_id, with_policy_id].join(' ');
