import { type Condition, compileCondition } from '../platform/cel.ts';
import type { Db } from '../platform/database/open.ts';
import { grantsOf } from '../provisioning/create.ts';
import type { Action, Precondition } from '../provisioning/task.ts';
import { ALL_APPS, type EffectKind, type PolicySpec, VARIABLES } from './policy.ts';
import { moments } from './queries/firing.ts';
import type { AccountFacts, AppFacts, Held, OpenWork, PersonFacts, Window } from './queries/targets.ts';
import * as queries from './queries/targets.ts';
import { type Reach, STAGES, type Target, targetsIn, variablesOf } from './targets.ts';

export type { Held } from './queries/targets.ts';

/** A task that a policy would create. */
export interface PlannedTask {
  /** The person, or the account that is nobody's or was discovered, as whose it came about. */
  subject: string;
  action: Action;
  app: AppFacts;
  user: PersonFacts | null;
  account: AccountFacts | null;
  add: Held[];
  remove: Held[];
  executeAfter: Date;
  preconditions: Precondition[];
}

/** One that does not know yet as whose it comes about. */
type Draft = Omit<PlannedTask, 'subject'>;

/** A policy, made ready to be asked about any number of targets. */
export interface Ready {
  policy: PolicySpec & { id: string };
  condition: Condition;
  reach: Reach;
  /** By app, what grants and revokes name and is still there. */
  grants: Map<string, Held[]>;
  revokes: Map<string, Held[]>;
  today: string;
  /** When its tasks are to be done. */
  at: Date;
}

export async function ready(db: Db, orgId: string, policy: Ready['policy']): Promise<Ready> {
  const { effects } = policy;
  const everywhere = effects.some(({ app }) => app === ALL_APPS);
  const apps = await queries.appsAmong(db, orgId, everywhere ? null : effects.map(({ app }) => app));
  const granted = apps.filter((app) => app.takes_accounts && does({ policy }, app, 'grant'));
  const refs = effects.flatMap(({ do: kind, app, memberships, assignments }) =>
    Object.entries({ ...memberships, ...assignments }).flatMap(([slug, ids]) =>
      ids.map((id) => ({ app_id: app, slug, id, removing: kind === 'revoke' })),
    ),
  );
  const named = await queries.entitlementsNamed(db, orgId, refs);
  const byApp = (removing: boolean) =>
    Map.groupBy(
      named.filter((one) => one.removing === removing),
      ({ app_id }) => app_id,
    );
  return {
    policy,
    condition: compileCondition(policy.condition, VARIABLES),
    reach: { apps, granting: new Set(granted.map(({ id }) => id)) },
    grants: byApp(false),
    revokes: byApp(true),
    ...(await moments(db, policy.delay)),
  };
}

/** People or accounts that are looked at in one go. */
export const PAGE = 500;

/**
 * All that the policy would create for `subjects` (null: for everyone its trigger can be about): how many tasks, and
 * the first `keep` of them.
 */
export async function planAll(
  db: Db,
  orgId: string,
  policy: Ready,
  subjects: readonly string[] | null,
  keep: number,
): Promise<{ count: number; tasks: PlannedTask[] }> {
  const all = { count: 0, tasks: [] as PlannedTask[] };
  for (const stage of STAGES[policy.policy.trigger].keys()) {
    for (let at = 0, after: string | null = null; ; at += PAGE) {
      const ids = subjects?.slice(at, at + PAGE);
      const page: PlannedPage = await planPage(
        db,
        orgId,
        policy,
        stage,
        ids ? { ids } : { after, limit: PAGE },
      );
      all.count += page.tasks.length;
      all.tasks.push(...page.tasks.slice(0, keep - all.tasks.length));
      after = page.last ?? null;
      if (subjects === null ? after === null : at + PAGE >= subjects.length) break;
    }
  }
  return all;
}

interface PlannedPage {
  tasks: PlannedTask[];
  /** The last id that was looked at; undefined where there was nobody left. */
  last: string | undefined;
}

export async function planPage(
  db: Db,
  orgId: string,
  policy: Ready,
  stage: number,
  window: Window,
): Promise<PlannedPage> {
  const kind = STAGES[policy.policy.trigger][stage];
  if (kind === undefined) return { tasks: [], last: undefined };
  const { targets, last } = await targetsIn(db, orgId, policy.reach, kind, window);
  const fitting = targets.filter((target) => policy.condition.matches(variablesOf(target, policy.today)));
  const accounts = fitting.flatMap(({ account }) => account ?? []);
  const ids = accounts.map(({ id }) => id);
  const openOf = Map.groupBy(await queries.openWorkOn(db, orgId, ids), ({ account_id }) => account_id);
  const kept = await keptAccounts(db, orgId, policy, ids);
  const tasks = fitting.flatMap((target) => {
    const open = openOf.get(target.account?.id ?? '') ?? [];
    const subject = (kind.of === 'people' ? target.user?.id : target.account?.id) ?? '';
    const planned = tasksFor(policy, target, open, kept.has(target.account?.id ?? ''));
    return planned.map((task) => ({ ...task, subject }));
  });
  return { tasks, last };
}

/** The accounts that a person decided to give, or to give something: a policy may take that back only if it says so. */
async function keptAccounts(db: Db, orgId: string, { policy }: Ready, accountIds: string[]) {
  if (accountIds.length === 0 || !policy.effects.some((effect) => effect.do === 'suspend')) return new Set();
  const decided = (await grantsOf(db, orgId, accountIds)).filter(
    ({ task_type }) => task_type === 'USER_ACTION' || task_type === 'APPROVAL_WORKFLOW',
  );
  return new Set(decided.map(({ account_id }) => account_id));
}

const does = ({ policy }: Pick<Ready, 'policy'>, app: AppFacts, kind: EffectKind) =>
  policy.effects.some((effect) => effect.do === kind && (effect.app === ALL_APPS || effect.app === app.id));

/** The effects on one target that fits, as tasks: only what is not so already, nor about to be. */
function tasksFor(policy: Ready, target: Target, open: OpenWork[], kept: boolean): Draft[] {
  const { app, account } = target;
  const wants = (kind: EffectKind) => does(policy, app, kind);
  const work = workOf(policy, open);
  if (account !== null && wants('delete')) return removal(policy, target, work);
  return [
    ...(wants('grant') ? grant(policy, target, work) : []),
    ...(account !== null && wants('revoke') ? revoke(policy, target, account, work) : []),
    ...(account !== null && wants('suspend') ? suspension(policy, target, account, work, kept) : []),
    ...(account !== null && wants('unsuspend') ? unsuspension(policy, target, account, work) : []),
  ];
}

interface Work {
  has(action: Action): boolean;
  adds(entitlementId: string): boolean;
  removes(entitlementId: string): boolean;
  /** What the account will be once its open tasks are done, where one of them decides that. */
  becomes: 'ACTIVE' | 'SUSPENDED' | undefined;
}

/** The open tasks that count: this policy's own, and those whose turn is no later than ours would be. */
function workOf({ policy, at }: Ready, open: OpenWork[]): Work {
  const counting = open.filter((task) => task.policy_id === policy.id || task.execute_after <= at);
  const decides = counting.findLast(({ action }) => /^(un)?suspend_account$/.test(action));
  return {
    has: (action) => counting.some((task) => task.action === action),
    adds: (id) => counting.some(({ added }) => added.includes(id)),
    removes: (id) => counting.some(({ removed }) => removed.includes(id)),
    becomes: decides && (decides.action === 'suspend_account' ? 'SUSPENDED' : 'ACTIVE'),
  };
}

const task = (
  { at }: Ready,
  { app, user, account }: Target,
  action: Action,
  preconditions: Precondition[],
  changes: { add?: Held[]; remove?: Held[] } = {},
): Draft => ({
  ...{ action, app, user, account, preconditions },
  ...{ add: [], remove: [], ...changes },
  executeAfter: at,
});

/** To be looked at again when its turn comes (D31): nothing is given to somebody who has left meanwhile. */
const whileActive = (user: PersonFacts | null): Precondition[] =>
  user === null ? [] : [{ kind: 'user_active', user_id: user.id }];

/** What is taken because somebody left is not taken if they have come back meanwhile (D31). */
const whileGone = (user: PersonFacts | null): Precondition[] =>
  user?.status === 'deactivated' ? [{ kind: 'user_inactive', user_id: user.id }] : [];

function grant(policy: Ready, target: Target, work: Work): Draft[] {
  const { user, account, app, main } = target;
  if (!main || user?.status === 'deactivated') return [];
  const named = policy.grants.get(app.id) ?? [];
  if (account === null || account.status === 'INACTIVE')
    return user === null || !app.takes_accounts
      ? []
      : [task(policy, target, 'create_account', whileActive(user), { add: named })];
  const held = new Set(account.held.map(({ entitlement_id }) => entitlement_id));
  const add = named.filter(({ entitlement_id: id }) => !held.has(id) && !work.adds(id));
  if (add.length === 0) return [];
  return [task(policy, target, 'update_account', [{ kind: 'change_needed' }, ...whileActive(user)], { add })];
}

/** Named groups and licenses; all that the account holds where the policy names none. */
function revoke(policy: Ready, target: Target, account: AccountFacts, work: Work): Draft[] {
  const ids = new Set((policy.revokes.get(target.app.id) ?? []).map(({ entitlement_id }) => entitlement_id));
  const takesAll = policy.policy.effects.some(
    (effect) =>
      effect.do === 'revoke' &&
      (effect.app === ALL_APPS || effect.app === target.app.id) &&
      Object.keys({ ...effect.memberships, ...effect.assignments }).length === 0,
  );
  const remove = account.held.filter(
    ({ entitlement_id: id }) => (takesAll || ids.has(id)) && !work.removes(id),
  );
  if (remove.length === 0) return [];
  const preconditions: Precondition[] = [{ kind: 'change_needed' }, { kind: 'not_regranted' }];
  return [task(policy, target, 'update_account', [...preconditions, ...whileGone(target.user)], { remove })];
}

const LIVE = ['NEW', 'INVITED', 'ACTIVE'];

/** Where an open task is going to change the account's state, what it is now says nothing. */
const inState = (work: Work, states: string[]): Precondition[] =>
  work.becomes === undefined ? [{ kind: 'account_status', in: states }] : [];

/** `kept`: somebody decided that the account, or something of it, be there. That is in force while its person is here. */
function suspension(
  policy: Ready,
  target: Target,
  account: AccountFacts,
  work: Work,
  kept: boolean,
): Draft[] {
  const { user } = target;
  const isLive = LIVE.includes(work.becomes ?? account.status);
  if (!isLive || work.has('suspend_account') || (kept && user?.status === 'active')) return [];
  return [task(policy, target, 'suspend_account', [...inState(work, LIVE), ...whileGone(user)])];
}

function unsuspension(policy: Ready, target: Target, account: AccountFacts, work: Work): Draft[] {
  const { user } = target;
  const isSuspended = (work.becomes ?? account.status) === 'SUSPENDED';
  if (!isSuspended || work.has('unsuspend_account') || user?.status === 'deactivated') return [];
  return [task(policy, target, 'unsuspend_account', [...inState(work, ['SUSPENDED']), ...whileActive(user)])];
}

const removal = (policy: Ready, target: Target, work: Work): Draft[] =>
  work.has('delete_account') ? [] : [task(policy, target, 'delete_account', whileGone(target.user))];
