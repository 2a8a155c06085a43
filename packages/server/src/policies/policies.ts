import { accessibleApp } from '../apps/apps.ts';
import { listResourceTypes } from '../apps/resource-types.ts';
import { endOfLog } from '../events/follow.ts';
import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import { type Principal, requireAllApps } from '../identity/principal.ts';
import { PERSON_FIELDS } from '../people/facts.ts';
import { compileCondition } from '../platform/cel.ts';
import { checkFields } from '../platform/cel-fields.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, notFound, unprocessable } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { wouldExceedBudget } from '../provisioning/budget.ts';
import { cancelTasksOf, entitlementIds } from '../provisioning/create.ts';
import type { PlanCounts } from '../provisioning/plan-counts.ts';
import { requireDelay } from './delay.ts';
import {
  heldActionsDecided,
  policyCreated,
  policyDeleted,
  policyUpdated,
  taskLimitChanged,
} from './events.ts';
import { type PlannedTask, planAll } from './plan.ts';
import {
  ALL_APPS,
  type Effect,
  type PolicySpec,
  requireConsistent,
  type Trigger,
  VARIABLES,
} from './policy.ts';
import { preparePolicy } from './prepare.ts';
import * as firings from './queries/firing.ts';
import type { PolicyView } from './queries/policies.ts';
import * as queries from './queries/policies.ts';
import { FIELDS } from './targets.ts';

export type { PolicyView } from './queries/policies.ts';

/** Policies cover the whole organization: throws 403 for a key for listed apps (D7), and 404 for an unknown policy. */
export async function getPolicy(db: Db, principal: Principal, id: string): Promise<PolicyView> {
  requireAllApps(principal, 'policies');
  const policy = isUuid(id) ? await queries.findPolicy(db, principal.orgId, id) : undefined;
  if (policy === undefined) throw notFound('Policy');
  return policy;
}

export const listPolicies = (
  db: Db,
  { orgId }: Principal,
  filter: { trigger: Trigger | null; enabled: boolean | null },
  page: Page,
): Promise<Slice<PolicyView>> => queries.listPolicies(db, orgId, filter, page);

/**
 * Creates a policy. Only later events trigger it. 400 for an invalid condition or delay and for contradicting effects,
 * 404 for an unknown app, 422 for an unknown slug or id.
 */
export async function createPolicy(
  db: Db,
  principal: Principal,
  spec: PolicySpec,
  cause: RequestCause,
): Promise<PolicyView> {
  await requireValid(db, principal, spec);
  const { orgId, userId } = principal;
  const id = await whilePoliciesAreLocked(db, orgId, async (tx) => {
    const firesAfter = await endOfLog(tx, orgId);
    const created = await queries.insertPolicy(tx, orgId, spec, { firesAfter, createdBy: userId });
    await recordEvents(tx, orgId, [policyCreated(created, spec, cause)]);
    return created;
  });
  return getPolicy(db, principal, id);
}

/**
 * Changes the named fields. Enabling a policy or changing its trigger starts it anew: only later events trigger it.
 * Disabling it, or changing what it does, discards its held and releasing actions.
 */
export async function changePolicy(
  db: Db,
  principal: Principal,
  id: string,
  change: Partial<PolicySpec>,
  cause: RequestCause,
): Promise<PolicyView> {
  await requireValid(db, principal, change);
  const { orgId } = principal;
  await whilePoliciesAreLocked(db, orgId, async (tx) => {
    const before = await getPolicy(tx, principal, id);
    const after = { ...before, ...change };
    const startsAnew = after.enabled && (!before.enabled || after.trigger !== before.trigger);
    await queries.updatePolicy(tx, orgId, id, after, {
      firesAfter: startsAnew ? await endOfLog(tx, orgId) : null,
      enabledBy: after.enabled && !before.enabled ? principal.userId : null,
    });
    if (!after.enabled || behaviorOf(after) !== behaviorOf(before))
      await firings.deleteFirings(tx, orgId, id);
    await recordEvents(tx, orgId, policyUpdated(id, before, after, cause));
  });
  return getPolicy(db, principal, id);
}

const behaviorOf = ({ trigger, condition, effects, delay }: PolicySpec) =>
  JSON.stringify([trigger, condition, effects, delay]);

/** Deletes a policy. Its tasks stay, unless `cancelTasks` asks to cancel those that are still open. */
export async function deletePolicy(
  db: Db,
  principal: Principal,
  id: string,
  cancelTasks: boolean,
  cause: RequestCause,
): Promise<void> {
  const { orgId } = principal;
  await whilePoliciesAreLocked(db, orgId, async (tx) => {
    const policy = await getPolicy(tx, principal, id);
    await queries.deletePolicy(tx, orgId, id);
    const reason = `The policy "${policy.name}" was deleted.`;
    const cancelled = cancelTasks
      ? await cancelTasksOf(tx, orgId, { type: 'policy', id }, cause, reason)
      : [];
    await recordEvents(tx, orgId, [...cancelled, policyDeleted(policy, cause)]);
  });
}

/** Releases the held actions of a policy: they become tasks. 409 if it has none. */
export async function confirmFiring(
  db: Db,
  principal: Principal,
  id: string,
  cause: RequestCause,
): Promise<PolicyView> {
  const { orgId, userId } = principal;
  await whilePoliciesAreLocked(db, orgId, async (tx) => {
    const held = await heldActions(tx, principal, id);
    await firings.confirmFiring(tx, orgId, id, userId);
    await recordEvents(tx, orgId, [heldActionsDecided('policy.actions_confirmed', held, cause)]);
  });
  return getPolicy(db, principal, id);
}

/** Discards the held actions of a policy. 409 if it has none. */
export async function discardFiring(
  db: Db,
  principal: Principal,
  id: string,
  cause: RequestCause,
): Promise<PolicyView> {
  const { orgId } = principal;
  await whilePoliciesAreLocked(db, orgId, async (tx) => {
    const held = await heldActions(tx, principal, id);
    await firings.deleteHeldFiring(tx, orgId, id);
    await recordEvents(tx, orgId, [heldActionsDecided('policy.actions_discarded', held, cause)]);
  });
  return getPolicy(db, principal, id);
}

async function heldActions(tx: Tx, principal: Principal, id: string) {
  const { name, pending_confirmation: pending } = await getPolicy(tx, principal, id);
  if (pending?.status !== 'held') throw conflict('This policy has no actions awaiting confirmation.');
  return { id, name, count: pending.count };
}

/** Runs `work` while no other transaction fires or changes the organization's policies. */
function whilePoliciesAreLocked<T>(db: Db, orgId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await queries.lockPolicies(tx, orgId);
    return work(tx);
  });
}

export interface Preview {
  count: number;
  counts: PlanCounts;
  /** Whether a firing of this size would be held, or its tasks would exceed the daily budget of an app. */
  needs_confirmation: boolean;
  /** The first tasks. */
  tasks: PlannedTask[];
}

const PREVIEWED = 200;

/** Returns the tasks that the policy would create now if its trigger fired for everyone it matches. Creates nothing. */
export async function previewPolicy(db: Db, principal: Principal, id: string): Promise<Preview> {
  const { orgId } = principal;
  const policy = await preparePolicy(db, orgId, await getPolicy(db, principal, id));
  const { taking, ...plan } = await planAll(db, orgId, policy, null, PREVIEWED);
  const needsConfirmation =
    plan.count > (await queries.taskLimit(db, orgId)) || (await wouldExceedBudget(db, orgId, taking));
  return { ...plan, needs_confirmation: needsConfirmation };
}

/** Returns how many tasks one firing may create without confirmation. */
export const taskLimit = (db: Db, { orgId }: Principal): Promise<number> => queries.taskLimit(db, orgId);

export const setTaskLimit = (
  db: Db,
  { orgId }: Principal,
  limit: number,
  cause: RequestCause,
): Promise<void> =>
  transaction(db, async (tx) => {
    const before = await queries.setTaskLimit(tx, orgId, limit);
    if (before !== limit) await recordEvents(tx, orgId, [taskLimitChanged(orgId, before, limit, cause)]);
  });

/** Throws 400 with the position of the error unless the condition is valid for a policy, or for a review's scope. */
export function checkCondition(condition: string, of: 'policy' | 'review'): void {
  compileCondition(condition, of === 'policy' ? VARIABLES : ['user']);
  checkFields(condition, of === 'policy' ? FIELDS : { user: PERSON_FIELDS });
}

/** Checks the given fields of a policy. */
async function requireValid(db: Db, principal: Principal, spec: Partial<PolicySpec>): Promise<void> {
  const { condition, delay, effects = [] } = spec;
  if (condition !== undefined) checkCondition(condition, 'policy');
  if (delay != null) requireDelay(delay);
  requireConsistent(effects);
  for (const effect of effects) if (effect.app !== ALL_APPS) await requireKnown(db, principal, effect);
}

/** 404 for an unknown app, 422 for an unknown slug or id and for a grant in an app without an account type. */
async function requireKnown(db: Db, principal: Principal, effect: Effect): Promise<void> {
  const { orgId } = principal;
  const app = await accessibleApp(db, principal, effect.app);
  const removing = effect.do === 'revoke';
  await entitlementIds(db, orgId, app.id, effect.memberships, { type: 'group', removing });
  await entitlementIds(db, orgId, app.id, effect.assignments, { type: 'license', removing });
  if (effect.do !== 'grant') return;
  const types = await listResourceTypes(db, orgId, app, { limit: 1000, offset: 0 });
  if (!types.results.some(({ type }) => type === 'account'))
    throw unprocessable(`The app ${app.name} has no resource type of type account.`);
}
