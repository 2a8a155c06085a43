import { type RawBuilder, sql } from 'kysely';
import type { OrgDb } from '../database/organization.ts';
import { many, one } from '../database/statements.ts';
import type { Role } from './principal.ts';

/** A person as far as permissions and sign-in need to know them. `people/` has the whole record. */
export interface PersonIdentity {
  id: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  role: Role;
  status: 'active' | 'deactivated';
}

export const findIdentity = (db: OrgDb, id: string) => one<PersonIdentity>(db)`
    select id, email, username, first_name, last_name, role, status
    from platform_user where org_id = ${db.orgId} and id = ${id}`;

export const findIdentityByEmail = (db: OrgDb, email: string) => one<PersonIdentity>(db)`
    select id, email, username, first_name, last_name, role, status
    from platform_user where org_id = ${db.orgId} and email_key(email) = email_key(${email}) and succeeded_by is null`;

/** Returns the active owners and administrators. */
export const findAdministrators = (db: OrgDb) => many<{ id: string; email: string }>(db)`
    select id, email from platform_user
    where org_id = ${db.orgId} and role in ('owner', 'admin') and status = 'active' order by id`;

/**
 * The form in which emails are compared: NFKC and case-folded, with email_key(). PostgreSQL must compute it
 * for both sides, since its case mapping differs from JavaScript's in some scripts. `platform_user` and `account` have
 * indexes on it.
 */
export const emailKey = (email: RawBuilder<unknown>) => sql`email_key(${email})`;

/** A person as JSON: `external_uuid` and `email`. `person` is the alias of platform_user. */
export const personJson = (person: string) =>
  sql`jsonb_build_object('external_uuid', ${sql.ref(`${person}.id`)}, 'email', ${sql.ref(`${person}.email`)})`;

/** A person as JSON, also with `first_name` and `last_name`. */
export const namedPersonJson = (
  person: string,
) => sql`jsonb_build_object('external_uuid', ${sql.ref(`${person}.id`)},
  'email', ${sql.ref(`${person}.email`)}, 'first_name', ${sql.ref(`${person}.first_name`)},
  'last_name', ${sql.ref(`${person}.last_name`)})`;

/** Whether the person with this alias may decide and carry out tasks: active, and not an auditor. */
export const mayDecide = (person: string) =>
  sql`${sql.ref(`${person}.status`)} = 'active' and ${sql.ref(`${person}.role`)} <> 'auditor'`;
