import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import type { OpenReviewOfPerson } from '../../campaigns/cycle.ts';
import { isReviewedBy, type ReviewingPerson } from '../../reviewers/queries/reviewing.ts';

/** The open cycles with undecided items about these people, due first. */
export const openReviewsOfPeople = (
  db: OrgDb,
  reviewer: ReviewingPerson,
  userIds: readonly string[],
) => many<OpenReviewOfPerson>(db)`
    select i.user_id as "user", y.id as external_uuid, y.settings ->> 'name' as name, y.due_at, count(*) as undecided,
      count(*) filter (where ${isReviewedBy(db, reviewer)}) as to_decide
    from review_cycle y
    join review_item i on i.org_id = ${db.orgId} and i.cycle_id = y.id and i.user_id = any(${userIds}::uuid[])
      and i.decision is null
    where y.org_id = ${db.orgId} and y.status = 'in_progress'
    group by i.user_id, y.id, y.settings, y.due_at
    order by y.due_at nulls last, y.id`;
