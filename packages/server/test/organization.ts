import { ensureOrganization } from '../src/bootstrap.ts';
import type { Database } from '../src/platform/database/open.ts';
import { secrets } from './secrets.ts';

export const ORG = 'acme';

/** Creates the first organization in an empty database. Returns its API key: all scopes, all apps. */
export async function addFirstOrganization({ db }: Database): Promise<string> {
  const made = await ensureOrganization(db, secrets, {
    org: ORG,
    apiKey: undefined,
    adminEmail: 'admin@acme.example',
    adminPassword: 'correct horse battery staple',
  });
  if (made === undefined) throw new Error('The test database is not empty.');
  return made.apiKey;
}
