import { endsWith, type OpenSuspension } from '#reasons/suspensions/facts.ts';
import type { Ended } from '#reasons/suspensions/suspension.ts';
import type { Action, Precondition } from '#work/provisioning/task.ts';
import type { Trigger } from './filters.ts';
import { concerns, hasEffect } from './policy.ts';
import type { PreparedPolicy } from './prepare.ts';
import type { AccountFacts, AppFacts, Entitlement, OpenWork, PersonFacts } from './queries/targets.ts';
import { revocationOf } from './revoked.ts';
import type { EffectKind } from './schemas.ts';
import type { Target } from './targets.ts';

/** A task for one target, before it is known which subject triggered it. */
export interface DraftTask {
  action: Action;
  app: AppFacts;
  user: PersonFacts | null;
  account: AccountFacts | null;
  add: Entitlement[];
  remove: Entitlement[];
  executeAfter: Date;
  /** Whether it suspends because the person leaves, or ends only such suspensions (D73). */
  leaving: boolean;
  preconditions: Precondition[];
}

/** A suspension that the policy begins, or those that it ends, in an account that stays suspended: no task is needed (D73). */
export interface SuspensionChange {
  does: 'begin' | 'end';
  app: AppFacts;
  user: PersonFacts | null;
  account: AccountFacts;
  leaving: boolean;
}

/** The part of a policy's grant effects for one target that needs no task. */
export interface Granted {
  /** Access that the account already has, or gets from an open task: no task gives it, and its grant begins (D73). Null: the account itself. */
  held: (string | null)[];
  /** Access that people took away. Null: the account itself. */
  missing: (Entitlement | null)[];
}

/** Returns what the policy grants to a target without a task. */
export function grantedTo(policy: PreparedPolicy, target: Target, open: OpenWork[]): Granted {
  const { user, account, app, isMain } = target;
  const wants = (kind: EffectKind) => hasEffect(policy.policy.effects, app.id, kind);
  if (!wants('grant') || !isMain || user?.status === 'deactivated' || (account !== null && wants('delete')))
    return { held: [], missing: [] };
  const named = policy.grants.get(app.id) ?? [];
  const isRevoked = (id: string | null) => revocationOf(policy, target, id) !== undefined;
  if (account === null || account.status === 'INACTIVE')
    return {
      held: [],
      missing: isRevoked(null) ? [null] : named.filter(({ entitlement_id }) => isRevoked(entitlement_id)),
    };
  if (named.length === 0) return { held: [null], missing: [] };
  const pending = open.length === 0 ? NOTHING_PENDING : pendingWork(policy, open);
  const own = new Set(account.held.map(({ entitlement_id }) => entitlement_id));
  const isHeld = ({ entitlement_id: id }: Entitlement) => own.has(id) || pending.adds(id);
  const revoked = new Set((policy.revokes.get(app.id) ?? []).map(({ entitlement_id }) => entitlement_id));
  const stays = ({ entitlement_id: id }: Entitlement) => !pending.removes(id) && !revoked.has(id);
  return {
    held: named.flatMap((one) => (isHeld(one) && stays(one) ? one.entitlement_id : [])),
    missing: named.filter((one) => !isHeld(one) && isRevoked(one.entitlement_id)),
  };
}

/**
 * Returns the tasks that the policy's effects need on one matching target. Effects that already hold, or that an open
 * task brings about in time, need none. `isGranted`: a person granted the account or something in it.
 */
export function tasksFor(
  policy: PreparedPolicy,
  target: Target,
  open: OpenWork[],
  { isGranted, suspensions }: { isGranted: boolean; suspensions: readonly OpenSuspension[] },
): DraftTask[] {
  const { app, account } = target;
  const wants = (kind: EffectKind) => hasEffect(policy.policy.effects, app.id, kind);
  const pending = open.length === 0 ? NOTHING_PENDING : pendingWork(policy, open);
  if (account !== null && wants('delete')) return deletion(policy, target, pending);
  return [
    ...(wants('grant') ? grant(policy, target, pending) : []),
    ...(account !== null && wants('revoke') ? revocation(policy, target, account, pending) : []),
    ...(account !== null && wants('suspend') ? suspension(policy, target, account, pending, isGranted) : []),
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
  { executeAfter }: PreparedPolicy,
  { app, user, account }: Target,
  action: Action,
  preconditions: Precondition[],
  changes: { add?: Entitlement[]; remove?: Entitlement[]; leaving?: boolean } = {},
): DraftTask => ({
  action,
  app,
  user,
  account,
  preconditions: [{ kind: 'policy_agrees', user_id: user?.id ?? null }, ...preconditions],
  executeAfter,
  add: changes.add ?? [],
  remove: changes.remove ?? [],
  leaving: changes.leaving ?? false,
});

/** Checked when the task is due (D31): people who have left by then get nothing. */
const whileActive = (user: PersonFacts | null): Precondition[] =>
  user === null ? [] : [{ kind: 'user_active', user_id: user.id }];

/** Checked when the task is due (D31): people who have returned by then keep their access. */
const whileDeactivated = (user: PersonFacts | null): Precondition[] =>
  user?.status === 'deactivated' ? [{ kind: 'user_inactive', user_id: user.id }] : [];

function grant(policy: PreparedPolicy, target: Target, pending: PendingWork): DraftTask[] {
  const { user, account, app, isMain } = target;
  if (!isMain || user?.status === 'deactivated') return [];
  const isRevoked = (id: string | null) => revocationOf(policy, target, id) !== undefined;
  const all = policy.grants.get(app.id) ?? [];
  const named = all.filter(({ entitlement_id }) => !isRevoked(entitlement_id));
  const isNeedless = isRevoked(null) || (named.length === 0 && all.length > 0);
  if (account === null || account.status === 'INACTIVE')
    return user === null || !app.takes_accounts || isNeedless
      ? []
      : [draft(policy, target, 'create_account', whileActive(user), { add: named })];
  const held = new Set(account.held.map(({ entitlement_id }) => entitlement_id));
  const add = named.filter(({ entitlement_id: id }) => !held.has(id) && !pending.adds(id));
  if (add.length === 0) return [];
  const preconditions: Precondition[] = [{ kind: 'change_needed' }, ...whileActive(user)];
  return [draft(policy, target, 'update_account', preconditions, { add })];
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
  if (remove.length === 0) return [];
  const preconditions: Precondition[] = [
    { kind: 'change_needed' },
    { kind: 'not_regranted' },
    { kind: 'not_derived' },
  ];
  return [
    draft(policy, target, 'update_account', [...preconditions, ...whileDeactivated(target.user)], { remove }),
  ];
}

const LIVE = ['NEW', 'INVITED', 'ACTIVE'];

/** The current status is not a precondition if an open task changes it first. */
const inStatus = (pending: PendingWork, statuses: string[]): Precondition[] =>
  pending.becomes === undefined ? [{ kind: 'account_status', in: statuses }] : [];

function suspension(
  policy: PreparedPolicy,
  target: Target,
  account: AccountFacts,
  pending: PendingWork,
  isGranted: boolean,
): DraftTask[] {
  const { user } = target;
  const isLive = LIVE.includes(pending.becomes ?? account.status);
  const hasLeft = user?.end_date != null && user.end_date < policy.today;
  const isKept = isGranted && user?.status === 'active' && !hasLeft && !LEAVING.has(policy.policy.trigger);
  if (!isLive || pending.has('suspend_account') || isKept) return [];
  const preconditions = [...inStatus(pending, LIVE), ...whileDeactivated(user)];
  return [draft(policy, target, 'suspend_account', preconditions, { leaving: isLeaving(policy, user) })];
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
  const { user } = target;
  const isSuspended = (pending.becomes ?? account.status) === 'SUSPENDED';
  if (!isSuspended || pending.has('unsuspend_account') || isNotBack(policy, user)) return [];
  const which = endedBy(policy);
  // When the task is due, other suspensions may be in force than now.
  if (policy.policy.delay === null && suspensions.some((one) => !endsWith(which, one))) return [];
  const preconditions: Precondition[] = [
    ...inStatus(pending, ['SUSPENDED']),
    { kind: 'no_suspension' },
    ...whileActive(user),
  ];
  return [draft(policy, target, 'unsuspend_account', preconditions, { leaving: which === 'leaving' })];
}

const deletion = (policy: PreparedPolicy, target: Target, pending: PendingWork): DraftTask[] =>
  pending.has('delete_account')
    ? []
    : [draft(policy, target, 'delete_account', whileDeactivated(target.user))];
