import { SIGN_IN_SECRET } from '#directory/access/organization-state.ts';
import { type Db, within } from '#kit/database.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import * as queries from './queries/organizations.ts';

/** The organization that someone signs in to. */
export interface Organization {
  id: string;
  slug: string;
  name: string;
  /** Signs cookies and encrypts the secrets of second factors and providers. */
  sign_in_secret: string;
}

/** Returns the organization that someone signs in to, with its decrypted secret. */
export async function findOrganization(
  db: Db,
  secrets: Secrets,
  slug: string,
): Promise<Organization | undefined> {
  const row = await queries.findOrganization(db, slug);
  if (row === undefined) return undefined;
  const { sealed_sign_in_secret: sealed, ...organization } = row;
  const secret = await secrets.open(within(db, row.id), SIGN_IN_SECRET, sealed);
  return { ...organization, sign_in_secret: secret.toString() };
}
