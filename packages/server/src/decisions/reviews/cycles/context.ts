import type { Call } from '#kit/identity.ts';
import type { ItemContext } from './context-schemas.ts';
import { reviewerOf } from './cycles.ts';
import * as queries from './queries/context.ts';
import { recommend } from './recommend.ts';

/**
 * Returns the context of those of these items that the caller may see, as it is now. Reviewers get numbers of peers, and no
 * names: members see the kinds and ends of grants (D73). A decided item has no recommendation: it would come too late.
 */
export async function contextOfItems(call: Call, cycleId: string, ids: string[]): Promise<ItemContext[]> {
  const facts = await queries.factsOf(call, cycleId, ids, await reviewerOf(call, false));
  const isMember = call.principal.role === 'member';
  const seen = facts.map(({ id }) => id);
  if (seen.length === 0) return [];
  const [peers, prior] = [
    Map.groupBy(await queries.peersOf(call, cycleId, seen), ({ item }) => item),
    Map.groupBy(await queries.priorDecisions(call, cycleId, seen), ({ item }) => item),
  ];
  return facts.map((item) => {
    const { id, decision, since, found, grants, description, person_left, unused_days } = item;
    const peersOfItem = peers.get(id) ?? [];
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
      peers: peersOfItem,
      prior: prior.get(id) ?? [],
      recommendation: decision === null ? recommend({ person_left, unused_days, peers: peersOfItem }) : null,
    };
  });
}
