import type { OrgTx } from '#kit/database.ts';
import type { HeldFiring } from './hold.ts';
import * as queries from './queries/firings.ts';

/** Keeps what a policy would do until the holds are decided. The caller has locked the policies. */
export const addFirings = async (
  tx: OrgTx,
  policyId: string,
  firings: readonly HeldFiring[],
): Promise<void> => {
  if (firings.length > 0) await queries.addFirings(tx, policyId, firings);
};

/** Takes everything out of a decided hold that policies would do. Returns it by policy. */
export async function takeFirings(
  tx: OrgTx,
  holdId: string,
  { onlyReturned }: { onlyReturned: boolean },
): Promise<Map<string, { subjects: string[]; tasks: number }>> {
  const all = await queries.takeFirings(tx, holdId);
  const people = onlyReturned ? await queries.peopleOf(tx, holdId) : new Set<string>();
  const wanted = all.filter(({ subject }) => !people.has(subject));
  const byPolicy = Map.groupBy(wanted, ({ policy_id }) => policy_id);
  return new Map(
    [...byPolicy].map(([id, firings]) => [
      id,
      {
        subjects: firings.map(({ subject }) => subject).sort(),
        tasks: firings.reduce((sum, { tasks }) => sum + tasks, 0),
      },
    ]),
  );
}

/** Forgets what a policy would do that was disabled or deleted. */
export const forgetFirings = (tx: OrgTx, policyId: string): Promise<void> =>
  queries.forgetFirings(tx, policyId);

/** Notes that nothing of a decided hold waits any more. */
export const settle = (tx: OrgTx, holdId: string): Promise<void> => queries.settle(tx, holdId);
