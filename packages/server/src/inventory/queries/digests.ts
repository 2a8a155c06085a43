import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/open.ts';

/*
 * The digest of an account says from which record a publication took it (ADR 14). Every statement that changes the
 * external id, the state or a membership of an account in another way must forget the digest in the same transaction.
 * Links to people do not matter.
 */

/** Forgets the digests of accounts, as a CTE or a statement. `accounts` selects their ids. */
export const forgetDigests = (orgId: string, accounts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  delete from account_digest d where d.org_id = ${orgId} and d.account_id in (${accounts})`;

/** Forgets the digest of one account. */
export async function forgetDigest(tx: Tx, orgId: string, accountId: string): Promise<void> {
  await forgetDigests(orgId, sql`select ${accountId}::uuid`).execute(tx);
}

/** Forgets the digests of all accounts of an app. */
export async function forgetDigestsOfApp(tx: Tx, orgId: string, appId: string): Promise<void> {
  await forgetDigests(
    orgId,
    sql`select a.id from account a where a.org_id = ${orgId} and a.app_id = ${appId}`,
  ).execute(tx);
}
