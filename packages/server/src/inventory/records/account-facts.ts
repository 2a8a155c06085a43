import { sql } from 'kysely';
import type { OrgDb, OrgTx } from '../../kit/database/organization.ts';
import type { AccountState } from './account.ts';
import { accountsOfPeople, isOwnAccount } from './facts.ts';

/** Locks accounts until `tx` ends, by id: the order that every transaction takes. */
export async function lockAccounts(tx: OrgTx, accountIds: string[]): Promise<AccountState[]> {
  const { rows } = await sql<AccountState>`
    select id, app_id, status, external_id, removed_at, ${isOwnAccount(tx, sql`account.id`)} as is_own from account
    where org_id = ${tx.orgId} and id = any(${accountIds}::uuid[]) order by id for no key update`.execute(tx);
  return rows;
}

export interface PersonAccount {
  id: string;
  app_id: string;
  person_id: string;
}

/**
 * The account of each person in each of these apps: linked, or about to be linked by email. Of several, the one
 * closest to being usable.
 */
export async function mainAccountsOf(
  db: OrgDb,
  people: readonly { id: string; email: string }[],
  appIds: string[],
): Promise<PersonAccount[]> {
  const { rows } = await sql<PersonAccount>`
    select distinct on (a.person_id, a.app_id) a.id, a.app_id, a.person_id
    from ${accountsOfPeople(db, people)} a
    where a.app_id = any(${appIds}::uuid[])
    order by a.person_id, a.app_id, a.status = 'INACTIVE', a.removed_at is not null, a.id desc`.execute(db);
  return rows;
}
