import type { Org, OrgTx } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

/*
 * The digest of an account says from which record a publication took it (ADR 14). Every statement that changes the
 * external id, the state or a membership of an account in another way must forget the digest in the same transaction.
 * Links to people do not matter.
 */

/** Forgets the digests of accounts, as a CTE or a statement. `accounts` selects their ids. */
export const forgetDigests = (org: Org, accounts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  delete from account_digest d where d.org_id = ${org.orgId} and d.account_id in (${accounts})`;

/** Forgets the digest of one account. */
export async function forgetDigest(tx: OrgTx, accountId: string): Promise<void> {
  await forgetDigests(tx, sql`select ${accountId}::uuid`).execute(tx);
}

/** Forgets the digests of all accounts of an app. */
export async function forgetDigestsOfApp(tx: OrgTx, appId: string): Promise<void> {
  await forgetDigests(
    tx,
    sql`select a.id from account a where a.org_id = ${tx.orgId} and a.app_id = ${appId}`,
  ).execute(tx);
}
