import { type RawBuilder, sql } from 'kysely';
import type { Org } from '../../kit/database/organization.ts';

/** The person who decided a review item, or null. `itemId` is an SQL expression. */
export const reviewerOf = (org: Org, itemId: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<
    string | null
  >`(select ri.decided_by from review_item ri where ri.org_id = ${org.orgId} and ri.id = ${itemId})`;
