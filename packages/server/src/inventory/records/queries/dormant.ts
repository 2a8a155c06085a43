import { type RawBuilder, sql } from 'kysely';
import type { Org } from '../../../kit/database/organization.ts';
import { daysAgo, isDormant, isUsable, observedApps } from '../facts.ts';

/** Which accounts to list by their last sign-in. Unset parts do not matter. */
export interface UseFilter {
  /** Accounts whose last sign-in is earlier. */
  lastSignInBefore?: string | null;
  /** Accounts that were not used for this number of days, and were known for as long if they never were. */
  notUsedForDays?: number | null;
  /** Accounts of which no sign-in is known, although their app says when accounts were used. */
  neverUsed?: boolean;
}

export interface UseCondition {
  /** Selects the `account_id` of each account that may fit, once, through an index. */
  candidates: RawBuilder<unknown>;
  matches: RawBuilder<boolean>;
  /** Whether the app of the account says when accounts were used. Much cheaper than `matches`. */
  isObserved: RawBuilder<boolean>;
}

/**
 * The conditions of a filter on the account with this alias. Empty if the filter names none. `apps` are those of the list,
 * or null for all. Each account of an app that says when accounts were used has a row of details.
 */
export function useConditions(
  org: Org,
  account: string,
  apps: string[] | null,
  { lastSignInBefore, notUsedForDays, neverUsed }: UseFilter,
): UseCondition[] {
  const observed = sql`any(${observedApps(org, apps)})`;
  const never = sql`d.last_sign_in_at is null`;
  const earlier = (start: RawBuilder<unknown>) => sql`d.last_sign_in_at < ${start}`;
  const among = (...sets: RawBuilder<unknown>[]) =>
    sql.join(
      sets.map(
        (when) => sql`
    select d.account_id from account_detail d where d.org_id = ${org.orgId} and d.app_id = ${observed} and ${when}`,
      ),
      sql` union all `,
    );
  const has = (when: RawBuilder<unknown>) => sql<boolean>`exists (
    select from account_detail d
    where d.org_id = ${org.orgId} and d.account_id = ${sql.ref(`${account}.id`)} and ${when})`;

  const isObserved = sql<boolean>`${sql.ref(`${account}.app_id`)} = ${observed}`;
  const parts: UseCondition[] = [];
  if (lastSignInBefore != null) {
    const when = earlier(sql`${lastSignInBefore}::timestamptz`);
    parts.push({ candidates: among(when), matches: has(when), isObserved });
  }
  if (notUsedForDays != null) {
    const candidates = among(earlier(daysAgo(notUsedForDays)), never);
    parts.push({ candidates, matches: isDormant(org, account, notUsedForDays, apps), isObserved });
  }
  if (neverUsed)
    parts.push({
      candidates: among(never),
      matches: sql`(${has(never)} and ${isUsable(account)})`,
      isObserved,
    });
  return parts;
}
