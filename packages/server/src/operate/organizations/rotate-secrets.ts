import { listOrganizations } from '#directory/access/organization-facts.ts';
import { type Db, transaction, within } from '#kit/database.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { about, record } from './record.ts';

/**
 * Encrypts all data keys with the current secret key, one organization in a transaction. Afterwards the old secret keys
 * are not needed. Returns the number of changed keys. Safe to repeat.
 */
export async function rotateSecrets(db: Db, secrets: Secrets): Promise<number> {
  const organizations = new Map((await listOrganizations(db)).map((one) => [one.id, one]));
  let total = 0;
  for (const orgId of await secrets.organizationsToRewrap(db)) {
    const organization = organizations.get(orgId);
    if (organization === undefined) continue;
    total += await transaction(within(db, orgId), async (tx) => {
      const rewrapped = await secrets.rewrap(tx);
      if (rewrapped === 0) return 0;
      const payload = { key_id: secrets.keyId, rewrapped };
      await record(tx.db, organization, {
        type: 'secrets.rotated',
        ...about(organization).envelope,
        payload,
      });
      return rewrapped;
    });
  }
  return total;
}
