import { searchCandidates } from '#directory/people/candidates.ts';
import type { Candidate } from '#directory/people/facts.ts';
import type { Call } from '#kit/identity.ts';
import { reviewRefusals } from '../sentences.ts';
import { reviewingPerson } from './cycles.ts';
import { withUndecidedItemsFor } from './queries/cycles.ts';

/**
 * Finds people to whom items of the cycle can be handed over (hand-over.ts). 403 for members who have none to hand over:
 * they must not read other people.
 */
export async function searchReviewers(call: Call, cycleId: string, q: string): Promise<Candidate[]> {
  const { userId, role } = call.principal;
  if (role !== 'member') return searchCandidates(call, q, []);
  const open = await withUndecidedItemsFor(call, [cycleId], await reviewingPerson(call));
  if (!open.has(cycleId)) throw reviewRefusals.no_undecided_items();
  return searchCandidates(call, q, [userId]);
}
