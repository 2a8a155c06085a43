import type { Db, OrgDb } from '#kit/database.ts';
import { countLimit, type Page } from '#kit/pages.ts';
import { many, type RawBuilder, sql, value } from '#kit/sql.ts';
import type { AccountSort } from '../account-view.ts';
import { idsByUse, isByUse } from './by-use.ts';

/** Total orders (D9). Those with a reverse have an index. */
export const ORDER: Record<AccountSort, [order: RawBuilder<unknown>, reverse?: RawBuilder<unknown>]> = {
  created: [sql`a.org_id, a.id`, sql`a.org_id desc, a.id desc`],
  '-created': [sql`a.org_id desc, a.id desc`, sql`a.org_id, a.id`],
  email: [sql`a.org_id, lower(a.email), a.id`, sql`a.org_id desc, lower(a.email) desc, a.id desc`],
  '-email': [sql`a.org_id desc, lower(a.email) desc, a.id desc`, sql`a.org_id, lower(a.email), a.id`],
  last_sign_in: [sql`ad.last_sign_in_at nulls last, a.id`],
  '-last_sign_in': [sql`ad.last_sign_in_at desc nulls last, a.id desc`],
};

/** Returns a query of the ids on a page of the accounts that meet a condition. */
export async function idsInOrder(
  db: OrgDb,
  { sort, apps }: { sort: AccountSort; apps: string[] | null },
  where: RawBuilder<unknown>,
  { order, limit, offset }: Page & { order: RawBuilder<unknown> },
): Promise<RawBuilder<unknown>> {
  if (!isByUse(sort))
    return sql`select a.id from account a where ${where} order by ${order} limit ${limit} offset ${offset}`;
  const ids = await idsByUse(db, { apps, sort, where }, { limit, offset });
  return sql`select unnest(${ids}::uuid[]) as id`;
}

/** Returns the number of the accounts that a query finds, and the ids on a page of them. `found` begins after "from". */
export async function sortedIds(
  db: OrgDb,
  found: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  page: Page,
): Promise<{ n: number; ids: string[] }> {
  const rows = await many<{ n: number; ids: string[] }>(db)`
    with found as materialized (select a.org_id, a.id, a.email from ${found})
    select (select count(*) from found) as n,
      array(
        select a.id from found a left join account_detail ad on ad.org_id = ${db.orgId} and ad.account_id = a.id
        order by ${order} limit ${page.limit} offset ${page.offset}) as ids`;
  return rows[0] ?? { n: 0, ids: [] };
}

/** Returns a query that counts as many of the accounts that meet a condition as the page needs. */
export const countQuery = (where: RawBuilder<unknown>, page: Page) =>
  sql`select count(*) as n from (select from account a where ${where} limit ${countLimit(page)}) as found`;

export async function countAccounts(db: Db, counting: RawBuilder<unknown>): Promise<number> {
  return value<number>(db)`${counting}`;
}
