import { accessibleApp } from '../apps/apps.ts';
import { listResourceTypes } from '../apps/resource-types.ts';
import { endOfLog } from '../events/follow.ts';
import { recordEvents } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import { type Principal, requireAllApps } from '../identity/principal.ts';
import { compileCondition } from '../platform/cel.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, notFound, unprocessable } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { cancelTasksOf, entitlementIds } from '../provisioning/create.ts';

import { type PlannedTask, planAll, ready } from './plan.ts';
import {
  ALL_APPS,
  type Effect,
  type PolicySpec,
  requireDuration,
  requireSense,
  type Trigger,
  VARIABLES,
} from './policy.ts';
import * as firings from './queries/firing.ts';
import type { PolicyView } from './queries/policies.ts';
import * as queries from './queries/policies.ts';

export type { PolicyView } from './queries/policies.ts';

/** Policies are the whole organization's: 403 for a key that is for listed apps (D7), 404 for one that is not here. */
export async function policyOf(db: Db, principal: Principal, id: string): Promise<PolicyView> {
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

/** It acts on what happens from now on. 400 for a condition, delay or effects that make no sense; 404, 422 as for tasks. */
export async function createPolicy(db: Db, principal: Principal, spec: PolicySpec): Promise<PolicyView> {
  await requireValid(db, principal, spec);
  const { orgId, userId } = principal;
  const id = await changing(db, orgId, async (tx) =>
    queries.insertPolicy(tx, orgId, spec, { firesAfter: await endOfLog(tx, orgId), createdBy: userId }),
  );
  return policyOf(db, principal, id);
}

/**
 * What a request does not name stays. A policy that is enabled, or gets another trigger, begins anew; one that means
 * something else than before, or is disabled, forgets what waits for a confirmation of what it was.
 */
export async function changePolicy(
  db: Db,
  principal: Principal,
  id: string,
  change: Partial<PolicySpec>,
): Promise<PolicyView> {
  await requireValid(db, principal, change);
  const { orgId } = principal;
  await changing(db, orgId, async (tx) => {
    const before = await policyOf(tx, principal, id);
    const after = { ...before, ...change };
    const begins = after.enabled && (!before.enabled || after.trigger !== before.trigger);
    await queries.updatePolicy(tx, orgId, id, after, begins ? await endOfLog(tx, orgId) : null);
    if (!after.enabled || meaning(after) !== meaning(before)) await firings.dropFirings(tx, orgId, id, true);
  });
  return policyOf(db, principal, id);
}

const meaning = ({ trigger, condition, effects, delay }: PolicySpec) =>
  JSON.stringify([trigger, condition, effects, delay]);

/** The tasks that it made stay, unless they are to be cancelled with it. */
export async function deletePolicy(
  db: Db,
  principal: Principal,
  id: string,
  cancelTasks: boolean,
  cause: Cause,
): Promise<void> {
  const { orgId } = principal;
  await changing(db, orgId, async (tx) => {
    const { name } = await policyOf(tx, principal, id);
    await queries.deletePolicy(tx, orgId, id);
    if (!cancelTasks) return;
    const reason = `The policy "${name}" was deleted.`;
    await recordEvents(tx, orgId, await cancelTasksOf(tx, orgId, { type: 'policy', id }, cause, reason));
  });
}

/** Lets what is held become tasks. 409 where nothing is held. */
export async function confirmFiring(db: Db, principal: Principal, id: string): Promise<PolicyView> {
  const { orgId, userId } = principal;
  await changing(db, orgId, async (tx) => {
    if (!(await firings.confirmFiring(tx, orgId, id, userId))) throw nothingHeld();
  });
  return policyOf(db, principal, id);
}

/** Lets go of what is held. 409 where nothing is held. */
export async function discardFiring(db: Db, principal: Principal, id: string): Promise<PolicyView> {
  const { orgId } = principal;
  await changing(db, orgId, async (tx) => {
    if (!(await firings.dropFirings(tx, orgId, id, false))) throw nothingHeld();
  });
  return policyOf(db, principal, id);
}

const nothingHeld = () => conflict('Nothing of this policy waits for a confirmation.');

/** In turn with the firing of the organization's policies. */
function changing<T>(db: Db, orgId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await queries.lockPolicies(tx, orgId);
    return work(tx);
  });
}

export interface Preview {
  count: number;
  /** More than the limit: a firing like this one would be held. */
  needs_confirmation: boolean;
  /** The first of them. */
  tasks: PlannedTask[];
}

const SHOWN = 200;

/** What the policy would create now if its trigger fired for everyone it fits. Creates nothing. */
export async function previewPolicy(db: Db, principal: Principal, id: string): Promise<Preview> {
  const { orgId } = principal;
  const policy = await ready(db, orgId, await policyOf(db, principal, id));
  const { count, tasks } = await planAll(db, orgId, policy, null, SHOWN);
  return { count, needs_confirmation: count > (await queries.taskLimit(db, orgId)), tasks };
}

/** How many tasks a policy may create in one firing without being asked. */
export const taskLimit = (db: Db, { orgId }: Principal): Promise<number> => queries.taskLimit(db, orgId);

export const setTaskLimit = (db: Db, { orgId }: Principal, limit: number): Promise<void> =>
  queries.setTaskLimit(db, orgId, limit);

/** Whatever of a policy is given is looked at as a whole. */
async function requireValid(db: Db, principal: Principal, spec: Partial<PolicySpec>): Promise<void> {
  const { condition, delay, effects = [] } = spec;
  if (condition !== undefined) compileCondition(condition, VARIABLES);
  if (delay != null) requireDuration(delay);
  requireSense(effects);
  for (const effect of effects) if (effect.app !== ALL_APPS) await requireThere(db, principal, effect);
}

/** 404 for an unknown app, 422 for an unknown slug or id, and for a grant where nobody can be given an account. */
async function requireThere(db: Db, principal: Principal, effect: Effect): Promise<void> {
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
