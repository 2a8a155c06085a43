import type { OrgDb } from '#kit/database.ts';
import { accountsLately } from './links.ts';

/** A change of access: of an account, or for a person who gets one. */
interface Changed {
  user: string | null | undefined;
  account: string | null | undefined;
}

export type FindBeneficiary = (changed: Changed) => string | undefined;

/** Returns a function that finds which of these people a change is for: the account is theirs, or was in the last 30 days. */
export async function beneficiariesAmong(db: OrgDb, people: readonly string[]): Promise<FindBeneficiary> {
  const held = people.length === 0 ? [] : await accountsLately(db, people);
  const holders = new Map(held.map(({ account_id, user_id }) => [account_id, user_id]));
  return ({ user, account }) => people.find((id) => id === user) ?? holders.get(account ?? '');
}
