import type { Principal } from '../identity/principal.ts';
import { type Candidate, searchCandidates } from '../people/candidates.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden } from '../platform/errors.ts';
import { reviewingPerson } from './cycles.ts';
import { hasUndecidedItemsFor } from './queries/cycles.ts';

/**
 * Finds people to whom items of the cycle can be handed over (hand-over.ts). 403 for members who have none to hand over:
 * they must not read other people.
 */
export async function searchReviewers(
  db: Db,
  principal: Principal,
  cycleId: string,
  q: string,
): Promise<Candidate[]> {
  const { orgId, userId, role } = principal;
  if (role !== 'member') return searchCandidates(db, orgId, q, []);
  if (!(await hasUndecidedItemsFor(db, orgId, cycleId, await reviewingPerson(db, principal))))
    throw forbidden('You have no undecided items in this cycle.');
  return searchCandidates(db, orgId, q, [userId]);
}
