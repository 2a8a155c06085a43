import { sql } from 'kysely';
import type { OrgDb, OrgTx } from '../../../../kit/database/organization.ts';

export interface SecondFactor {
  /** Encrypted with the organization's secret. */
  secret: string;
  /** Whether the person has entered a first code. Until then, signing in does not ask for one. */
  verified: boolean;
}

export async function findSecondFactor(db: OrgDb, userId: string): Promise<SecondFactor | undefined> {
  const { rows } = await sql<SecondFactor>`
    select secret, verified from sign_in_two_factor
    where org_id = ${db.orgId} and user_id = ${userId}`.execute(db);
  return rows[0];
}

/** Marks a time step as used. Returns false if a code of this or a later step was accepted before. */
export async function claimStep(db: OrgDb, userId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    update sign_in_two_factor set last_step = ${step}
    where org_id = ${db.orgId} and user_id = ${userId} and (last_step is null or last_step < ${step})
    returning id`.execute(db);
  return rows.length > 0;
}

/** Deletes a person's second factor. Returns whether it was in use. */
export async function deleteSecondFactor(tx: OrgTx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ verified: boolean }>`
    delete from sign_in_two_factor where org_id = ${tx.orgId} and user_id = ${userId} returning verified`.execute(
    tx,
  );
  return rows[0]?.verified ?? false;
}

/** Returns the person whose sign-in awaits a code. better-auth stores it under a random identifier. */
export async function findAwaitingCode(
  db: OrgDb,
  identifier: string,
): Promise<{ email: string } | undefined> {
  const { rows } = await sql<{ email: string }>`
    select u.email from sign_in_verification v
    join platform_user u on u.org_id = v.org_id and u.id::text = v.value
    where v.org_id = ${db.orgId} and v.identifier = ${identifier} and starts_with(v.identifier, '2fa-')
      and v.expires_at > now()`.execute(db);
  return rows[0];
}
