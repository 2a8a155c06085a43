import type { OrgDb } from '#kit/database.ts';
import type { Action } from '#work/provisioning/task.ts';
import type { Change, HeldGrant } from './change.ts';
import { CHECKS, type Check, type CheckName, type Results } from './checks/index.ts';

/** The verdict of a check on a change, or on one part of it. */
export interface Verdict<C extends Change, Name extends CheckName = CheckName> {
  change: C;
  /** The group or license. Null: the whole change. */
  part: string | null;
  result: Results[Name];
}

/** The result of decisions: the changes that are left to make, the grants that need none, and what was left out, by check. */
export interface Proposal<C extends Change> {
  changes: C[];
  held: HeldGrant[];
  verdicts: { [Name in CheckName]: Verdict<C, Name>[] };
}

/**
 * Checks the changes that decisions want, each check about what the ones before it have left. Requests, reviews, policies, restores and
 * tasks by hand come to their tasks this way: previews and dry runs stop here, and the others go on with `apply`.
 */
export async function propose<C extends Change>(db: OrgDb, wanted: readonly C[]): Promise<Proposal<C>> {
  const verdicts: Partial<Record<CheckName, Verdict<C>[]>> = {};
  let changes = [...wanted];
  for (const [name, check] of Object.entries(CHECKS) as [CheckName, Check<CheckName>][]) {
    const concerned = changes.filter(check.concerns);
    const judged = concerned.length === 0 ? [] : await check.judge(db, concerned);
    const found = judged.map(({ index, ...one }) => ({ ...one, change: concerned[index] as C }));
    verdicts[name] = found;
    if (found.length > 0) changes = without(changes, found);
  }
  const all = verdicts as Proposal<C>['verdicts'];
  return { changes, held: all.held.flatMap(grantOn), verdicts: all };
}

const MAKES_PARTS: ReadonlySet<Action> = new Set(['create_account', 'update_account']);

/** Leaves out what the verdicts are about. A change of groups and licenses without any of them is not needed, and no account is made for none of them. */
function without<C extends Change>(changes: readonly C[], found: readonly Verdict<C>[]): C[] {
  const of = Map.groupBy(found, ({ change }) => change);
  return changes.flatMap((change) => {
    const own = of.get(change);
    if (own === undefined) return [change];
    const parts = new Set(own.map(({ part }) => part));
    const left = (list: Change['add']) => list.filter(({ entitlement_id }) => !parts.has(entitlement_id));
    const [add, remove] = [left(change.add), left(change.remove)];
    const isNothing = MAKES_PARTS.has(change.action) && add.length + remove.length === 0;
    return parts.has(null) || isNothing ? [] : [{ ...change, add, remove }];
  });
}

const grantOn = ({ change, part }: Verdict<Change>): HeldGrant[] => {
  const { decision, app, account, executeAfter, until } = change;
  if (account === null) return [];
  const end = until instanceof Map ? (until.get(part) ?? null) : ((until as Date | null | undefined) ?? null);
  return [{ decision, app, account, entitlement_id: part, from: executeAfter, until: end }];
};
