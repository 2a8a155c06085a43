import type { Change } from '#proposals/change.ts';
import { endsWith, type OpenSuspension } from '#reasons/suspensions/facts.ts';
import type { Ended } from '#reasons/suspensions/suspension.ts';
import type { Action } from '#work/provisioning/task.ts';
import type { Trigger } from './filters.ts';
import { concerns, hasEffect } from './policy.ts';
import type { PreparedPolicy } from './prepare.ts';
import type { AccountFacts, AppFacts, Entitlement, OpenWork, PersonFacts } from './queries/targets.ts';
import type { EffectKind } from './schemas.ts';
import type { Target } from './targets.ts';

/** A task for one target, before it is known which subject triggered it. */
export interface DraftTask extends Change {
  app: AppFacts;
  user: PersonFacts | null;
  account: AccountFacts | null;
  add: Entitlement[];
  remove: Entitlement[];
  executeAfter: Date;
  leaving: boolean;
}

/** A suspension that the policy begins, or those that it ends, in an account that stays suspended: no task is needed (D73). */
export interface SuspensionChange {
  does: 'begin' | 'end';
  app: AppFacts;
  user: PersonFacts | null;
  account: AccountFacts;
  leaving: boolean;
}

/**
 * Returns what the policy grants to a target without a task: access that the account already has, or gets from an open task (D73). Null: the
 * account itself.
 */
export function heldBy(policy: PreparedPolicy, target: Target, open: OpenWork[]): (string | null)[] {
  const { user, account, app, isMain } = target;
  const wants = (kind: EffectKind) => hasEffect(policy.policy.effects, app.id, kind);
  if (!wants('grant') || !isMain || user?.status === 'deactivated' || account === null) return [];
  if (wants('delete') || account.status === 'INACTIVE') return [];
  const named = policy.grants.get(app.id) ?? [];
  if (named.length === 0) return [null];
  const pending = pendingWork(policy, open);
  const own = new Set(account.held.map(({ entitlement_id }) => entitlement_id));
  const revoked = new Set((policy.revokes.get(app.id) ?? []).map(({ entitlement_id }) => entitlement_id));
  return named.flatMap(({ entitlement_id: id }) =>
    (own.has(id) || pending.adds(id)) && !pending.removes(id) && !revoked.has(id) ? id : [],
  );
}

/**
 * Returns the tasks that the policy's effects need on one matching target. Effects that already hold, or that an open
 * task brings about in time, need none.
 */
export function tasksFor(
  policy: PreparedPolicy,
  target: Target,
  open: OpenWork[],
  suspensions: readonly OpenSuspension[],
): DraftTask[] {
  const { app, account } = target;
  const wants = (kind: EffectKind) => hasEffect(policy.policy.effects, app.id, kind);
  const pending = pendingWork(policy, open);
  if (account !== null && wants('delete')) return deletion(policy, target, pending);
  return [
    ...(wants('grant') ? grant(policy, target, pending) : []),
    ...(account !== null && wants('revoke') ? revocation(policy, target, account, pending) : []),
    ...(account !== null && wants('suspend') ? suspension(policy, target, account, pending) : []),
    ...(account !== null && wants('unsuspend')
      ? unsuspension(policy, target, { account, pending, suspensions })
      : []),
  ];
}

/**
 * Returns what the policy decides about a suspended account that stays suspended: it suspends the account as well, or does not end all of its
 * suspensions. Nothing that it has decided before.
 */
export function suspensionChange(
  policy: PreparedPolicy,
  { app, user, account }: Target,
  suspensions: readonly OpenSuspension[],
): SuspensionChange[] {
  if (account?.status !== 'SUSPENDED') return [];
  const { id, effects } = policy.policy;
  if (hasEffect(effects, app.id, 'suspend')) {
    const leaving = isLeaving(policy, user);
    const isKnown = suspensions.some(
      (one) => one.kind === 'policy' && one.source_id === id && one.leaving === leaving,
    );
    return isKnown ? [] : [{ does: 'begin', app, user, account, leaving }];
  }
  const which = endedBy(policy);
  const ends = hasEffect(effects, app.id, 'unsuspend') && !isNotBack(policy, user);
  const some = suspensions.filter((one) => endsWith(which, one)).length;
  return ends && some > 0 && some < suspensions.length && policy.policy.delay === null
    ? [{ does: 'end', app, user, account, leaving: which === 'leaving' }]
    : [];
}

/** The triggers for people who leave or go on leave, and for those who return from that. */
const LEAVING: ReadonlySet<Trigger> = new Set(['user.deactivated', 'user.ends', 'user.on_leave']);
const RETURNING: ReadonlySet<Trigger> = new Set(['user.reactivated', 'user.back']);

/** A policy for people who return ends suspensions that were decided because they left. Others end none that a person decided (D73). */
export const endedBy = ({ policy }: Pick<PreparedPolicy, 'policy'>): Ended =>
  RETURNING.has(policy.trigger) ? 'leaving' : 'by machines';

/** Whether a suspension is about the person leaving: they leave, have left, or their last day is over. */
const isLeaving = ({ policy, today }: PreparedPolicy, user: PersonFacts | null) =>
  LEAVING.has(policy.trigger) ||
  user?.status === 'deactivated' ||
  (user?.end_date != null && user.end_date < today);

/** Whether the person has left, or may be somebody else: a return under another id ends no suspension (D63). */
const isNotBack = ({ policy }: PreparedPolicy, user: PersonFacts | null) =>
  user?.status === 'deactivated' || (RETURNING.has(policy.trigger) && user?.is_back_as_another === true);

interface PendingWork {
  has(action: Action): boolean;
  adds(entitlementId: string): boolean;
  removes(entitlementId: string): boolean;
  /** The status that the open tasks give the account, if one of them changes it. */
  becomes: 'ACTIVE' | 'SUSPENDED' | undefined;
}

const NOTHING_PENDING: PendingWork = {
  has: () => false,
  adds: () => false,
  removes: () => false,
  becomes: undefined,
};

/** Considers the open tasks of this policy, and those of others that are due no later than this policy's would be. */
function pendingWork({ policy, executeAfter }: PreparedPolicy, open: OpenWork[]): PendingWork {
  if (open.length === 0) return NOTHING_PENDING;
  const relevant = open.filter((task) => task.policy_id === policy.id || task.execute_after <= executeAfter);
  const last = relevant.findLast(
    ({ action }) => action === 'suspend_account' || action === 'unsuspend_account',
  );
  return {
    has: (action) => relevant.some((task) => task.action === action),
    adds: (id) => relevant.some(({ added }) => added.includes(id)),
    removes: (id) => relevant.some(({ removed }) => removed.includes(id)),
    becomes: last && (last.action === 'suspend_account' ? 'SUSPENDED' : 'ACTIVE'),
  };
}

const draft = (
  { decision, executeAfter }: PreparedPolicy,
  { app, user, account }: Target,
  action: Action,
  more: Partial<Pick<DraftTask, 'add' | 'remove' | 'leaving' | 'isBehind'>> = {},
): DraftTask => ({
  ...{ decision, action, app, user, account, executeAfter },
  ...{ add: [], remove: [], leaving: false },
  ...more,
});

function grant(policy: PreparedPolicy, target: Target, pending: PendingWork): DraftTask[] {
  const { user, account, app, isMain } = target;
  if (!isMain || user?.status === 'deactivated') return [];
  const named = policy.grants.get(app.id) ?? [];
  if (account === null || account.status === 'INACTIVE')
    return user === null || !app.takes_accounts
      ? []
      : [draft(policy, target, 'create_account', { add: named })];
  const held = new Set(account.held.map(({ entitlement_id }) => entitlement_id));
  const add = named.filter(({ entitlement_id: id }) => !held.has(id) && !pending.adds(id));
  return add.length === 0 ? [] : [draft(policy, target, 'update_account', { add })];
}

/** Removes the named groups and licenses, or all that the account holds if the effect names none. */
function revocation(
  policy: PreparedPolicy,
  target: Target,
  account: AccountFacts,
  pending: PendingWork,
): DraftTask[] {
  const named = new Set(
    (policy.revokes.get(target.app.id) ?? []).map(({ entitlement_id }) => entitlement_id),
  );
  const removesAll = policy.policy.effects.some(
    (effect) =>
      effect.do === 'revoke' &&
      concerns(effect, target.app.id) &&
      Object.keys({ ...effect.memberships, ...effect.assignments }).length === 0,
  );
  const remove = account.held.filter(
    ({ entitlement_id: id }) => (removesAll || named.has(id)) && !pending.removes(id),
  );
  return remove.length === 0 ? [] : [draft(policy, target, 'update_account', { remove })];
}

const LIVE = ['NEW', 'INVITED', 'ACTIVE'];

function suspension(
  policy: PreparedPolicy,
  target: Target,
  account: AccountFacts,
  pending: PendingWork,
): DraftTask[] {
  const isLive = LIVE.includes(pending.becomes ?? account.status);
  if (!isLive || pending.has('suspend_account')) return [];
  const leaving = isLeaving(policy, target.user);
  return [draft(policy, target, 'suspend_account', { leaving, isBehind: pending.becomes !== undefined })];
}

function unsuspension(
  policy: PreparedPolicy,
  target: Target,
  {
    account,
    pending,
    suspensions,
  }: { account: AccountFacts; pending: PendingWork; suspensions: readonly OpenSuspension[] },
): DraftTask[] {
  const isSuspended = (pending.becomes ?? account.status) === 'SUSPENDED';
  if (!isSuspended || pending.has('unsuspend_account') || isNotBack(policy, target.user)) return [];
  const which = endedBy(policy);
  // When the task is due, other suspensions may be in force than now.
  if (policy.policy.delay === null && suspensions.some((one) => !endsWith(which, one))) return [];
  const isBehind = pending.becomes !== undefined;
  return [draft(policy, target, 'unsuspend_account', { leaving: which === 'leaving', isBehind })];
}

const deletion = (policy: PreparedPolicy, target: Target, pending: PendingWork): DraftTask[] =>
  pending.has('delete_account') ? [] : [draft(policy, target, 'delete_account')];
