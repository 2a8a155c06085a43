import type { Key, Seen, SeenAccount, SeenGrant, SeenTask } from './world.ts';

/*
 * What a step may change (docs/guides/grants.md): which access is found and which grant is owed after it, and what ends grants and suspensions. It
 * uses the inventory and the tasks before and after the step, and the clock of the model.
 */

/** A time that an access was there, and is not any more. */
interface Gap {
  wasFound: boolean;
  since: number;
}

export interface Step {
  kind: string;
  /** The clock after the step, in days. */
  now: number;
}

const OWED_DAYS = 30;
/** Nothing is said about what is over by now: the clock of the database has gone on. */
const UNSURE = 0.01;
const keyOf = (account: string, key: Key) => `${account} ${key}`;
const accessOf = ({ account, key }: SeenGrant) => keyOf(account, key);
const takes = ({ action, changes }: SeenTask, key: Key) =>
  action === 'delete_account' || changes.some((one) => one.key === key && !one.added);
const gives = ({ action, changes }: SeenTask, key: Key) =>
  (key === null && action === 'create_account') || changes.some((one) => one.key === key && one.added);

export class Reference {
  /** Access that is there, and whether it was found. */
  #held = new Map<string, boolean>();
  #gaps = new Map<string, Gap>();
  /** The accounts that a task has created, and that no sync has shown since. */
  #created = new Set<string>();
  /** The accounts that are to be created. */
  #awaited = new Set<string>();
  /** Whether the access of a grant was there when the grant ended. */
  #isThere = new Map<string, boolean>();
  /** When a grant ended. */
  #ended = new Map<string, number>();
  /** The grants whose access was gone for so long that what comes back is another one. */
  #paid = new Set<string>();
  /** The grants over what was found. */
  #overFound = new Set<string>();
  #before: Seen | undefined;
  /** The clock before the step. */
  #now = 0;

  /** Returns what a step has done and must not do. */
  follow(seen: Seen, step: Step): string[] {
    const before = this.#before;
    const problems =
      before === undefined
        ? []
        : [...this.#grants(before, seen, step), ...this.#suspensions(before, seen, step)];
    this.#note(seen);
    problems.push(...this.#inventory(before, seen, step), ...this.#owed(seen, step));
    this.#before = seen;
    this.#now = step.now;
    this.#awaited = new Set(seen.accounts.flatMap(({ id, status }) => (status === 'NEW' ? [id] : [])));
    return problems;
  }

  /** Rules 1, 3, 4 and 10: each grant that has ended says which decision ended it. */
  #grants(before: Seen, seen: Seen, { now }: Step): string[] {
    const ended = new Map(seen.grants.ended.map((one) => [one.id, one]));
    const open = new Set([...seen.grants.active, ...seen.grants.scheduled].map(({ id }) => id));
    return [...before.grants.active, ...before.grants.scheduled].flatMap((grant) => {
      if (open.has(grant.id)) return [];
      const { endedBy } = ended.get(grant.id) ?? {};
      this.#ended.set(grant.id, endedBy?.kind === 'end' ? this.#now + (grant.ends ?? 0) : now);
      const own = seen.tasks.filter(({ account }) => account === grant.account);
      const isOver = (ended.get(grant.id)?.ends ?? 1) < UNSURE;
      const gap = this.#gaps.get(accessOf(grant));
      const caused = {
        end: isOver,
        sync: gap !== undefined && now - gap.since >= OWED_DAYS - UNSURE,
        task: own.some(
          (task) =>
            (takes(task, grant.key) &&
              !task.isEnd &&
              (task.hadTurn || task.reason === 'task_account_gone')) ||
            (gives(task, grant.key) && task.status === 'cancelled') ||
            task.action === 'create_account' ||
            (task.changes.some(({ spared }) => spared) && gives(task, grant.key)),
        ),
      };
      const kind = endedBy?.kind ?? 'nothing';
      const isCaused = kind === 'end' ? caused.end : kind === 'sync' ? caused.sync : caused.task;
      return isCaused ? [] : [`the grant ${grant.kind} on ${grant.key} was ended by ${kind}`];
    });
  }

  /** Rule 5: only people, syncs and deletions end the suspensions of people. */
  #suspensions(before: Seen, seen: Seen, { kind }: Step): string[] {
    const left = new Set(seen.suspensions.map(({ id }) => id));
    return before.suspensions.flatMap(({ id, account, kind: by }) => {
      if (left.has(id) || by === 'policy' || by === 'app' || kind === 'sync') return [];
      const isEnded = seen.tasks.some(
        (task) =>
          task.account === account &&
          (task.action === 'delete_account' ||
            (task.action === 'unsuspend_account' && task.kind !== 'policy') ||
            (task.action === 'suspend_account' && task.status === 'cancelled')),
      );
      return isEnded ? [] : [`the suspension by ${by} has ended, and nobody ended it`];
    });
  }

  /** Notes new grants. */
  #note(seen: Seen): void {
    const known = new Set(
      [
        ...(this.#before?.grants.active ?? []),
        ...(this.#before?.grants.scheduled ?? []),
        ...(this.#before?.grants.ended ?? []),
      ].map(({ id }) => id),
    );
    for (const grant of [...seen.grants.active, ...seen.grants.scheduled])
      if (!known.has(grant.id) && this.#held.get(accessOf(grant)) === true) this.#overFound.add(grant.id);
  }

  /** Rules 2 and 3: what a task gives is given, and what a sync shows is found unless a grant is in force or owed. */
  #inventory(before: Seen | undefined, seen: Seen, { kind, now }: Step): string[] {
    const problems: string[] = [];
    const isHeld = new Set<string>();
    const covering = new Set(
      [...(before?.grants.active ?? []), ...(before?.grants.owed ?? [])].map(accessOf),
    );
    for (const account of seen.accounts)
      for (const [key, { found }] of account.held) {
        const access = keyOf(account.id, key);
        isHeld.add(access);
        const was = this.#held.get(access);
        const isAgain = was === true && !found && kind !== 'sync' && this.#isGivenAgain(access, seen);
        const expected = isAgain ? false : (was ?? this.#isFound(access, account, kind, covering));
        if (found !== expected) problems.push(`${account.id} ${key} is ${found ? '' : 'not '}found`);
        if (was === undefined && key === null && kind !== 'sync') this.#created.add(account.id);
        this.#held.set(access, found);
        this.#gaps.delete(access);
      }
    for (const [access, wasFound] of this.#held)
      if (!isHeld.has(access)) {
        this.#held.delete(access);
        this.#gaps.set(access, { wasFound, since: now });
        // Access that a task has taken away is given if it comes back.
        if (kind !== 'sync')
          for (const grant of [...seen.grants.active, ...seen.grants.scheduled])
            if (accessOf(grant) === access) this.#overFound.delete(grant.id);
      }
    if (kind === 'sync') this.#created.clear();
    return problems;
  }

  /** Whether a task took something away in this step, and another one gave it again. */
  #isGivenAgain(access: string, seen: Seen): boolean {
    const own = seen.tasks.filter(
      ({ account, status }) => access.startsWith(account) && status === 'completed',
    );
    const is = (key: Key) => access.endsWith(` ${key}`);
    const changed = (added: boolean) =>
      own.some(({ changes }) => changes.some((one) => one.added === added && is(one.key)));
    for (const grant of seen.grants.active) if (accessOf(grant) === access) this.#overFound.delete(grant.id);
    return changed(true) && changed(false);
  }

  #isFound(access: string, { id, held }: SeenAccount, kind: string, covering: ReadonlySet<string>): boolean {
    if (kind !== 'sync') return false;
    const gap = this.#gaps.get(access);
    // An account that a task is to create again is given, also if it was found before.
    if (gap?.wasFound === true) return !(this.#awaited.has(id) && access === keyOf(id, null));
    const isNew =
      this.#created.has(id) || (this.#held.get(keyOf(id, null)) === undefined && !held.get(null)?.found);
    return !covering.has(access) && !(gap === undefined && isNew);
  }

  /** Rule 2: an ended grant is owed until its access was gone for 30 days. */
  #owed(seen: Seen, { now }: Step): string[] {
    const owed = new Set(seen.grants.owed.map(({ id }) => id));
    return seen.grants.ended.flatMap((grant) => {
      const end = this.#ended.get(grant.id) ?? now;
      this.#ended.set(grant.id, end);
      const gone = this.#held.has(accessOf(grant))
        ? Number.POSITIVE_INFINITY
        : this.#gaps.get(accessOf(grant))?.since;
      // Access that was not there when the grant ended may have come and gone within a step, or come with another grant.
      if (!this.#isThere.has(grant.id)) this.#isThere.set(grant.id, this.#held.has(accessOf(grant)));
      if (gone === undefined || this.#isThere.get(grant.id) === false) return [];
      const left = Math.max(gone, end) + OWED_DAYS - now;
      if (left < 0) this.#paid.add(grant.id);
      const isOver = this.#overFound.has(grant.id) || this.#paid.has(grant.id);
      const owesNothing = isOver || grant.endedBy?.kind === 'sync';
      if (Math.abs(left) < UNSURE || owed.has(grant.id) === (!owesNothing && left > 0)) return [];
      return [`the grant ${grant.kind} on ${grant.key} is ${owed.has(grant.id) ? '' : 'not '}owed`];
    });
  }
}
