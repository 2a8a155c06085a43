import { choice, flag, search, text, whole } from '../../parts/address.ts';

export const reviewsSearch = search({ page: whole, new: flag });

export const reviewSearch = search({ page: whole, dialog: choice('start', 'edit', 'delete') });

export const cycleSearch = search({
  /** Shows all items instead of the person's own. */
  all: flag,
  /** Shows the revocations that take effect when the review closes. */
  plan: flag,
  decision: choice('none', 'keep', 'revoke'),
  kind: choice('account', 'membership', 'assignment'),
  app: text,
  user: text,
  page: whole,
});
