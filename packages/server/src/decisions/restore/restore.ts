import { isDeepStrictEqual } from 'node:util';
import type { Excluded } from '#directory/means/excluded.ts';
import { requirePeople } from '#directory/people/people.ts';
import { accessibleApp } from '#inventory/apps/apps.ts';
import { timesOf } from '#inventory/records/history/moment.ts';
import { type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, CallTx, RequestCause } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { apply } from '#proposals/apply.ts';
import type { Change, Decision } from '#proposals/change.ts';
import { proposeAlone } from '#proposals/second-person.ts';
import { taskRefusals } from '#work/provisioning/sentences.ts';
import { planRestore, type RestoreInput, type RestorePlan } from './plan.ts';
import { accountsExist } from './queries/access.ts';
import { insertRestore, lockRestore, markApplied } from './queries/restores.ts';
import type { Coverage, PlannedTask, RestoreResult } from './schemas.ts';
import { creationSentences, restoreRefusals } from './sentences.ts';
import { changeOf, countsOf, decidedIn, tasksOf } from './tasks.ts';

export interface RestoreRequest extends RestoreInput {
  dryRun: boolean;
  /** The plan that was shown before. */
  plan: string | null;
  reason: string | null;
}

/** How a plan differs from the one that was shown. */
export interface Difference {
  added: PlannedTask[];
  removed: PlannedTask[];
}

/** A result, or the reason why nothing was done: the access was unknown then, or the plan has changed. */
export type RestoreOutcome = RestoreResult | { unknown: Coverage[] } | { difference: Difference };

const ITEMS_SHOWN = 1000;

/** Throws 404 unless the app, or all the people or accounts, exist. */
async function requireScope(call: Call, scope: RestoreRequest['scope']): Promise<void> {
  if ('app' in scope) await accessibleApp(call.db, call.principal, scope.app);
  else if ('users' in scope) await requirePeople(call, scope.users);
  else if (!(await accountsExist(call, scope.accounts))) throw notFound('Account');
}

/**
 * Shows or creates the tasks that bring access back to what it was. With the id of a plan that was shown before,
 * nothing is created if the plan would be another one now.
 */
export async function restoreAccess(call: Call, given: RestoreRequest): Promise<RestoreOutcome> {
  const { userId } = call.principal;
  const { as_of: asOf } = await timesOf(call.db, { as_of: given.asOf });
  const request = { ...given, asOf: asOf as string };
  await requireScope(call, request.scope);
  return transaction(call, async (tx) => {
    const shown = await shownPlan(tx, request);
    const found = await planRestore(tx, request);
    if (!isKnown(found)) return { unknown: found.coverage };
    const { plan, excluded, changes, waived } = await withoutOwn(tx, found, decisionOf(request, userId));
    const tasks = tasksOf(plan);
    const difference = shown === undefined ? undefined : differenceOf(shown.tasks, tasks);
    if (difference !== undefined) return { difference };
    const applied = !request.dryRun;
    const id =
      shown?.id ?? (await insertRestore(tx, { input: inputOf(request), tasks, by: userId, applied }));
    if (!applied) return resultOf(request, { plan, excluded }, id, []);
    if (changes === 'own') throw taskRefusals.own_benefit();
    await markApplied(tx, id);
    const named = changes.map((change) => ({ ...change, decision: { ...change.decision, id } }));
    const created = await apply(tx, { changes: named, held: [] }, call.cause);
    const result = resultOf(
      request,
      { plan, excluded },
      id,
      created.tasks.map((task) => task.id),
    );
    await recordEvents(tx, [...waived, restoreCreated(request, { id, plan }, call.cause), ...created.events]);
    return result;
  });
}

interface Proposed {
  plan: RestorePlan;
  excluded: Excluded[];
  /** `own`: all of it is for people behind the call. */
  changes: Change[] | 'own';
  waived: NewEvent[];
}

/**
 * Leaves out what would give access to people behind the call, and names them: a second person restores that (D76). A plan for nobody else is
 * shown, and refused when it is applied, unless the caller is the only administrator.
 */
async function withoutOwn(tx: CallTx, plan: RestorePlan, decision: Decision): Promise<Proposed> {
  const included = plan.items.filter((item) => item.included);
  const wanted = included.map((item) => ({ ...changeOf(item, decision), item }));
  const { proposal, waived } = await proposeAlone(tx, wanted, 'restore');
  const { changes, verdicts } = proposal;
  const own = new Map(verdicts.own_benefit.map(({ change, result }) => [change.item, result]));
  if (own.size === 0) return { plan, excluded: [], changes, waived };
  if (own.size === included.length) return { plan, excluded: [], changes: 'own', waived };
  const items = plan.items.map((item) => (own.has(item) ? { ...item, included: false } : item));
  const excluded = new Map([...own.values()].map((one) => [one.user, one]));
  return { plan: { ...plan, items }, excluded: [...excluded.values()], changes, waived };
}

/** Without any access at that time, the answer is known only if an app was. */
const isKnown = ({ coverage, items, skipped }: RestorePlan) =>
  items.length + skipped.length > 0 || coverage.length === 0 || coverage.some(({ known }) => known);

/** The scope and the time, in a form that two requests can be compared in. */
const inputOf = ({ scope, asOf, includePossible, includeDecided, items }: RestoreInput) => ({
  scope,
  as_of: asOf,
  include_possible: includePossible,
  include_decided: includeDecided,
  items,
});

async function shownPlan(tx: OrgTx, request: RestoreRequest) {
  if (request.plan === null || request.dryRun) return undefined;
  const shown = await lockRestore(tx, request.plan);
  if (shown === undefined) throw notFound('Plan');
  if (shown.applied_at !== null) throw restoreRefusals.plan_applied();
  if (!isDeepStrictEqual(shown.input, inputOf(request))) throw restoreRefusals.plan_for_other_fields();
  return shown;
}

/** Returns undefined if both plans have the same tasks. */
function differenceOf(before: PlannedTask[], now: PlannedTask[]): Difference | undefined {
  const [old, fresh] = [before, now].map((tasks) => new Map(tasks.map((task) => [keyOf(task), task]))) as [
    Map<string, PlannedTask>,
    Map<string, PlannedTask>,
  ];
  const added = now.filter((task) => !old.has(keyOf(task)));
  const removed = before.filter((task) => !fresh.has(keyOf(task)));
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

const keyOf = ({ app, account, user, action, add, ends }: PlannedTask) =>
  JSON.stringify([app, account, user, action, add, ends.map(({ resource, at }) => [resource, at])]);

const resultOf = (
  { dryRun, asOf }: RestoreRequest,
  { plan, excluded }: { plan: RestorePlan; excluded: Excluded[] },
  id: string,
  tasks: string[],
): RestoreResult => ({
  dry_run: dryRun,
  plan: id,
  as_of: asOf,
  coverage: plan.coverage,
  counts: countsOf(plan),
  results: plan.items.slice(0, ITEMS_SHOWN),
  skipped: plan.skipped.slice(0, ITEMS_SHOWN),
  excluded,
  tasks,
});

/** The decision of a restore. Its id follows with the restore. */
function decisionOf({ asOf, reason }: RestoreRequest, decidedBy: string): Decision {
  const time = new Date(asOf).toISOString();
  return {
    ...{ kind: 'restore', id: null, decidedBy, label: `Restore to ${time}` },
    reason:
      reason === null
        ? creationSentences.task_restores({ time })
        : creationSentences.task_restores_because({ time, words: reason }),
  };
}

const restoreCreated = (
  { scope, asOf, includePossible, reason }: RestoreRequest,
  { id, plan }: { id: string; plan: RestorePlan },
  { actor, source }: RequestCause,
): NewEvent => {
  const counts = countsOf(plan);
  return {
    type: 'restore.created',
    actor,
    subject: { type: 'system', uuid: id },
    source,
    payload: {
      restore_id: id,
      as_of: asOf,
      ...('users' in scope ? { user_ids: scope.users } : {}),
      ...('accounts' in scope ? { account_ids: scope.accounts } : {}),
      ...('app' in scope ? { app_id: scope.app } : {}),
      include_possible: includePossible,
      reason,
      tasks: counts.create_account + counts.unsuspend_account + counts.update_account,
      groups: counts.groups,
      licenses: counts.licenses,
      decided: decidedIn(plan),
    },
  };
};
