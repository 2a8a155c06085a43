import { type RawBuilder, sql } from 'kysely';

/** The name of a policy, or null if it was deleted. `policyId` is an SQL expression. */
export const policyName = (orgId: string, policyId: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`(select p.name from policy p where p.org_id = ${orgId} and p.id = ${policyId})`;
