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

const column = (account: string, name: string) => sql.ref(`${account}.${name}`);

const signedIn = (orgId: string, account: string, when: RawBuilder<unknown>) => sql`exists (
  select from account_detail d
  where d.org_id = ${orgId} and d.account_id = ${column(account, 'id')} and ${when})`;

/**
 * Whether the account with this alias could be used, and its app says when accounts were used: otherwise, all of its accounts
 * would count as never used.
 */
const isObserved = (orgId: string, account: string) => sql`
  ${column(account, 'removed_at')} is null and ${column(account, 'status')} <> 'INACTIVE'
  and ${column(account, 'external_id')} is not null
  and ${column(account, 'app_id')} in (
    select p.id from app p where p.org_id = ${orgId} and exists (
      select from account_detail d
      where d.org_id = ${orgId} and d.app_id = p.id and d.last_sign_in_at is not null))`;

/** The conditions of a filter on the account with this alias. Empty if the filter names none. */
export function useConditions(
  orgId: string,
  account: string,
  { lastSignInBefore, notUsedForDays, neverUsed }: UseFilter,
): RawBuilder<boolean>[] {
  const ever = signedIn(orgId, account, sql`d.last_sign_in_at is not null`);
  const parts: RawBuilder<boolean>[] = [];
  if (lastSignInBefore != null)
    parts.push(sql`${signedIn(orgId, account, sql`d.last_sign_in_at < ${lastSignInBefore}::timestamptz`)}`);
  if (notUsedForDays != null) {
    const start = sql`(clock_now() - make_interval(days => ${notUsedForDays}::integer))`;
    parts.push(sql`(${isObserved(orgId, account)}
      and not ${signedIn(orgId, account, sql`d.last_sign_in_at >= ${start}`)}
      and (${column(account, 'created_at')} < ${start} or ${ever}))`);
  }
  if (neverUsed) parts.push(sql`(${isObserved(orgId, account)} and not ${ever})`);
  return parts;
}
