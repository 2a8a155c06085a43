import type { Scope } from '#inventory/records/history/scope-facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, type RawBuilder, sql, value } from '#kit/sql.ts';
import type { Settings } from './cycle.ts';

/** The person who decided a review item, or null. `itemId` is an SQL expression. */
export const reviewerOf = (org: Org, itemId: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<
    string | null
  >`(select ri.decided_by from review_item ri where ri.org_id = ${org.orgId} and ri.id = ${itemId})`;

/** The decided review items. Columns: org_id, id, cycle_id, decided_at. */
export const decidedItems = sql`(
  select org_id, id, cycle_id, decided_at from review_item where decision is not null)`;

/** Returns when somebody last decided about the group or license with this alias. Items that nobody decided in time do not count. */
export const lastReviewOf = (org: Org, entitlement: string): RawBuilder<Date | null> => sql`(
  select max(lr.decided_at) from review_item lr
  where lr.org_id = ${org.orgId} and lr.entitlement_id = ${sql.ref(`${entitlement}.id`)} and lr.decided_by is not null)`;

/**
 * The completed cycles with items about a scope, as `at` and the kind `review`. `apps` null: of all apps. The times are SQL.
 */
export function completedReviews(
  org: Org,
  scope: Scope,
  apps: readonly string[] | null,
  { from, to }: { from: RawBuilder<unknown>; to: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const about =
    'account' in scope && scope.account !== undefined
      ? sql`ri.account_id = ${scope.account}::uuid`
      : 'user' in scope
        ? sql`ri.user_id = ${scope.user}::uuid`
        : 'entitlement' in scope
          ? sql`ri.entitlement_id = ${scope.entitlement}::uuid`
          : 'app' in scope
            ? sql`ri.app_id = ${scope.app}::uuid`
            : sql`true`;
  return sql`
    select y.completed_at as at, 'review' as kind from review_cycle y
    where y.org_id = ${org.orgId} and y.status = 'completed' and y.completed_at between ${from} and ${to}
      and exists (
        select from review_item ri
        where ri.org_id = ${org.orgId} and ri.cycle_id = y.id and ${about}
          and ${apps === null ? sql`true` : sql`ri.app_id = any(${apps}::uuid[])`})`;
}

export interface Campaign {
  id: string;
  settings: Settings;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
  last_empty_at: Date | null;
  /** When the next scheduled cycle opens. */
  next_opens_at: Date | null;
}

export const campaignView = (org: Org) => sql`
  c.id, c.settings, c.created_by, c.created_at, c.updated_at, c.last_empty_at,
  (select y.opens_at from review_cycle y where y.org_id = ${org.orgId} and y.campaign_id = c.id and y.begun_at is null)
    as next_opens_at`;

/** Newest first. */
export async function listCampaigns(db: OrgDb, page: Page): Promise<Slice<Campaign>> {
  const where = sql`c.org_id = ${db.orgId} and c.deleted_at is null`;
  const counted = await value<number>(db)`select count(*) as n from review_campaign c where ${where}`;
  const rows = await many<Campaign>(db)`
    select ${campaignView(db)} from review_campaign c where ${where}
    order by c.id desc limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

/** An open cycle in brief. */
export interface OpenCycle {
  external_uuid: string;
  review: string;
  name: string;
  due_at: Date | null;
  items: number;
  decided: number;
}

/** Returns open cycles, the first to be due first. */
export const listOpenCycles = (db: OrgDb, limit: number) => many<OpenCycle>(db)`
    select y.id as external_uuid, y.campaign_id as review, y.settings ->> 'name' as name, y.due_at, y.items,
      y.kept + y.revoked as decided
    from review_cycle y
    where y.org_id = ${db.orgId} and y.status = 'in_progress'
    order by y.due_at nulls last, y.id limit ${limit}`;
