import { hashPassword } from 'better-auth/crypto';
import { ensureOrganization } from '#bootstrap.ts';
import { newKey } from '#directory/access/key-format.ts';
import { type Database, transaction } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { addWithoutPassword, type NewOrganization } from '#operate/organizations/create.ts';
import { secrets } from './secrets.ts';

export const ORG = 'acme';

/** The password of the first administrators. */
export const PASSWORD = 'correct horse battery staple';

type OrganizationNames = Pick<NewOrganization, 'slug' | 'name' | 'adminEmail'>;

/** Creates the first organization in an empty database. Returns its API key: all scopes, all apps. */
export async function addFirstOrganization({ db }: Database): Promise<string> {
  const made = await ensureOrganization(db, secrets, {
    org: ORG,
    apiKey: undefined,
    adminEmail: 'admin@acme.example',
    adminPassword: PASSWORD,
  });
  if (made === undefined) throw new Error('The test database is not empty.');
  return made.apiKey;
}

let hash: Promise<string> | undefined;

/** Adds an organization whose first administrator has the same password as the one of the first organization. */
export async function addOrganizationAs({ db }: Database, names: OrganizationNames): Promise<string> {
  const apiKey = newKey();
  // Hashing a password takes longer than everything else here.
  hash ??= hashPassword(PASSWORD);
  const hashed = await hash;
  await transaction(db, async (tx) => {
    const added = await addWithoutPassword(tx, secrets, { ...names, apiKey });
    if (added === undefined) throw new Error(`The organization ${names.slug} already exists.`);
    await sql`
      insert into sign_in_account (org_id, user_id, provider_id, account_id, password)
      values (${added.orgId}, ${added.ownerId}, 'credential', ${added.ownerId}, ${hashed})`.execute(tx);
  });
  return apiKey;
}
