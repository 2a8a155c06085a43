import type { OrgTx } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, type RawBuilder, sql, value } from '#kit/sql.ts';
import { differenceColumns } from '../../queries/differences.ts';
import type { PlanCounts, PlanFilter, PlannedChange } from '../view.ts';

/** Where differences come from: queries with the columns of `difference`, and whether they have been carried out. */
export type Source = readonly { applied: boolean; query: RawBuilder<unknown> }[];

const rowsOf = (source: Source) => sql`(
  ${sql.join(
    source.map(
      ({ applied, query }) =>
        sql`select ${differenceColumns}, ${applied}::boolean as applied from (${query}) as q (${differenceColumns})`,
    ),
    sql` union all `,
  )}) as d`;

/** The total order of differences: accounts, memberships, resources. */
export const inOrder = sql`
  case type when 'account' then 1 when 'membership' then 2 else 3 end, account_type, external_id, account_id,
  slug, resource_id, change`;

/** The removals that have not been carried out, as a relation with the columns of `difference`. Null if there can be none. */
export function plannedRemovals(source: Source): RawBuilder<unknown> | null {
  const planned = source.filter(({ applied }) => !applied);
  if (planned.length === 0) return null;
  return sql`(select ${differenceColumns} from ${rowsOf(planned)} where change = 'removed' and account_id is not null)`;
}

/** The accounts and memberships that the app has then, and did not have before, with the columns of `difference`. */
export const whatComes = (source: Source): RawBuilder<unknown> =>
  sql`(select ${differenceColumns} from ${rowsOf(source)} where change in ('created', 'added') and account_id is not null)`;

export async function countDifferences(tx: OrgTx, source: Source): Promise<PlanCounts> {
  const rows = await many<{ type: string; change: string; n: number }>(tx)`
    select type, change, count(*) as n from ${rowsOf(source)} group by type, change`;
  const of = (type: string, change: string) =>
    rows.find((row) => row.type === type && row.change === change)?.n ?? 0;
  const changes = (type: string) => ({
    created: of(type, 'created'),
    changed: of(type, 'changed'),
    removed: of(type, 'removed'),
  });
  return {
    accounts: changes('account'),
    memberships: { added: of('membership', 'added'), removed: of('membership', 'removed') },
    resources: changes('resource'),
  };
}

export async function listDifferences(
  tx: OrgTx,
  source: Source,
  filter: PlanFilter,
  page: Page,
): Promise<Slice<PlannedChange>> {
  const where = conditions(filter);
  const counted = await value<number>(tx)`select count(*) as n from ${rowsOf(source)} where ${where}`;
  const rows = await many<PlannedChange>(tx)`
    with page as materialized (
      select d.*, row_number() over (order by ${inOrder}) as place from ${rowsOf(source)} where ${where}
      order by ${inOrder} limit ${page.limit} offset ${page.offset}
    )
    select page.change, page.type, page.applied,
      case when page.account_type is not null then jsonb_build_object('id', page.account_id,
        'type', page.account_type, 'external_id', page.external_id, 'email', page.email,
        'display_name', page.display_name) end as account,
      case when page.slug is not null then jsonb_build_object('type', page.kind, 'slug', page.slug,
        'id', page.resource_id, 'name', page.resource_name) end as resource,
      (select ${namedPersonJson('u')}
        from platform_user u where u.org_id = ${tx.orgId} and u.id = page.user_id) as person,
      page.before, page.after
    from page order by page.place`;
  return { count: counted, results: rows };
}

function conditions({ type, change, applied, q }: PlanFilter): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (type !== null) parts.push(sql`type = ${type}`);
  if (change !== null) parts.push(sql`change = ${change}`);
  if (applied !== null) parts.push(sql`applied = ${applied}`);
  if (q !== null)
    parts.push(sql`
      position(name_key(${q}) in name_key(concat_ws(' ', email, display_name, external_id, resource_name, resource_id))) > 0`);
  return sql.join(parts, sql` and `);
}
