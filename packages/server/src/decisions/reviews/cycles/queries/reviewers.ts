import type { OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many } from '#kit/sql.ts';

/** How far a reviewer is. An item of several reviewers counts for each of them. */
export interface ReviewerProgress {
  /** Null: the administrators, who decide items without reviewers. */
  reviewer: { external_uuid: string; email: string; name: string } | null;
  items: number;
  decided: number;
  open: number;
  /** Items that nobody had decided by the due date. */
  overdue: number;
}

/** Those with the most undecided items first. */
export async function listReviewers(
  db: OrgDb,
  cycleId: string,
  page: Page,
): Promise<Slice<ReviewerProgress>> {
  const rows = await many<ReviewerProgress & { n: number }>(db)`
    with assigned as (
      select given.id, i.decision, i.decided_by, y.due_at
      from review_item i
      join review_cycle y on y.org_id = ${db.orgId} and y.id = i.cycle_id
      left join lateral unnest(i.reviewers) as given (id) on true
      where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId}
    ), progress as (
      select id, count(*)::integer as items, count(decided_by)::integer as decided,
        (count(*) filter (where decision is null and due_at > clock_now()))::integer as open
      from assigned group by id
    )
    select case when p.id is not null then jsonb_build_object('external_uuid', p.id, 'email', coalesce(u.email, ''),
        'name', trim(coalesce(u.first_name || ' ' || u.last_name, ''))) end as reviewer,
      p.items, p.decided, p.open, p.items - p.decided - p.open as overdue, (count(*) over ())::integer as n
    from progress p left join platform_user u on u.org_id = ${db.orgId} and u.id = p.id
    order by p.items - p.decided desc, u.email, p.id
    limit ${page.limit} offset ${page.offset}`;
  return { count: rows[0]?.n ?? 0, results: rows.map(({ n, ...row }) => row) };
}
