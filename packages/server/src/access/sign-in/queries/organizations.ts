import { sql } from 'kysely';
import type { Db } from '../../../platform/database/open.ts';

/** The organization that someone signs in to. */
export interface Organization {
  id: string;
  slug: string;
  name: string;
  /** Signs cookies and encrypts the secrets of second factors and providers. */
  sign_in_secret: string;
}

export async function findOrganizationById(db: Db, orgId: string): Promise<{ slug: string; name: string }> {
  const { rows } = await sql<{ slug: string; name: string }>`
    select slug, name from organization where id = ${orgId}`.execute(db);
  return rows[0] as { slug: string; name: string };
}

export async function findOrganization(db: Db, slug: string): Promise<Organization | undefined> {
  const { rows } = await sql<Organization>`
    select id, slug, name, sign_in_secret from organization where slug = ${slug}`.execute(db);
  return rows[0];
}
