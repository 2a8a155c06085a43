import type { UndecidedSubjects } from '#directory/people/undecided.ts';
import type { OrgDb } from '#kit/database.ts';
import { beginBatch, type Planned } from './batch.ts';
import type { PreparedPolicy } from './prepare.ts';
import type { Undecideds } from './targets.ts';
import { STAGES } from './targets.ts';

/** People or accounts that one statement reads while planning. */
const WINDOW = 2000;

/**
 * Plans the same tasks, as many at a time as one statement reads. Adds the people whom the condition does not decide. Begins
 * with each window before the one before it is finished, so that PostgreSQL reads while this process evaluates conditions.
 */
export async function* planWindows(
  db: OrgDb,
  policy: PreparedPolicy,
  subjects: readonly string[] | null,
  undecided: UndecidedSubjects,
): AsyncGenerator<Planned> {
  const finish = async ({ planned, found }: Begun) => {
    const batch = await planned;
    for (const one of found) undecided.add(...one);
    return batch;
  };
  let before: Begun | undefined;
  for await (const begun of beginWindows(db, policy, subjects)) {
    if (before !== undefined) yield finish(before);
    before = begun;
  }
  if (before !== undefined) yield finish(before);
}

/** A window whose subjects have been read. */
interface Begun {
  planned: Promise<Planned>;
  /** The subjects that the condition does not decide. */
  found: Parameters<Undecideds['add']>[];
}

async function* beginWindows(
  db: OrgDb,
  policy: PreparedPolicy,
  subjects: readonly string[] | null,
): AsyncGenerator<Begun> {
  for (const stage of STAGES[policy.policy.trigger].keys()) {
    for (let start = 0, after: string | null = null; ; start += WINDOW) {
      const ids = subjects?.slice(start, start + WINDOW);
      const window = ids ? { ids } : { after, limit: WINDOW };
      const found: Begun['found'] = [];
      const begun = await beginBatch(db, policy, stage, window, { add: (...one) => found.push(one) });
      // The error is thrown where the window is finished, unless an earlier window has failed.
      begun.planned.catch(() => {});
      // A transaction has one connection.
      if (db.db.isTransaction) await begun.planned;
      yield { planned: begun.planned, found };
      after = begun.last ?? null;
      if (subjects === null ? after === null : start + WINDOW >= subjects.length) break;
    }
  }
}
