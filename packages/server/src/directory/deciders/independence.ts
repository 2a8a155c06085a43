import { requireIndependentApprover, requireIndependentDeputy } from '#directory/access/resets.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';

/**
 * Throws 403 if the act of this person, who decides in the place of `absent`, is also that of somebody in `concerned` (D70, D76).
 * The one place that asks who stands behind a decision. Returns the events of a second person who is waived.
 */
export async function requireIndependentDecider(
  tx: CallTx,
  { deciderId, absent }: { deciderId: string; absent: readonly string[] },
  concerned: readonly string[],
): Promise<NewEvent[]> {
  const waived = await requireIndependentApprover(tx, deciderId, concerned);
  for (const absentId of absent)
    waived.push(...(await requireIndependentDeputy(tx, { deputyId: deciderId, absentId }, concerned)));
  return waived;
}
