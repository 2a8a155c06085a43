import { compileCondition } from '#kit/cel.ts';
import { fieldsRead, type Reads } from '#kit/cel-fields.ts';
import type { OrgDb } from '#kit/database.ts';
import { localTime } from '#kit/identity.ts';
import type { Decision } from '#proposals/change.ts';
import { afterDelay } from './delay.ts';
import { ALL_APPS, hasEffect, type Policy, type PolicySpec, VARIABLES } from './policy.ts';
import type { AppFacts, Entitlement, Wanted } from './queries/targets.ts';
import * as queries from './queries/targets.ts';
import { triggerHolds } from './queries/trigger.ts';
import { creationSentences } from './sentences.ts';
import { FIELDS, type MatchingPolicy } from './targets.ts';

/** A policy with its condition compiled and its apps and entitlements loaded, for any number of targets. */
export interface PreparedPolicy extends MatchingPolicy {
  policy: PolicySpec & { id: string };
  /** The decision that its tasks and grants name. */
  decision: Decision;
  /** By app, the existing entitlements that grant and revoke effects name. */
  grants: Map<string, Entitlement[]>;
  revokes: Map<string, Entitlement[]>;
  /** When its tasks are due. */
  executeAfter: Date;
}

/** A policy as it was written, and who is responsible for what it does. */
type Prepared = PreparedPolicy['policy'] & Partial<Pick<Policy, 'enabled_by' | 'created_by'>>;

export async function preparePolicy(db: OrgDb, policy: Prepared): Promise<PreparedPolicy> {
  const { effects } = policy;
  const everywhere = effects.some(({ app }) => app === ALL_APPS);
  const apps = await queries.appsAmong(db, everywhere ? null : effects.map(({ app }) => app));
  const granting = apps.filter((app) => app.takes_accounts && hasEffect(effects, app.id, 'grant'));
  const named = await queries.entitlementsNamed(db, namesIn(policy));
  const byApp = (removing: boolean) =>
    Map.groupBy(
      named.filter((one) => one.removing === removing),
      ({ app_id }) => app_id,
    );
  const { now, today } = await localTime(db);
  return {
    policy,
    decision: decisionOf(policy),
    ...matchingPolicy(policy.condition, { apps, granting }, today, effects),
    grants: byApp(false),
    revokes: byApp(true),
    holds: triggerHolds(db, policy, today),
    executeAfter: afterDelay(now, policy.delay),
  };
}

const decisionOf = ({ id, name, enabled_by, created_by }: Prepared): Decision => ({
  ...{ kind: 'policy', id, label: name, reason: creationSentences.task_of_policy({ name }) },
  decidedBy: enabled_by ?? created_by ?? null,
});

/** Returns what finding the matches of a condition needs. With `effects`, also what these need. */
export function matchingPolicy(
  condition: string,
  { apps, granting }: { apps: readonly AppFacts[]; granting: readonly AppFacts[] },
  today: string,
  effects: PolicySpec['effects'] = [],
): MatchingPolicy {
  const reads = fieldsRead(condition, VARIABLES);
  return {
    condition: compileCondition(condition, VARIABLES),
    reads,
    wanted: wantedFor(reads, effects),
    reach: { apps, granting: new Set(granting.map(({ id }) => id)) },
    today,
  };
}

/** The fields of a person that effects and previews need. */
const NEEDED = ['id', 'email', 'first_name', 'last_name', 'status', 'start_date', 'end_date'];

/** Returns the fields to load: those that the condition reads, and those that the effects and the preview need. */
function wantedFor(reads: Reads, effects: PolicySpec['effects']): Wanted {
  const fields = (variable: 'user' | 'account') => {
    const read = reads.get(variable) ?? new Set();
    const known = Object.keys(FIELDS[variable]);
    return known.filter((field) => read === 'all' || read.has(field));
  };
  const account = fields('account');
  return {
    person: [...new Set([...NEEDED, 'end_date', ...fields('user')])],
    account,
    held:
      account.some((field) => field === 'memberships' || field === 'assignments') ||
      effects.some(({ do: kind }) => kind === 'grant' || kind === 'revoke'),
  };
}

const namesIn = ({ effects }: PolicySpec) =>
  effects.flatMap(({ do: kind, app, memberships, assignments }) =>
    Object.entries({ ...memberships, ...assignments }).flatMap(([slug, ids]) =>
      ids.map((id) => ({ app_id: app, slug, id, removing: kind === 'revoke' })),
    ),
  );
