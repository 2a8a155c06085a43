import { type RawBuilder, sql } from 'kysely';
import type { Org } from '../../kit/database/organization.ts';

/** The name of a policy, or null if it was deleted. `policyId` is an SQL expression. */
export const policyName = (org: Org, policyId: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`(select p.name from policy p where p.org_id = ${org.orgId} and p.id = ${policyId})`;
