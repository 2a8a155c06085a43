import { randomBytes } from 'node:crypto';
import { newKey } from '#directory/access/key-format.ts';
import { type Db, transaction } from '#kit/database.ts';
import { DomainError, StartError } from '#kit/errors.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { addOrganization } from '#operate/organizations/create.ts';

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
 * secrets only on the start that creates it. If several nodes start at the same time, one of them creates it.
 */
export async function ensureOrganization(
  db: Db,
  secrets: Secrets,
  start: FirstStart,
): Promise<FirstStartSecrets | undefined> {
  const created = {
    apiKey: start.apiKey ?? newKey(),
    adminEmail: start.adminEmail ?? `admin@${start.org}.example`,
    adminPassword: start.adminPassword ?? randomBytes(12).toString('base64url'),
  };
  return transaction(db, async (tx) => {
    const orgId = await addOrganization(tx, secrets, { ...created, slug: start.org, name: start.org }).catch(
      (error: unknown) => {
        throw error instanceof DomainError
          ? new StartError(`GATEHOUSE_ADMIN_PASSWORD: ${error.message}`)
          : error;
      },
    );
    return orgId === undefined ? undefined : created;
  });
}
