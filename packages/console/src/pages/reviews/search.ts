import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';

export const reviewsSearch = search({ page: whole });

export const newReviewSearch = search({ template: text });

export const reviewSearch = search({ page: whole, dialog: choice('start', 'edit', 'delete') });

export const cycleSearch = search({
  /** Shows all items instead of the person's own. */
  all: flag,
  /** Shows the revocations that take effect when the review closes. */
  plan: flag,
  /** Shows how far each reviewer is. */
  reviewers: flag,
  /** Groups the items by person, or by group or license. */
  group: choice('person', 'access'),
  q: text,
  /** Only items of this reviewer. */
  reviewer: text,
  decision: choice('none', 'keep', 'revoke'),
  kind: choice('account', 'membership', 'assignment'),
  app: text,
  user: text,
  page: whole,
});
