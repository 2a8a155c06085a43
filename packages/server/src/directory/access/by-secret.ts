import { acrossOrganizations, type Db, isCluster } from '#kit/database.ts';
import { findOrganizationId } from './organization-facts.ts';

/**
 * Finds what belongs to the secret of a caller. A cluster looks at the organization of the address (`slug`) first, which is
 * one shard, and only then at all of them: a valid key also counts under another organization's address (D6). Other
 * databases look at all organizations together: `orgId` is null.
 */
export async function findBySecret<T>(
  db: Db,
  slug: string | undefined,
  find: (db: Db, orgId: string | null) => Promise<T | undefined>,
): Promise<T | undefined> {
  const orgId = isCluster(db) && slug !== undefined ? await findOrganizationId(db, slug) : undefined;
  const found = orgId === undefined ? undefined : await find(db, orgId);
  return found ?? acrossOrganizations(db, (tx) => find(tx, null));
}
