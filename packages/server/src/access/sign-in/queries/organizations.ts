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

export async function findOrganizationById(
  db: Db,
  orgId: string,
): Promise<Pick<Organization, 'slug' | 'name'>> {
  const { rows } = await sql<Pick<Organization, 'slug' | 'name'>>`
    select slug, name from organization where id = ${orgId}`.execute(db);
  return rows[0] as Pick<Organization, 'slug' | 'name'>;
}

export async function findOrganization(db: Db, slug: string): Promise<Organization | undefined> {
  const { rows } = await sql<Organization>`
    select id, slug, name, sign_in_secret from organization where slug = ${slug}`.execute(db);
  return rows[0];
}
