import type { Db, OrgDb } from '#kit/database.ts';
import { type RawBuilder, sql, value, values } from '#kit/sql.ts';
import type { AccountSort } from '../account-view.ts';

type UseSort = 'last_sign_in' | '-last_sign_in';

export const isByUse = (sort: AccountSort): sort is UseSort =>
  sort === 'last_sign_in' || sort === '-last_sign_in';

interface UseOrder {
  /** The apps of the list, or null for all. */
  apps: string[] | null;
  /** The condition on the account `a`. */
  where: RawBuilder<unknown>;
  sort: UseSort;
}

/**
 * Returns the ids on a page of accounts in the order of their last sign-in. Accounts without a known one come last, in both
 * orders: otherwise, all accounts of the apps that do not report sign-ins would come before those that were not used for
 * the longest time. An index has the order of the others, so the two parts are read one after the other.
 */
export async function idsByUse(
  db: OrgDb,
  { apps, where, sort }: UseOrder,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const direction = sort === '-last_sign_in' ? sql`desc` : sql`asc`;
  const ofApps = apps?.length === 1 ? sql`d.app_id = ${apps[0]}` : sql`d.app_id = any(${apps}::uuid[])`;
  const used = sql`
    account_detail d join account a on a.org_id = ${db.orgId} and a.id = d.account_id
    where d.org_id = ${db.orgId} and d.last_sign_in_at is not null and ${apps === null ? sql`true` : ofApps} and ${where}`;
  const first = await idsOf(
    db.db,
    sql`select d.account_id as id from ${used}
      order by d.last_sign_in_at ${direction}, d.account_id ${direction} limit ${limit} offset ${offset}`,
  );
  if (first.length === limit) return first;
  const skipped = first.length > 0 ? offset : await countUpTo(db.db, used, offset);
  const unused = sql`
    select a.id from account a
    where ${where} and not exists (
      select from account_detail d
      where d.org_id = ${db.orgId} and d.account_id = a.id and d.last_sign_in_at is not null)
    order by a.org_id ${direction}, a.id ${direction} limit ${limit - first.length} offset ${offset - skipped}`;
  return [...first, ...(await idsOf(db.db, unused))];
}

const idsOf = (db: Db, query: RawBuilder<unknown>) => values<string>(db)`${query}`;

/** Returns the number of rows that a query finds, at most `most`. `found` begins after "from". */
const countUpTo = (db: Db, found: RawBuilder<unknown>, most: number) => value<number>(db)`
    select count(*) as n from (select from ${found} limit ${most}) as counted`;
