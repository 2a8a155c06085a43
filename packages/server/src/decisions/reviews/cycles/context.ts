import type { OrgDb } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import type { ReviewingPerson } from '../reviewers/queries/reviewing.ts';
import type { ItemContext } from './context-schemas.ts';
import { reviewerOf } from './cycles.ts';
import { deviationsOf } from './deviations.ts';
import * as queries from './queries/context.ts';
import { recommend } from './recommend.ts';

/**
 * Returns the context of those of these items that the caller may see, as it is now. Reviewers get numbers of peers, and no
 * names: members see the kinds and ends of grants (D73). A decided item has no recommendation: it would come too late.
 */
export async function contextOfItems(call: Call, cycleId: string, ids: string[]): Promise<ItemContext[]> {
  const items = await signsOf(call, cycleId, ids, await reviewerOf(call, false));
  const isMember = call.principal.role === 'member';
  return items.map(({ facts, peers, prior, deviations }) => {
    const { id, decision, since, found, grants, description, person_left, unused_days } = facts;
    return {
      item: id,
      description: description === '' ? null : description,
      person_left,
      unused_days,
      granted: {
        at: since,
        found,
        grants: isMember ? grants.map((grant) => ({ ...grant, label: null, decided_by: null })) : grants,
      },
      peers,
      prior,
      deviations,
      recommendation: decision === null ? recommend({ person_left, unused_days, peers }) : null,
    };
  });
}

/** Returns those of these items that deviate now. The caller has checked that the principal may decide all of them. */
export async function deviatingAmong(db: OrgDb, cycleId: string, ids: string[]): Promise<string[]> {
  const items = await signsOf(db, cycleId, ids, null);
  return items.filter(({ deviations }) => deviations.length > 0).map(({ facts }) => facts.id);
}

/** Returns what is known about those of these items that the person reviews, or about all if `reviewer` is null. */
async function signsOf(db: OrgDb, cycleId: string, ids: string[], reviewer: ReviewingPerson | null) {
  const found = await queries.factsOf(db, cycleId, ids, reviewer);
  const seen = found.map(({ id }) => id);
  if (seen.length === 0) return [];
  const peersOf = Map.groupBy(await queries.peersOf(db, cycleId, seen), ({ item }) => item);
  const priorOf = Map.groupBy(await queries.priorDecisions(db, cycleId, seen), ({ item }) => item);
  return found.map((facts) => {
    const compared = { peers: peersOf.get(facts.id) ?? [], prior: priorOf.get(facts.id) ?? [] };
    return { facts, ...compared, deviations: deviationsOf(facts, compared) };
  });
}
