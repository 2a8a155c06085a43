import { handsOf } from '#directory/means/hands.ts';
import { onlyAdministrator, type SharedAct, secondPersonWaived } from '#directory/means/second-person.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Change } from './change.ts';
import { type Proposal, propose } from './propose.ts';

/**
 * Proposes changes that the caller decides alone: what would give access to somebody behind the call is left out (D76). The only
 * administrator may, with the event that this returns.
 */
export async function proposeAlone<C extends Change>(
  tx: CallTx,
  wanted: readonly C[],
  act: SharedAct,
): Promise<{ proposal: Proposal<C>; waived: NewEvent[] }> {
  const hands = await handsOf(tx, tx.principal);
  const proposal = await propose(
    tx,
    wanted.map((change) => ({ ...change, decision: { ...change.decision, hands } })),
  );
  const people = new Set(proposal.verdicts.own_benefit.map(({ result }) => result.user));
  const only = people.size === 1 ? await onlyAdministrator(tx) : undefined;
  if (only === undefined || !people.has(only.id)) return { proposal, waived: [] };
  return { proposal: await propose(tx, wanted), waived: [secondPersonWaived(tx.cause, act, only)] };
}
