import type { OrgDb, OrgTx } from '#kit/database.ts';
import { exists, one, value } from '#kit/sql.ts';

export interface SecondFactor {
  /** Encrypted with the organization's secret. */
  secret: string;
  /** Whether the person has entered a first code. Until then, signing in does not ask for one. */
  verified: boolean;
}

export const findSecondFactor = (db: OrgDb, userId: string) => one<SecondFactor>(db)`
    select secret, verified from sign_in_two_factor
    where org_id = ${db.orgId} and user_id = ${userId}`;

/** Marks a time step as used. Returns false if a code of this or a later step was accepted before. */
export const claimStep = (db: OrgDb, userId: string, step: number) => exists(db)`
    update sign_in_two_factor set last_step = ${step}
    where org_id = ${db.orgId} and user_id = ${userId} and (last_step is null or last_step < ${step})
    returning id`;

/** Deletes a person's second factor. Returns whether it was in use. */
export async function deleteSecondFactor(tx: OrgTx, userId: string): Promise<boolean> {
  return (
    (await value<boolean | undefined>(tx)`
    delete from sign_in_two_factor where org_id = ${tx.orgId} and user_id = ${userId} returning verified`) ??
    false
  );
}

/** Returns the person whose sign-in awaits a code. better-auth stores it under a random identifier. */
export const findAwaitingCode = (db: OrgDb, identifier: string) => one<{ email: string }>(db)`
    select u.email from sign_in_verification v
    join platform_user u on u.org_id = v.org_id and u.id::text = v.value
    where v.org_id = ${db.orgId} and v.identifier = ${identifier} and starts_with(v.identifier, '2fa-')
      and v.expires_at > now()`;
