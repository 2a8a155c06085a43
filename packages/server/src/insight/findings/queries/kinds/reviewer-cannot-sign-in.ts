import { hasOpenCycle, itemsWaitingFor } from '#decisions/reviews/reviewers/facts.ts';
import { hasNoSignIn } from '#directory/sign-in/credentials/facts.ts';
import { sql } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { defineKind } from './kind.ts';
import { nameOfPerson } from './names.ts';

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
});
