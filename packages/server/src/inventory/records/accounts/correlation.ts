import { requireOtherHands } from '#directory/means/second-person.ts';
import { lockApp } from '#inventory/apps/facts.ts';
import { hookPoint, type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, CallTx, Cause } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { beginTaskChange, type Change } from '../history/change.ts';
import { recordRefusals } from '../sentences.ts';
import type { AccountChange } from './account.ts';
import type { AccountView } from './account-view.ts';
import { accountOf } from './accounts.ts';
import { noLongerAwaited } from './awaited.ts';
import { accountEventsOfCorrelation } from './change-events.ts';
import { afterLinks } from './links.ts';
import * as queries from './queries/correlation.ts';
import { type Merge, mergeDuplicates, storeExternalId } from './queries/effects.ts';

/**
 * Correlation: which record of an app is the account that a task created (D24). A connector can report the record's id. Otherwise
 * a sync recognizes it by what the task sent (publication/queries/correlation.ts). Where several records fit, an administrator
 * chooses. Plans for the account, such as the end of its access, stay with it.
 */

/** Called in the transaction that merges accounts: other features move what they know of a duplicate to the account that stays. */
export type AccountsMergedHook = (tx: OrgTx, merges: readonly Merge[]) => Promise<void>;

export const accountsMergedHooks = hookPoint<AccountsMergedHook>();

/** Merges accounts that syncs made of records into the accounts that tasks created, with everything that is known of them. */
export async function mergeAccounts(
  tx: OrgTx,
  change: Change,
  merges: readonly Merge[],
): Promise<AccountChange[]> {
  if (merges.length === 0) return [];
  const { removed, correlated } = await mergeDuplicates(tx, change, merges);
  for (const hook of accountsMergedHooks.of(tx)) await hook(tx, merges);
  return [...correlated, ...removed];
}

/**
 * Makes a record the one of an account that a task created. A record that has taken the account over before becomes an account of
 * its own. Returns the changes.
 */
async function giveRecord(
  tx: OrgTx,
  change: Change,
  account: queries.CorrelatedAccount,
  externalId: string,
  recorded: queries.RecordedAccount | undefined,
): Promise<AccountChange[]> {
  const changes = account.external_id === null ? [] : await release(tx, change, account);
  if (recorded === undefined) await storeExternalId(tx, change, account.id, externalId);
  else {
    const merged = await mergeAccounts(tx, change, [{ account_id: account.id, duplicate_id: recorded.id }]);
    for (const one of merged)
      changes.push(one.account_id === account.id ? { ...one, from: account.status } : one);
  }
  await queries.settle(tx, [account.id]);
  return changes;
}

/**
 * Makes the record of an account an account of its own. The account is awaited again. A record that is gone, or was inactive until the
 * account was requested again, needs no account: a sync makes one if it pushes the record.
 */
async function release(
  tx: OrgTx,
  change: Change,
  account: queries.CorrelatedAccount,
): Promise<AccountChange[]> {
  if (account.removed_at !== null || account.status === 'INVITED') {
    await queries.awaitAgain(tx, change, account);
    return [];
  }
  const copy = await queries.insertCopy(tx, change, account);
  const { correlated } = await mergeDuplicates(tx, change, [{ account_id: copy, duplicate_id: account.id }]);
  await queries.awaitAgain(tx, change, account);
  return correlated;
}

/**
 * Takes a connector's word for the id of an account that it has created. A sync may already have pushed the record as an account of
 * its own: then the two are merged, unless it belongs to another person. Returns the changes, or null if the account keeps waiting for
 * its record.
 */
export async function correlateReported(
  tx: OrgTx,
  change: Change,
  accountId: string,
  externalId: string,
): Promise<AccountChange[] | null> {
  const account = await queries.lockCorrelated(tx, accountId);
  if (account === undefined) return null;
  if (account.external_id === externalId) {
    await queries.settle(tx, [accountId]);
    return [];
  }
  const found = await queries.lockRecorded(tx, account, externalId);
  const recorded = found.find(({ resource_type_id }) => resource_type_id === account.resource_type_id);
  if (recorded !== undefined && isOfAnother(account, recorded)) return null;
  return giveRecord(tx, change, account, externalId, recorded);
}

const isOfAnother = (account: queries.CorrelatedAccount, { user_id }: queries.RecordedAccount) =>
  user_id !== null && user_id !== account.user_id;

/**
 * Takes an administrator's word for the record of an account that a task created. Throws 404 for an unknown record, 409 if the
 * account's record is certain or this one cannot be it, and 403 for the administrator's own account: what was planned for it,
 * such as the end of its access, follows the choice (D76).
 */
export async function correlateByHand(
  call: Call,
  accountId: string,
  externalId: string,
): Promise<AccountView> {
  const { app_id } = await accountOf(call, accountId);
  await transaction(call, async (tx) => {
    if ((await lockApp(tx, app_id)) === undefined) throw recordRefusals.account_of_archived_app();
    const account = await queries.lockCorrelated(tx, accountId);
    if (account === undefined) throw notFound('Account');
    if (account.sent === null) {
      if (account.external_id === externalId) return;
      throw recordRefusals.record_is_certain();
    }
    const waived = await requireSecondPerson(tx, account);
    const chosen = account.external_id === externalId ? null : await recordFor(tx, account, externalId);
    if (chosen === null) await queries.settle(tx, [account.id]);
    const changes =
      chosen === null
        ? []
        : await giveRecord(
            tx,
            await beginTaskChange(tx, null, call.cause.actor),
            account,
            externalId,
            chosen,
          );
    await noLongerAwaited(tx, [account.id]);
    await recordEvents(tx, [
      ...waived,
      ...(await correlationEvents(tx, call.cause, [{ ...account, from: account.external_id }], changes)),
      ...(await afterLinks(tx, [account.id], call.cause)),
    ]);
  });
  return accountOf(call, accountId);
}

async function requireSecondPerson(tx: CallTx, { user_id }: queries.CorrelatedAccount): Promise<NewEvent[]> {
  if (user_id === null) return [];
  return requireOtherHands(tx, {
    act: 'correlation',
    beneficiaries: [user_id],
    refuse: () => recordRefusals.own_record(),
  });
}

/** Returns the account of the record that an administrator has chosen. Candidates come first. */
async function recordFor(
  tx: OrgTx,
  account: queries.CorrelatedAccount,
  externalId: string,
): Promise<queries.RecordedAccount> {
  const found = await queries.lockRecorded(tx, account, externalId);
  const recorded =
    found.find((one) => one.is_candidate) ??
    found.find(({ resource_type_id }) => resource_type_id === account.resource_type_id);
  if (recorded === undefined || recorded.id === account.id) throw notFound('Record');
  if (recorded.removed_at !== null) throw recordRefusals.record_gone();
  if (isOfAnother(account, recorded)) throw recordRefusals.record_of_another_person();
  return recorded;
}

/** The events of accounts that got a record, each with the external id that it had before, and of the changes that this made. */
export async function correlationEvents(
  tx: OrgTx,
  { actor, source }: Cause,
  correlated: readonly { id: string; from: string | null }[],
  changes: readonly AccountChange[],
): Promise<NewEvent[]> {
  const ids = [...correlated.map(({ id }) => id), ...changes.map(({ account_id }) => account_id)];
  const accounts = new Map((await queries.namedAccounts(tx, ids)).map((one) => [one.account_id, one]));
  const events = correlated.flatMap(({ id, from }): NewEvent[] => {
    const account = accounts.get(id);
    if (account === undefined || account.external_id === null) return [];
    return [
      {
        type: 'account_correlation.changed',
        actor,
        subject: { type: 'app_user', uuid: id },
        source,
        payload: { ...account, from, to: account.external_id },
      },
    ];
  });
  return [...events, ...accountEventsOfCorrelation({ actor, source }, changes, accounts)];
}
