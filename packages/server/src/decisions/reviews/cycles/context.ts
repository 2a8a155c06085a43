import type { Db, OrgDb } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import type { GrantDecision, ItemContext } from './context-schemas.ts';
import { reviewerOf } from './cycles.ts';
import * as queries from './queries/context.ts';
import { recommend } from './recommend.ts';

/** Reads the decisions behind these tasks from the features that made them. */
export type ReadGrantDecisions = (db: OrgDb, tasks: string[]) => Promise<GrantDecision[]>;

interface Tools {
  db: Db;
  readGrantDecisions: ReadGrantDecisions;
}

/**
 * Returns the context of those of these items that the caller may see, as it is now. Reviewers get numbers of peers, and no
 * names. A decided item has no recommendation: it would come too late.
 */
export async function contextOfItems(
  { readGrantDecisions }: Tools,
  call: Call,
  cycleId: string,
  ids: string[],
): Promise<ItemContext[]> {
  const facts = await queries.factsOf(call, cycleId, ids, await reviewerOf(call, false));
  const seen = facts.map(({ id }) => id);
  if (seen.length === 0) return [];
  const tasks = facts.flatMap(({ task }) => task ?? []);
  const [peers, prior, decisions] = [
    Map.groupBy(await queries.peersOf(call, cycleId, seen), ({ item }) => item),
    Map.groupBy(await queries.priorDecisions(call, cycleId, seen), ({ item }) => item),
    new Map(
      tasks.length === 0
        ? []
        : (await readGrantDecisions(call, [...new Set(tasks)])).map((one) => [one.task, one]),
    ),
  ];
  return facts.map((item) => {
    const { id, decision, task, since, granted_at, description, person_left, unused_days } = item;
    const peersOfItem = peers.get(id) ?? [];
    return {
      item: id,
      description: description === '' ? null : description,
      person_left,
      unused_days,
      granted: {
        at: new Date(granted_at ?? since),
        decision: task === null ? null : (decisions.get(task) ?? null),
      },
      peers: peersOfItem,
      prior: prior.get(id) ?? [],
      recommendation: decision === null ? recommend({ person_left, unused_days, peers: peersOfItem }) : null,
    };
  });
}
