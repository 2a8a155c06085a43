import { UndecidedSubjects } from '#directory/people/undecided.ts';
import type { OrgDb } from '#kit/database.ts';
import type { PolicyGateHook } from '#work/provisioning/policy-gate.ts';
import type { PolicyTask } from '#work/provisioning/task.ts';
import { policyUndecided } from './events.ts';
import type { PolicySpec } from './policy.ts';
import { type PreparedPolicy, preparePolicy } from './prepare.ts';
import { policiesThatMade } from './queries/policies.ts';
import { readSubjects, STAGES, type Undecideds } from './targets.ts';

/** The decision of a policy about some people and accounts, as they are now. */
export interface Decision {
  prepared: PreparedPolicy;
  /** The accounts that match, alone and with their person, and the apps in which people match: `<person> <app>`. */
  found: ReadonlySet<string>;
  /** The people, and the accounts of nobody, whom its condition does not decide. */
  undecided: ReadonlySet<string>;
}

/** Lets a policy decide about these people and accounts, its trigger included: who has left, or is still active. */
export async function decideAbout(
  db: OrgDb,
  policy: PolicySpec & { id: string },
  ids: readonly string[],
  collect: Undecideds = { add: () => {} },
): Promise<Decision> {
  const prepared = await preparePolicy(db, policy);
  const found = new Set<string>();
  const undecided = new Set<string>();
  for (const stage of STAGES[policy.trigger]) {
    const { matching } = await readSubjects(db, prepared, stage, { ids });
    const add: Undecideds['add'] = (id, ...more) => {
      undecided.add(id);
      collect.add(id, ...more);
    };
    for (const { account, user, app } of await matching({ add })) {
      if (account !== null) found.add(account.id);
      if (user === null) continue;
      found.add(`${user.id} ${app.id}`);
      if (account !== null) found.add(`${user.id} ${account.id}`);
    }
  }
  return { prepared, found, undecided };
}

/**
 * Decides again about tasks of policies (D74). A changed policy decides with its new condition, and a disabled or deleted one with its
 * last.
 */
export const decideAgain: PolicyGateHook = async (db, tasks) => {
  const disagreed = new Set<string>();
  const undecided = new Set<string>();
  const left: { policy: Parameters<typeof policyUndecided>[0]; subjects: Map<string, Left> }[] = [];
  const policies = await policiesThatMade(db, [...new Set(tasks.map(({ policy_id }) => policy_id))]);
  for (const policy of policies.filter(({ recheck }) => recheck)) {
    const own = tasks.filter(({ policy_id }) => policy_id === policy.id);
    const subjects = new Map<string, Left>();
    const collect: Undecideds = { add: (id, ...more) => void subjects.set(id, [id, ...more]) };
    const ids = [...new Set(own.map((task) => subjectOf(policy, task)))].sort();
    const decision = await decideAbout(db, policy, ids, collect);
    // The condition may read on the account what the policy has changed there itself.
    const readsAccount = decision.prepared.reads.has('account');
    const isChanged = ({ has_begun, action }: PolicyTask) => has_begun || action === 'create_account';
    for (const task of own.filter((one) => !(readsAccount && isChanged(one)))) {
      if (isFound(policy, decision, task)) continue;
      (decision.undecided.has(task.user_id ?? task.account_id) ? undecided : disagreed).add(task.id);
    }
    left.push({ policy, subjects });
  }
  return {
    disagreed,
    undecided,
    tell: (waiting) =>
      left.flatMap(({ policy, subjects }) => {
        const found = new UndecidedSubjects();
        for (const { id, policy_id, user_id, account_id } of tasks) {
          const subject = policy_id === policy.id && waiting.has(id) && subjects.get(user_id ?? account_id);
          if (subject) found.add(...subject);
        }
        const counted = found.found();
        return counted.count === 0 ? [] : [policyUndecided(policy, counted)];
      }),
  };
};

type Left = Parameters<Undecideds['add']>;

const isOfAccounts = ({ trigger }: Pick<PolicySpec, 'trigger'>) => trigger === 'account.discovered';

const subjectOf = (policy: PolicySpec, { user_id, account_id }: PolicyTask) =>
  isOfAccounts(policy) ? account_id : (user_id ?? account_id);

function isFound(policy: PolicySpec, { found }: Decision, task: PolicyTask): boolean {
  const { user_id, account_id, app_id, gives } = task;
  if (user_id === null) return found.has(account_id);
  if (found.has(`${user_id} ${account_id}`)) return true;
  return gives && !isOfAccounts(policy) && found.has(`${user_id} ${app_id}`);
}
