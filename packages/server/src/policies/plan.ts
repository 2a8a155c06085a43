import type { Db } from '../platform/database/open.ts';
import { filterInTurns } from '../platform/pacer.ts';
import { grantsOf } from '../provisioning/create.ts';
import { type DraftTask, tasksFor } from './effects.ts';
import type { PreparedPolicy } from './prepare.ts';
import type { Window } from './queries/targets.ts';
import * as queries from './queries/targets.ts';
import { STAGES, targetsIn, variablesOf } from './targets.ts';

/** A task that a policy would create. */
export interface PlannedTask extends DraftTask {
  /** The person or account that triggered the policy. */
  subject: string;
}

/** People or accounts that one statement looks at. */
export const BATCH = 500;

/**
 * Plans all tasks that the policy would create for `subjects` (null: everyone its trigger can concern). Returns their
 * number and the first `keep` of them.
 */
export async function planAll(
  db: Db,
  orgId: string,
  policy: PreparedPolicy,
  subjects: readonly string[] | null,
  keep: number,
): Promise<{ count: number; tasks: PlannedTask[] }> {
  const all = { count: 0, tasks: [] as PlannedTask[] };
  for (const stage of STAGES[policy.policy.trigger].keys()) {
    for (let start = 0, after: string | null = null; ; start += BATCH) {
      const ids = subjects?.slice(start, start + BATCH);
      const window = ids ? { ids } : { after, limit: BATCH };
      const batch: PlannedBatch = await planBatch(db, orgId, policy, stage, window);
      all.count += batch.tasks.length;
      all.tasks.push(...batch.tasks.slice(0, keep - all.tasks.length));
      after = batch.last ?? null;
      if (subjects === null ? after === null : start + BATCH >= subjects.length) break;
    }
  }
  return all;
}

interface PlannedBatch {
  tasks: PlannedTask[];
  /** The last id that was looked at. Undefined if none was left. */
  last: string | undefined;
}

export async function planBatch(
  db: Db,
  orgId: string,
  policy: PreparedPolicy,
  stage: number,
  window: Window,
): Promise<PlannedBatch> {
  const kind = STAGES[policy.policy.trigger][stage];
  if (kind === undefined) return { tasks: [], last: undefined };
  const { targets, last } = await targetsIn(db, orgId, policy.reach, kind, window);
  const matching = await filterInTurns(targets, (target) =>
    policy.condition.matches(variablesOf(target, policy.today)),
  );
  const ids = matching.flatMap(({ account }) => account?.id ?? []);
  const openOf = Map.groupBy(await queries.openWorkOn(db, orgId, ids), ({ account_id }) => account_id);
  const granted = await accountsGrantedByPeople(db, orgId, policy, ids);
  const tasks = matching.flatMap((target) => {
    const accountId = target.account?.id ?? '';
    const subject = (kind.of === 'people' ? target.user?.id : target.account?.id) ?? '';
    const drafts = tasksFor(policy, target, openOf.get(accountId) ?? [], granted.has(accountId));
    return drafts.map((draft) => ({ ...draft, subject }));
  });
  return { tasks, last };
}

/** Accounts that a person granted, or granted something: a policy may not suspend them while their person is active. */
async function accountsGrantedByPeople(
  db: Db,
  orgId: string,
  { policy }: PreparedPolicy,
  accountIds: string[],
): Promise<Set<string>> {
  if (accountIds.length === 0 || !policy.effects.some((effect) => effect.do === 'suspend')) return new Set();
  const byPeople = (await grantsOf(db, orgId, accountIds)).filter(
    ({ task_type }) => task_type === 'USER_ACTION' || task_type === 'APPROVAL_WORKFLOW',
  );
  return new Set(byPeople.map(({ account_id }) => account_id));
}
