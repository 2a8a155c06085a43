import type { OrgTx } from '#kit/database.ts';
import * as firings from './queries/firing.ts';
import { enabledPolicies } from './queries/policies.ts';
import * as queries from './queries/undo.ts';

/**
 * Ends the contradictions of a policy whose held actions a person confirmed (D77). They take the place of what the other policies would
 * do for the same people.
 */
export const liftConfirmed = async (tx: OrgTx, policyId: string): Promise<void> => {
  await lift(tx, policyId, { onlyHeld: true });
};

/**
 * Ends the contradictions of a policy that changes or ends (D77). The other policies decide again about the same people, and give nothing to
 * the people behind themselves and behind the change.
 */
export async function liftChanged(
  tx: OrgTx,
  policyId: string,
  { userId, hands }: { userId: string; hands: readonly string[] },
): Promise<void> {
  const dropped = await lift(tx, policyId, { onlyHeld: false });
  if (dropped.size === 0) return;
  for (const other of await enabledPolicies(tx)) {
    const subjects = dropped.get(other.id) ?? [];
    if (subjects.length === 0) continue;
    const all = [...new Set([...other.hands, ...hands])];
    const firing = { subjects, tasks: subjects.length };
    await firings.releaseFiring(tx, other.id, firing, { userId, hands: all });
  }
}

/** Returns the subjects that other policies no longer hold, by policy. */
async function lift(
  tx: OrgTx,
  policyId: string,
  which: { onlyHeld: boolean },
): Promise<Map<string, string[]>> {
  const ended = (await queries.deleteUndos(tx, policyId, which)).filter(({ waits }) => waits);
  const dropped = new Map<string, string[]>();
  for (const [otherId, rows] of Map.groupBy(ended, ({ other_id }) => other_id)) {
    const stay = new Set(await queries.heldSubjects(tx, otherId));
    const subjects = new Set(rows.map(({ subject_id }) => subject_id).filter((id) => !stay.has(id)));
    await queries.dropHeldSubjects(tx, otherId, [...subjects]);
    dropped.set(otherId, [...subjects].sort());
  }
  return dropped;
}
