import { type RawBuilder, sql } from 'kysely';

/** Which accounts to list by their last sign-in. Unset parts do not matter. */
export interface UseFilter {
  /** Accounts whose last sign-in is earlier. */
  lastSignInBefore?: string | null;
  /** Accounts that were not used for this number of days, and were known for as long if they never were. */
  notUsedForDays?: number | null;
  /** Accounts of which no sign-in is known, although their app says when accounts were used. */
  neverUsed?: boolean;
}

/** A condition on an account in two forms, because the planner can only guess how many accounts fit. */
interface UseCondition {
  /** Looks for the account in the set of those that fit. For few accounts. */
  isFound: RawBuilder<boolean>;
  /** Looks at the account itself. For a walk along an order of many accounts. */
  matches: RawBuilder<boolean>;
}

/**
 * The apps that say when accounts were used: otherwise, all of their accounts would count as never used. An array that is
 * computed once for the statement.
 */
const observedApps = (orgId: string, apps: string[] | null) => sql`array(
  select p.id from app p
  where p.org_id = ${orgId} and (${apps}::uuid[] is null or p.id = any(${apps}::uuid[])) and exists (
    select from account_detail o where o.org_id = ${orgId} and o.app_id = p.id and o.last_sign_in_at is not null))`;

/** Whether the account with this alias could be used. */
const isUsable = (account: string) => {
  const column = (name: string) => sql.ref(`${account}.${name}`);
  return sql`${column('removed_at')} is null and ${column('status')} <> 'INACTIVE' and ${column('external_id')} is not null`;
};

/**
 * The conditions of a filter on the account with this alias. Empty if the filter names none. `apps` are those of the list,
 * or null for all. Each account of an app that says when accounts were used has a row of details.
 */
export function useConditions(
  orgId: string,
  account: string,
  apps: string[] | null,
  { lastSignInBefore, notUsedForDays, neverUsed }: UseFilter,
): UseCondition[] {
  const id = sql.ref(`${account}.id`);
  const detailsOf = (app: RawBuilder<unknown>) => sql`
    select d.account_id from account_detail d where d.org_id = ${orgId} and d.app_id = ${app}`;
  const observed = sql`any(${observedApps(orgId, apps)})`;
  const earlier = (start: RawBuilder<unknown>) => sql`d.last_sign_in_at < ${start}`;
  const never = sql`d.last_sign_in_at is null`;
  const among = (sets: RawBuilder<unknown>[], more = sql`true`): RawBuilder<boolean> =>
    sql`(${id} in (${sql.join(sets, sql` union all `)}) and ${more})`;
  const has = (when: RawBuilder<unknown>, more = sql`true`): RawBuilder<boolean> => sql`(${more} and exists (
    select from account_detail d where d.org_id = ${orgId} and d.account_id = ${id} and d.app_id = ${observed} and ${when}))`;

  const parts: UseCondition[] = [];
  if (lastSignInBefore != null) {
    const when = earlier(sql`${lastSignInBefore}::timestamptz`);
    parts.push({ isFound: among([sql`${detailsOf(observed)} and ${when}`]), matches: has(when) });
  }
  if (notUsedForDays != null) {
    const start = sql`(clock_now() - make_interval(days => ${notUsedForDays}::integer))`;
    const isKnown = sql`${sql.ref(`${account}.created_at`)} < ${start}`;
    const dormant = sql`(${earlier(start)} or ${never} and ${isKnown})`;
    parts.push({
      isFound: sql`(${among(
        [
          sql`${detailsOf(observed)} and ${earlier(start)}`,
          sql`
    select d.account_id from account_detail d join account n on n.org_id = ${orgId} and n.id = d.account_id
    where d.org_id = ${orgId} and d.app_id = ${observed} and ${never} and n.created_at < ${start}`,
        ],
        isUsable(account),
      )})`,
      matches: has(dormant, isUsable(account)),
    });
  }
  if (neverUsed)
    parts.push({
      isFound: among([sql`${detailsOf(observed)} and ${never}`], isUsable(account)),
      matches: has(never, isUsable(account)),
    });
  return parts;
}
