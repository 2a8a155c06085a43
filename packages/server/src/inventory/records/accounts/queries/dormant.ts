import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { daysAgo, isDormant, isUsable, observedApps } from '../facts.ts';

/** A condition on the last sign-in of an account. Each account of an app that says when accounts were used has a row of details. */
export interface Use {
  /** Selects the `account_id` of each account that may fit, once, through an index. */
  candidates: RawBuilder<unknown>;
  matches: RawBuilder<unknown>;
  /** Whether the app of the account says when accounts were used. Much cheaper than `matches`. */
  isObserved: RawBuilder<unknown>;
}

/** An organization, and the apps of a list, or null for all. */
interface Asked extends Org {
  apps: string[] | null;
}

const never = sql`d.last_sign_in_at is null`;
const before = (time: RawBuilder<unknown>) => sql`d.last_sign_in_at < ${time}`;

/** Accounts with this alias whose last sign-in is earlier. */
export function usedBefore(asked: Asked, account: string, time: string): Use {
  const when = before(sql`${time}::timestamptz`);
  return { ...among(asked, account, when), matches: has(asked, account, when) };
}

/** Accounts that were not used for this number of days, and were known for as long if they never were. */
export const notUsedForDays = (asked: Asked, account: string, days: number): Use => ({
  ...among(asked, account, before(daysAgo(days)), never),
  matches: isDormant(asked, account, days, asked.apps),
});

/** Accounts of which no sign-in is known, although their app says when accounts were used. */
export const neverUsed = (asked: Asked, account: string): Use => ({
  ...among(asked, account, never),
  matches: sql`(${has(asked, account, never)} and ${isUsable(account)})`,
});

function among({ orgId, apps }: Asked, account: string, ...sets: RawBuilder<unknown>[]) {
  const observed = sql`any(${observedApps({ orgId }, apps)})`;
  const candidates = sql.join(
    sets.map(
      (when) => sql`
    select d.account_id from account_detail d where d.org_id = ${orgId} and d.app_id = ${observed} and ${when}`,
    ),
    sql` union all `,
  );
  return { candidates, isObserved: sql<boolean>`${sql.ref(`${account}.app_id`)} = ${observed}` };
}

const has = ({ orgId }: Org, account: string, when: RawBuilder<unknown>) => sql<boolean>`exists (
    select from account_detail d
    where d.org_id = ${orgId} and d.account_id = ${sql.ref(`${account}.id`)} and ${when})`;
