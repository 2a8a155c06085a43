import { randomBytes } from 'node:crypto';
import { beginEventLog } from '../events/log.ts';
import { SCOPES } from '../identity/principal.ts';
import { createFirstAdministrator } from '../people/people.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { newKey } from './key-format.ts';
import { insertKey } from './keys.ts';
import { insertOrganization } from './queries.ts';
import { givePassword } from './sign-in/passwords.ts';

export interface FirstStart {
  org: string;
  apiKey: string | undefined;
  adminEmail: string | undefined;
  adminPassword: string | undefined;
}

/** What a first start made, for the person in front of it: shown once (D40). */
export interface FirstStartSecrets {
  apiKey: string;
  adminEmail: string;
  adminPassword: string;
}

/**
 * Makes the organization, its administrator and its key where they are not there yet, all or nothing. Answers them
 * on that start only; of several nodes that start at once, on one.
 */
export async function ensureOrganization(db: Db, start: FirstStart): Promise<FirstStartSecrets | undefined> {
  const secrets = {
    apiKey: start.apiKey ?? newKey(),
    adminEmail: start.adminEmail ?? `admin@${start.org}.example`,
    adminPassword: start.adminPassword ?? randomBytes(12).toString('base64url'),
  };
  return transaction(db, async (tx) => {
    const orgId = await insertOrganization(tx, start.org);
    if (orgId === undefined) return undefined;
    await beginEventLog(tx, orgId);
    const userId = await createFirstAdministrator(tx, orgId, secrets.adminEmail);
    await givePassword(tx, orgId, userId, secrets.adminPassword);
    await insertKey(tx, orgId, userId, { type: 'system', uuid: null }, secrets.apiKey, {
      name: 'First key',
      scopes: SCOPES,
      apps: null,
      expiresAt: null,
    });
    return secrets;
  });
}
