import { type RawBuilder, sql } from 'kysely';

/** The person who decided a review item, or null. `itemId` is an SQL expression. */
export const reviewerOf = (orgId: string, itemId: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<
    string | null
  >`(select ri.decided_by from review_item ri where ri.org_id = ${orgId} and ri.id = ${itemId})`;
