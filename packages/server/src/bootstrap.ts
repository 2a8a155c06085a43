import { randomBytes } from 'node:crypto';
import { newKey } from './access/key-format.ts';
import { insertKey } from './access/keys.ts';
import { insertOrganization } from './access/organization.ts';
import { setFirstPassword } from './access/sign-in/passwords.ts';
import { beginEventLog } from './events/log.ts';
import { SYSTEM } from './identity/cause.ts';
import { SCOPES } from './identity/principal.ts';
import { createFirstAdministrator } from './people/people.ts';
import type { Db } from './platform/database/open.ts';
import { transaction } from './platform/database/transaction.ts';
import { DomainError, StartError } from './platform/errors.ts';

export interface FirstStart {
  org: string;
  apiKey: string | undefined;
  adminEmail: string | undefined;
  adminPassword: string | undefined;
}

/** The secrets that the first start creates. They are shown only once (D40). */
export interface FirstStartSecrets {
  apiKey: string;
  adminEmail: string;
  adminPassword: string;
}

/**
 * Creates the organization with its first administrator and API key, in one transaction, unless it exists. Returns the
 * secrets only on the start that creates it. If several nodes start at once, one of them creates it.
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
    await setFirstPassword(tx, orgId, userId, secrets.adminPassword).catch((error: unknown) => {
      throw error instanceof DomainError
        ? new StartError(`GATEHOUSE_ADMIN_PASSWORD: ${error.message}`)
        : error;
    });
    await insertKey(tx, orgId, userId, SYSTEM, secrets.apiKey, {
      name: 'First key',
      scopes: SCOPES,
      apps: null,
      expiresAt: null,
    });
    return secrets;
  });
}
