import {
  hasOpenCycle,
  itemsWaitingFor,
  reviewersOfItems,
  reviewersOfOpenCycles,
} from '#decisions/reviews/reviewers/facts.ts';
import { hasNoSignIn } from '#directory/sign-in/credentials/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { found, idsIn, withFinding } from '../touched.ts';
import { OF_PEOPLE, OF_REVIEWS, OF_SIGN_IN } from './events.ts';
import { defineKind, type Touched } from './kind.ts';
import { nameOfPerson } from './names.ts';

/** Returns the reviewers of decided items. A new campaign or provider can concern any reviewer. */
async function reviewersConcerned(db: OrgDb, { events }: Touched): Promise<string[]> {
  const items = await found(idsIn(events, 'item_id'), (ids) => reviewersOfItems(db, ids));
  if (!events.some(({ type }) => type.startsWith('campaign.') || type.startsWith('provider.'))) return items;
  return [
    ...items,
    ...(await reviewersOfOpenCycles(db)),
    ...(await withFinding(db, 'reviewer_cannot_sign_in')),
  ];
}

/** A reviewer of undecided items who has no way to sign in. */
export const reviewerCannotSignIn = defineKind({
  severity: 'medium',
  subject: 'person',
  say: findingSentences.finding_reviewer_cannot_sign_in,
  href: (id) => `/people/${id}`,
  action: null,
  rows: (org, within) => sql`
    select u.id as subject_id, null::uuid as app_id, u.id as user_id, w.since,
      jsonb_build_object('person', ${nameOfPerson('u')}, 'count', w.count) as "values"
    from platform_user u cross join lateral ${itemsWaitingFor(org)} w
    where u.org_id = ${org.orgId} and ${hasOpenCycle(org)} and ${within(sql`u.id`)} and ${hasNoSignIn(org)} and w.count > 0`,
  also: reviewersConcerned,
  events: [...OF_REVIEWS, ...OF_SIGN_IN, ...OF_PEOPLE],
});
