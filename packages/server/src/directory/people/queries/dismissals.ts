import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { personJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { exists, many, one, type RawBuilder, sql, value } from '#kit/sql.ts';

/** The ids of two people, the lower one first. */
export type Pair = readonly [lower: string, higher: string];

/** A pair of people who were marked as different. */
export interface DismissalRow {
  lower: string;
  higher: string;
  /** Null: this person was deleted. */
  dismissed_by: { external_uuid: string; email: string } | null;
  dismissed_at: Date;
}

const view = sql`
  d.lower_id as lower, d.higher_id as higher, d.dismissed_at,
  case when by.id is not null
    then ${personJson('by')} end as dismissed_by`;
/** Without people whom a server of the previous release deleted: it leaves their pairs behind (ADR 17). */
const pairs = sql`
  duplicate_dismissal d
  join platform_user one on one.org_id = d.org_id and one.id = d.lower_id
  join platform_user other on other.org_id = d.org_id and other.id = d.higher_id`;
const joined = sql`
  ${pairs}
  left join platform_user by on by.org_id = d.org_id and by.id = d.dismissed_by`;

/** The latest dismissal comes first. */
export async function listDismissals(db: OrgDb, page: Page): Promise<Slice<DismissalRow>> {
  const counted = await value<number>(db)`
    select count(*) as n from ${pairs} where d.org_id = ${db.orgId}`;
  const rows = await many<DismissalRow>(db)`
    select ${view} from ${joined} where d.org_id = ${db.orgId}
    order by d.dismissed_at desc, d.lower_id, d.higher_id limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

export const findDismissal = (db: OrgDb, [lower, higher]: Pair) => one<DismissalRow>(db)`
    select ${view} from ${joined}
    where d.org_id = ${db.orgId} and d.lower_id = ${lower} and d.higher_id = ${higher}`;

/** Returns whether the pair was not dismissed before. */
export const insertDismissal = (tx: OrgTx, [lower, higher]: Pair, dismissedBy: string) => exists(tx)`
    insert into duplicate_dismissal (org_id, lower_id, higher_id, dismissed_by)
    values (${tx.orgId}, ${lower}, ${higher}, ${dismissedBy})
    on conflict (org_id, lower_id, higher_id) do nothing returning lower_id`;

/** Returns whether the pair was dismissed. */
export const deleteDismissal = (tx: OrgTx, [lower, higher]: Pair) => exists(tx)`
    delete from duplicate_dismissal
    where org_id = ${tx.orgId} and lower_id = ${lower} and higher_id = ${higher} returning lower_id`;

/** Whether the pair of two columns was dismissed. */
export const isDismissed = (org: Org, lower: string, higher: string): RawBuilder<unknown> => sql`exists (
  select from duplicate_dismissal d
  where d.org_id = ${org.orgId} and d.lower_id = ${sql.ref(lower)} and d.higher_id = ${sql.ref(higher)})`;
