import { sql } from 'kysely';
import type { OrgDb } from '../../../../kit/database/organization.ts';

/** Our own SAML requests, in the table in which better-auth keeps its own. `key` names the request, `state` its browser. */

const identifierOf = (key: string) => `gatehouse-saml-request:${key}`;

export async function insertSamlRequest(
  db: OrgDb,
  key: string,
  state: string,
  seconds: number,
): Promise<void> {
  await sql`
    insert into sign_in_verification (org_id, identifier, value, expires_at)
    values (${db.orgId}, ${identifierOf(key)}, ${state}, now() + ${seconds} * interval '1 second')`.execute(
    db,
  );
}

/** Deletes a request. Returns false if there is none in this state, or if it has expired. */
export async function consumeSamlRequest(db: OrgDb, key: string, state: string): Promise<boolean> {
  const { rows } = await sql`
    delete from sign_in_verification
    where org_id = ${db.orgId} and identifier = ${identifierOf(key)} and value = ${state} and expires_at > now()
    returning id`.execute(db);
  return rows.length > 0;
}
