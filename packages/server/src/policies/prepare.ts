import { type Condition, compileCondition } from '../platform/cel.ts';
import type { Db } from '../platform/database/open.ts';
import { afterDelay } from './delay.ts';
import { ALL_APPS, hasEffect, type PolicySpec, VARIABLES } from './policy.ts';
import { now } from './queries/firing.ts';
import type { Entitlement } from './queries/targets.ts';
import * as queries from './queries/targets.ts';
import type { Reach } from './targets.ts';

/** A policy with its condition compiled and its apps and entitlements loaded, for any number of targets. */
export interface PreparedPolicy {
  policy: PolicySpec & { id: string };
  condition: Condition;
  reach: Reach;
  /** By app, the existing entitlements that grant and revoke effects name. */
  grants: Map<string, Entitlement[]>;
  revokes: Map<string, Entitlement[]>;
  /** The day in UTC, as conditions see it. */
  today: string;
  /** When its tasks are due. */
  executeAfter: Date;
}

export async function preparePolicy(
  db: Db,
  orgId: string,
  policy: PreparedPolicy['policy'],
): Promise<PreparedPolicy> {
  const { effects } = policy;
  const everywhere = effects.some(({ app }) => app === ALL_APPS);
  const apps = await queries.appsAmong(db, orgId, everywhere ? null : effects.map(({ app }) => app));
  const granting = apps.filter((app) => app.takes_accounts && hasEffect(effects, app.id, 'grant'));
  const named = await queries.entitlementsNamed(db, orgId, namesIn(policy));
  const byApp = (removing: boolean) =>
    Map.groupBy(
      named.filter((one) => one.removing === removing),
      ({ app_id }) => app_id,
    );
  const time = await now(db);
  return {
    policy,
    condition: compileCondition(policy.condition, VARIABLES),
    reach: { apps, granting: new Set(granting.map(({ id }) => id)) },
    grants: byApp(false),
    revokes: byApp(true),
    today: time.toISOString().slice(0, 10),
    executeAfter: afterDelay(time, policy.delay),
  };
}

const namesIn = ({ effects }: PolicySpec) =>
  effects.flatMap(({ do: kind, app, memberships, assignments }) =>
    Object.entries({ ...memberships, ...assignments }).flatMap(([slug, ids]) =>
      ids.map((id) => ({ app_id: app, slug, id, removing: kind === 'revoke' })),
    ),
  );
