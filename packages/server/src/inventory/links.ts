import type { RawBuilder } from 'kysely';
import type { NewEvent } from '../events/record.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isMissingReference } from '../platform/database/sqlstate.ts';
import { notFound } from '../platform/errors.ts';
import { type AccountView, accountOf } from './accounts.ts';
import * as queries from './links-queries.ts';

/**
 * Whose account it is (governance.md "People"). Accounts link by themselves to the person with the same email,
 * compared without case. Such a link moves where the account's email becomes that of somebody else; it does not fall
 * off where an email becomes nobody's, so that a renamed leaver is still found. What was linked, or unlinked, by hand
 * stays.
 */

/** For whoever inserts accounts: the person with this email, in lower case, as an SQL expression. */
export { personWithEmail } from './links-queries.ts';

/**
 * Links the accounts that a publication changed: `changed` is a relation with their `account_id`. In the
 * publication's own transaction, after the accounts are written.
 */
export const linkAccounts = (tx: Tx, orgId: string, changed: RawBuilder<unknown>): Promise<void> =>
  queries.linkChanged(tx, orgId, changed);

/** Links unlinked accounts to the people who came, or whose email changed: a PeopleHook (people/save.ts). */
export async function linkPeople(tx: Tx, orgId: string, events: readonly NewEvent[]): Promise<void> {
  const people = events.filter(bringsEmail).map(({ payload }) => payload);
  if (people.length === 0) return;
  const ids = people.map(({ user_id }) => user_id);
  const emails = people.map(({ email }) => email);
  await queries.linkPeople(tx, orgId, ids, emails);
}

type EmailEvent = Extract<NewEvent, { type: 'user.created' | 'user.updated' }>;

const bringsEmail = (event: NewEvent): event is EmailEvent =>
  event.type === 'user.created' ||
  (event.type === 'user.updated' && event.payload.changes.some(({ field }) => field === 'email'));

/**
 * Links what the others could not see: an account and a person with the same email that came in two transactions at
 * once. For the whole deployment, now and then.
 */
export const linkForgotten = (db: Db): Promise<void> => queries.linkEverybody(db);

/** 404 for an account or a user that is not in the organization. Null: the account is nobody's, and stays so. */
export async function linkByHand(
  db: Db,
  principal: Principal,
  accountId: string,
  userId: string | null,
): Promise<AccountView> {
  await queries.linkByHand(db, principal.orgId, accountId, userId).catch((error: unknown) => {
    throw isMissingReference(error) ? notFound('User') : error;
  });
  return accountOf(db, principal, accountId);
}
