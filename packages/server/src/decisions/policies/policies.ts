import { forgetFirings } from '#decisions/holds/firings.ts';
import type { Excluded } from '#directory/means/excluded.ts';
import { handsOf } from '#directory/means/hands.ts';
import { onlyAdministrator } from '#directory/means/second-person.ts';
import { PERSON_FIELDS } from '#directory/people/facts.ts';
import type { UndecidedPeople } from '#directory/people/undecided.ts';
import { accessibleApp } from '#inventory/apps/apps.ts';
import { listResourceTypes } from '#inventory/apps/resource-types.ts';
import { compileCondition } from '#kit/cel.ts';
import { checkFields } from '#kit/cel-fields.ts';
import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type CallTx, localTime, requireAllApps } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { type IfMatch, requireVersion, versionOf } from '#kit/versions.ts';
import { endOfLog } from '#log/events/facts.ts';
import { recordEvents } from '#log/events/record.ts';
import { wouldExceedBudget } from '#work/provisioning/budget.ts';
import { cancelTasksOf, entitlementIds } from '#work/provisioning/create.ts';
import type { PlanCounts } from '#work/provisioning/plan-counts.ts';
import { type Contradiction, contradictionsOf } from './contradictions.ts';
import { requireDelay } from './delay.ts';
import {
  heldActionsDecided,
  policyCreated,
  policyDeleted,
  policyUpdated,
  taskLimitChanged,
} from './events.ts';
import type { PolicyFilter } from './filters.ts';
import { liftChanged, liftConfirmed } from './lift.ts';
import { OwnGate } from './own-gate.ts';
import { planAll } from './plan.ts';
import type { PlannedTask } from './planned.ts';
import type { PolicyView } from './policy.ts';
import { ALL_APPS, DAY_OF, type Effect, type PolicySpec, requireConsistent, VARIABLES } from './policy.ts';
import { preparePolicy } from './prepare.ts';
import * as firings from './queries/firing.ts';
import * as queries from './queries/policies.ts';
import type { SomeMissing } from './revoked.ts';
import { endingSentences, policyRefusals } from './sentences.ts';
import { FIELDS } from './targets.ts';

/** Policies cover the whole organization: throws 403 for a key for listed apps (D7), and 404 for an unknown policy. */
export async function getPolicy(call: Call, id: string): Promise<PolicyView> {
  requireAllApps(call.principal, 'policies');
  const policy = isUuid(id) ? await queries.findPolicy(call, id) : undefined;
  if (policy === undefined) throw notFound('Policy');
  return policy;
}

/** Returns the version of what the author of a policy wrote. */
export const policyVersion = ({
  name,
  trigger,
  offset_days,
  condition,
  effects,
  delay,
  recheck,
  enabled,
}: PolicySpec): string =>
  versionOf({ name, trigger, offset_days, condition, effects, delay, recheck, enabled });

export const listPolicies = (call: Call, filter: PolicyFilter, page: Page): Promise<Slice<PolicyView>> =>
  queries.listPolicies(call, filter, page);

/**
 * Creates a policy. Only later events trigger it. 400 for an invalid condition or delay and for contradicting effects,
 * 404 for an unknown app, 422 for an unknown slug or id.
 */
export async function createPolicy(call: Call, given: PolicySpec): Promise<PolicyView> {
  const spec = withOffset(given, given.offset_days);
  await requireValid(call, spec);
  const { userId } = call.principal;
  const id = await whilePoliciesAreLocked(call, async (tx) => {
    const created = await queries.insertPolicy(tx, spec, {
      ...(await beginning(tx)),
      createdBy: userId,
      hands: await handsBehind(tx),
    });
    await recordEvents(tx, [policyCreated(created, spec, call.cause)]);
    return created;
  });
  return getPolicy(call, id);
}

/**
 * Changes the named fields, if `ifMatch` names their version. Enabling a policy, or changing its trigger or days, starts it again:
 * only later events trigger it. Disabling it, or changing what it does, discards its held and releasing actions, and ends its contradictions. Only
 * another condition or trigger ends a hold because of a group: with the same one, the policy would act on what the group is
 * called now (D65).
 */
export async function changePolicy(
  call: Call,
  id: string,
  change: Partial<PolicySpec>,
  ifMatch: IfMatch = null,
): Promise<PolicyView> {
  await requireValid(call, change);
  await whilePoliciesAreLocked(call, async (tx) => {
    const before = await getPolicy(tx, id);
    requireVersion(ifMatch, policyVersion(before));
    const after = withOffset({ ...before, ...change }, offsetOf(before, change));
    const hasOtherDays = after.trigger !== before.trigger || after.offset_days !== before.offset_days;
    const startsAnew = after.enabled && (!before.enabled || hasOtherDays);
    const decides = after.enabled && (!before.enabled || behaviorOf(after) !== behaviorOf(before));
    const hands = await handsBehind(tx);
    await queries.updatePolicy(tx, id, after, {
      hands: decides ? hands : null,
      beginning: startsAnew ? await beginning(tx) : null,
      enabledBy: after.enabled && !before.enabled ? call.principal.userId : null,
    });
    const asksAnew = after.condition !== before.condition || after.trigger !== before.trigger;
    if (!after.enabled) await forgetFirings(tx, id);
    if (!after.enabled || behaviorOf(after) !== behaviorOf(before)) {
      await liftChanged(tx, id, { userId: call.principal.userId, hands });
      await firings.deleteFirings(tx, id, { exceptForGroup: !asksAnew });
    }
    await recordEvents(tx, policyUpdated(id, before, after, call.cause));
  });
  return getPolicy(call, id);
}

/** The people behind what the caller does. */
const handsBehind = async (tx: CallTx): Promise<string[]> => [...(await handsOf(tx, tx.principal)).keys()];

/** A policy that begins now does not reach back. */
const beginning = async (tx: CallTx): Promise<queries.Beginning> => ({
  firesAfter: await endOfLog(tx),
  today: (await localTime(tx)).today,
});

/** The offset after a change. Another trigger begins without the one of before. */
function offsetOf(before: PolicySpec, change: Partial<PolicySpec>): number | null | undefined {
  const isKept = change.trigger === undefined || change.trigger === before.trigger;
  return change.offset_days !== undefined || !isKept ? change.offset_days : before.offset_days;
}

/** Returns the policy with the offset of its trigger. Throws 400 if the trigger takes none. */
function withOffset<Spec extends PolicySpec>(spec: Spec, offset: number | null | undefined): Spec {
  const hasDays = DAY_OF[spec.trigger] !== undefined;
  if (!hasDays && offset != null) throw policyRefusals.offset_not_taken({ trigger: spec.trigger });
  return { ...spec, offset_days: hasDays ? (offset ?? 0) : null };
}

const behaviorOf = ({ trigger, offset_days, condition, effects, delay }: PolicySpec) =>
  JSON.stringify([trigger, offset_days, condition, effects, delay]);

/** Deletes a policy. Its tasks stay, unless `cancelTasks` asks to cancel those that are still open. */
export async function deletePolicy(call: Call, id: string, cancelTasks: boolean): Promise<void> {
  await whilePoliciesAreLocked(call, async (tx) => {
    const policy = await getPolicy(tx, id);
    await liftChanged(tx, id, { userId: call.principal.userId, hands: await handsBehind(tx) });
    await queries.deletePolicy(tx, policy);
    await forgetFirings(tx, id);
    const reason = endingSentences.task_policy_deleted({ name: policy.name });
    const cancelled = cancelTasks ? await cancelTasksOf(tx, { type: 'policy', id }, call.cause, reason) : [];
    await recordEvents(tx, [...cancelled, policyDeleted(policy, call.cause)]);
  });
}

/**
 * Releases the held actions of a policy: they become tasks. Those that would give access to somebody behind the confirmation stay held (D76).
 * 409 if it has none.
 */
export async function confirmFiring(call: Call, id: string): Promise<PolicyView> {
  const { userId } = call.principal;
  await whilePoliciesAreLocked(call, async (tx) => {
    const held = await heldActions(tx, id);
    await firings.confirmFiring(tx, id, userId, await handsBehind(tx));
    await liftConfirmed(tx, id);
    await recordEvents(tx, [heldActionsDecided('policy.actions_confirmed', held, call.cause)]);
  });
  return getPolicy(call, id);
}

/** Discards the held actions of a policy. 409 if it has none, or would do the same again: it is held because of a group or a contradiction. */
export async function discardFiring(call: Call, id: string): Promise<PolicyView> {
  await whilePoliciesAreLocked(call, async (tx) => {
    const held = await heldActions(tx, id);
    if (held.because !== null || held.contradicts.length > 0) throw policyRefusals.policy_still_held();
    await firings.deleteHeldFiring(tx, id);
    await recordEvents(tx, [heldActionsDecided('policy.actions_discarded', held, call.cause)]);
  });
  return getPolicy(call, id);
}

async function heldActions(tx: CallTx, id: string) {
  const { name, pending_confirmation: pending } = await getPolicy(tx, id);
  if (pending?.status !== 'held') throw policyRefusals.policy_not_held();
  return { id, name, count: pending.count, because: pending.because, contradicts: pending.contradicts };
}

/** Runs `work` while no other transaction fires or changes the organization's policies. */
function whilePoliciesAreLocked<T>(call: Call, work: (tx: CallTx) => Promise<T>): Promise<T> {
  return transaction(call, async (tx) => {
    await queries.lockPolicies(tx);
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
  undecided: UndecidedPeople;
  /** The people behind the policy whom it gives nothing. */
  excluded: Excluded[];
  /** How many people of these tasks have not started. */
  not_started: number;
  missing: SomeMissing;
  contradicts: Contradiction[];
}

const PREVIEWED = 200;

/** Returns the tasks that the policy would create now if its trigger fired for everyone it matches. Creates nothing. */
export async function previewPolicy(call: Call, given: PolicyView): Promise<Preview> {
  const policy = await preparePolicy(call, given);
  // The only administrator has nobody else to ask.
  const only = await onlyAdministrator(call);
  const gate = await OwnGate.of(
    call,
    given.hands.filter((id) => id !== only?.id),
  );
  const { taking, ...plan } = await planAll(call, policy, null, { keep: PREVIEWED, gate });
  const needsConfirmation =
    plan.count > (await queries.taskLimit(call)) || (await wouldExceedBudget(call, taking));
  const [excluded, contradicts] = [await gate.excluded(call), await contradictionsOf(call, given)];
  return { ...plan, needs_confirmation: needsConfirmation, excluded, contradicts };
}

/** Returns how many tasks one firing may create without confirmation. */
export const taskLimit = (call: Call): Promise<number> => queries.taskLimit(call);

export const taskLimitVersion = (limit: number): string => versionOf({ limit });

export const setTaskLimit = (call: Call, limit: number, ifMatch: IfMatch = null): Promise<void> =>
  transaction(call, async (tx) => {
    const before = await queries.setTaskLimit(tx, limit);
    requireVersion(ifMatch, taskLimitVersion(before));
    if (before !== limit) await recordEvents(tx, [taskLimitChanged(call, before, limit, call.cause)]);
  });

export type ConditionOwner = 'policy' | 'review';

/** Throws 400 with the position of the error unless the condition is valid for a policy, or for a review's scope. */
export function checkCondition(condition: string, of: ConditionOwner): void {
  compileCondition(condition, of === 'policy' ? VARIABLES : ['user']);
  checkFields(condition, of === 'policy' ? FIELDS : { user: PERSON_FIELDS });
}

/** Checks the given fields of a policy. */
async function requireValid(call: Call, spec: Partial<PolicySpec>): Promise<void> {
  const { condition, delay, effects = [] } = spec;
  if (condition !== undefined) checkCondition(condition, 'policy');
  if (delay != null) requireDelay(delay);
  requireConsistent(effects);
  for (const effect of effects) if (effect.app !== ALL_APPS) await requireKnown(call, effect);
}

/** 404 for an unknown app, 422 for an unknown slug or id and for a grant in an app without an account type. */
async function requireKnown(call: Call, effect: Effect): Promise<void> {
  const app = await accessibleApp(call.db, call.principal, effect.app);
  const removing = effect.do === 'revoke';
  await entitlementIds(call, app.id, effect.memberships, { type: 'group', removing });
  await entitlementIds(call, app.id, effect.assignments, { type: 'license', removing });
  if (effect.do !== 'grant') return;
  const types = await listResourceTypes(call, app, { limit: 1000, offset: 0 });
  if (!types.results.some(({ type }) => type === 'account'))
    throw policyRefusals.app_without_account_type({ name: app.name });
}
