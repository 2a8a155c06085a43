import type { Db, OrgDb } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import type { TaskType } from '#work/provisioning/task.ts';
import { reviewerOf } from './cycles.ts';
import * as queries from './queries/context.ts';
import { type Peers, type Recommendation, recommend } from './recommend.ts';

/** The decision behind the task that granted access. */
export interface GrantDecision {
  task: string;
  task_type: TaskType;
  request_number: number | null;
  policy_name: string | null;
  /** The last approver of a request, the reviewer, or the administrator. */
  decided_by: { external_uuid: string; email: string } | null;
}

/** Reads the decisions behind these tasks from the features that made them. */
export type ReadGrantDecisions = (db: OrgDb, tasks: string[]) => Promise<GrantDecision[]>;

/** Facts that help a reviewer decide on an item, in addition to those in the list. */
export interface ItemContext
  extends Pick<queries.Facts, 'id' | 'description' | 'person_left' | 'unused_days'> {
  granted: { at: Date | string; decision: GrantDecision | null };
  peers: Peers[];
  prior: queries.PriorDecision[];
  recommendation: Recommendation | null;
}

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
      id,
      description: description === '' ? null : description,
      person_left,
      unused_days,
      granted: {
        at: granted_at ?? since,
        decision: task === null ? null : (decisions.get(task) ?? null),
      },
      peers: peersOfItem,
      prior: prior.get(id) ?? [],
      recommendation: decision === null ? recommend({ person_left, unused_days, peers: peersOfItem }) : null,
    };
  });
}
