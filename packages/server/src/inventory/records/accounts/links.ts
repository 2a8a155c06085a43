import {
  type Db,
  hookPoint,
  isMissingReference,
  type OrgDb,
  type OrgTx,
  transaction,
  within,
} from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { BY_THE_CLOCK, type Call, type CallTx, type Cause } from '#kit/identity.ts';
import { checkForeignKeys, type RawBuilder } from '#kit/sql.ts';
import { deletedPeople } from '#log/events/deleted-people.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import type { Change } from '../history/change.ts';
import { recordRefusals } from '../sentences.ts';
import type { AccountView } from './account-view.ts';
import { accountOf } from './accounts.ts';
import { requireOthersDecisions } from './own-links.ts';
import { namedAccounts } from './queries/correlation.ts';
import * as queries from './queries/links.ts';
import { lockRecipient, ownByEmail } from './queries/owners.ts';

/**
 * Links between accounts and people. An account of nobody links by itself to the person with the same email, compared without
 * case. Such a link moves only when the email of the account's record becomes that of another person (D83): whatever happens to
 * the people, nobody inherits an account with an address. It stays when the email becomes nobody's, so that renamed accounts of
 * leavers are still found. Links that an administrator made or removed stay.
 */

/**
 * Links the accounts that a publication changed, and returns the links that changed. `changed` is a relation with the columns `account_id` and
 * `email_changed`. Runs in the publication's transaction, after the accounts are written.
 */
export const linkAccounts = (
  tx: OrgTx,
  change: Change,
  changed: RawBuilder<unknown>,
): Promise<queries.LinkMove[]> => queries.linkChanged(tx, change, changed);

/** The events of links that moved from one person to another: everything that is said about a person's access moves as well. */
export async function linkMoveEvents(
  tx: OrgTx,
  { actor, source }: Cause,
  changed: readonly queries.LinkMove[],
): Promise<NewEvent[]> {
  const moves = changed.filter(({ from, to }) => from !== null && to !== null);
  if (moves.length === 0) return [];
  const accounts = await namedAccounts(
    tx,
    moves.map(({ id }) => id),
  );
  const named = new Map(accounts.map((one) => [one.account_id, one]));
  return moves.flatMap(({ id, from, to }): NewEvent[] => {
    const account = named.get(id);
    if (account === undefined) return [];
    const payload = { ...account, user_id: to, from, to };
    return [
      { type: 'account_link.changed', actor, subject: { type: 'app_user', uuid: id }, source, payload },
    ];
  });
}

/** Reacts to accounts that became somebody's, or nobody's. Returns events for the caller to record. */
export type AccountsLinkedHook = (
  tx: OrgTx,
  accountIds: readonly string[],
  cause: Cause,
) => Promise<NewEvent[]>;

export const accountsLinkedHooks = hookPoint<AccountsLinkedHook>();

/** Calls the hooks for accounts whose link has changed, or that have taken over a record of another link. */
export async function afterLinks(
  tx: OrgTx,
  accountIds: readonly string[],
  cause: Cause,
): Promise<NewEvent[]> {
  if (accountIds.length === 0) return [];
  const events: NewEvent[] = [];
  for (const hook of accountsLinkedHooks.of(tx)) events.push(...(await hook(tx, accountIds, cause)));
  return events;
}

/**
 * Links unlinked accounts to new people and to people whose email changed, and gives them the accounts for which the apps name
 * them as owners. A PeopleHook (directory/people/save.ts).
 */
export async function linkPeople(tx: CallTx, events: readonly NewEvent[]): Promise<NewEvent[]> {
  const people = events.filter(bringsEmail).map(({ payload }) => payload);
  if (people.length === 0) return [];
  const ids = people.map(({ user_id }) => user_id);
  const emails = people.map(({ email }) => email);
  const linked = await queries.linkPeople(tx, ids, emails);
  const waived = isByHand(tx.principal, ids)
    ? await requireOthersDecisions(tx, linked, ids[0] as string)
    : [];
  await checkForeignKeys(tx, ids.length);
  await ownByEmail(tx, ids, emails);
  return [...waived, ...(await afterLinks(tx, linked, tx.cause))];
}

/** Whether somebody changed one person. Nobody makes the links of an import or of an identity provider (D76). */
const isByHand = ({ scopes }: CallTx['principal'], changed: readonly string[]) =>
  changed.length === 1 && !scopes.has('scim');

type EmailEvent = Extract<NewEvent, { type: 'user.created' | 'user.updated' }>;

const bringsEmail = (event: NewEvent): event is EmailEvent =>
  event.type === 'user.created' ||
  (event.type === 'user.updated' && event.payload.changes.some(({ field }) => field === 'email'));

/**
 * Keeps the accounts that a succeeded person has theirs, also if their records get the email of somebody else (D63). Their ownership
 * stays by itself (ownByEmail). A PeopleHook (directory/people/save.ts).
 */
export async function keepLinksOfSucceeded(tx: OrgTx, events: readonly NewEvent[]): Promise<void> {
  const succeeded = events.flatMap((event) =>
    event.type === 'person.succeeded' ? [event.payload.user_id] : [],
  );
  if (succeeded.length === 0) return;
  await queries.pinLinks(tx, succeeded);
}

/**
 * Unlinks the accounts of deleted people. A PeopleHook (directory/people/save.ts). It runs after the rows of the people are
 * deleted: the foreign key of the link is checked at commit.
 */
export async function unlinkDeletedPeople(tx: OrgTx, events: readonly NewEvent[]): Promise<void> {
  const deleted = deletedPeople(events);
  if (deleted.length > 0) await queries.unlinkPeople(tx, deleted);
}

/**
 * Links accounts that the hooks missed: an account and a person with the same email that were written by two
 * transactions at the same time. Also accounts of people who were merged at that time. A job runs it for all organizations.
 */
export async function linkForgotten(db: Db): Promise<void> {
  for (const orgId of await queries.organizations(db)) {
    await transaction(within(db, orgId), async (tx) => {
      const linked = await queries.linkEveryPerson(tx);
      const moves = await queries.moveMissedLinks(tx);
      const moved = moves.map(({ id }) => id);
      await recordEvents(tx, [
        ...(await linkMoveEvents(tx, BY_THE_CLOCK, moves)),
        ...(await afterLinks(tx, [...linked, ...moved], BY_THE_CLOCK)),
      ]);
    });
  }
}

/**
 * Links an account to a person on behalf of an administrator, or to nobody if `userId` is null. Syncs do not change
 * the link afterwards. 404 for an unknown account or user.
 */
export async function linkByHand(call: Call, accountId: string, userId: string | null): Promise<AccountView> {
  await link(call, accountId, userId, () => {});
  return accountOf(call, accountId);
}

/** Does the same for an account that has no person. Throws 409 if it already has one, or no longer exists. */
export async function linkUnlinked(call: Call, accountId: string, userId: string): Promise<void> {
  await accountOf(call, accountId);
  await link(call, accountId, userId, (before) => {
    if (before.removed_at !== null || before.status === 'INACTIVE') throw recordRefusals.account_not_active();
    if (before.user_id !== null && before.user_id !== userId.toLowerCase())
      throw recordRefusals.account_linked_elsewhere();
  });
}

async function link(
  call: Call,
  accountId: string,
  userId: string | null,
  check: (before: queries.LinkState) => void,
): Promise<void> {
  const to = userId?.toLowerCase() ?? null;
  await transaction(call, async (tx) => {
    if (to !== null) await requireUnmerged(tx, to);
    const before = await queries.lockLink(tx, accountId);
    if (before === undefined) throw notFound('Account');
    check(before);
    const waived =
      to === null || to === before.user_id ? [] : await requireOthersDecisions(tx, [accountId], to);
    await queries.linkByHand(tx, accountId, { from: before.user_id, to });
    if (before.user_id === to && before.user_linked_by_hand) return;
    const { app_id, app_name, external_id, email, username } = await accountOf(tx, accountId);
    const reassigned = await afterLinks(tx, [accountId], call.cause);
    await recordEvents(tx, [
      ...waived,
      ...reassigned,
      {
        type: 'account_link.changed',
        actor: call.cause.actor,
        subject: { type: 'app_user', uuid: accountId.toLowerCase() },
        source: call.cause.source,
        payload: {
          app_id,
          app_name,
          account_id: accountId.toLowerCase(),
          external_id,
          email,
          username,
          user_id: to,
          from: before.user_id,
          to,
        },
      },
    ]);
  }).catch((error: unknown) => {
    throw isMissingReference(error) ? notFound('Person') : error;
  });
}

/** For so long after its end, a link to a person counts where somebody could have ended it to hide whose account it is. */
const LATELY_DAYS = 30;

/** Returns these accounts with the people whose they are, or were in the last 30 days. */
export const holdersLately = (db: OrgDb, accountIds: readonly string[]) =>
  queries.holdersLately(db, [...accountIds], LATELY_DAYS);

/** Returns the accounts that are theirs, or were in the last 30 days, with their people. */
export const accountsLately = (db: OrgDb, userIds: readonly string[]) =>
  queries.accountsLately(db, [...userIds], LATELY_DAYS);

/** Throws 404 for an unknown person and 409 for one who was merged. A merge waits until `tx` ends. */
async function requireUnmerged(tx: OrgTx, userId: string): Promise<void> {
  const person = await lockRecipient(tx, userId);
  if (person === undefined) throw notFound('Person');
  if (person.merged_into !== null) throw recordRefusals.person_merged({ email: person.email });
}
