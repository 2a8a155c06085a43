import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { beginTaskChange, type Change } from '../history/change.ts';
import type { AccountHolder, AccountStatus, AwaitedAccount } from './account.ts';
import { accountEventsOfTask, groupEventsOfTask, type TaskScope } from './change-events.ts';
import { correlateReported, correlationEvents } from './correlation.ts';
import { afterLinks } from './links.ts';
import * as awaiting from './queries/awaited.ts';
import * as effects from './queries/effects.ts';

/*
 * The changes that provisioning tasks make to accounts and memberships. The caller locks the accounts first, and records the events
 * last.
 */

/**
 * Makes the accounts that tasks are about to create NEW (D25): those of `resets`, which are INACTIVE and start again, and new ones.
 * Returns the ids of the new ones, in the order of `awaited`.
 */
export async function awaitAccounts(
  tx: OrgTx,
  {
    resets,
    awaited,
  }: {
    resets: readonly { account_id: string; person: AccountHolder }[];
    awaited: readonly AwaitedAccount[];
  },
): Promise<string[]> {
  const change = await beginTaskChange(tx);
  await awaiting.resetForCreation(tx, change, resets);
  return awaiting.insertAwaitedAccounts(tx, change, awaited);
}

/** Makes NEW accounts that no task will create any more INACTIVE (D25). */
export async function giveUpCreation(tx: OrgTx, accountIds: string[]): Promise<void> {
  if (accountIds.length > 0) await awaiting.markNeverCreated(tx, await beginTaskChange(tx), accountIds);
}

/** Gives an account that a task is about to create another user name (D82). */
export async function renameAwaited(tx: OrgTx, accountId: string, username: string): Promise<void> {
  await awaiting.renameAwaited(tx, await beginTaskChange(tx), { accountId, username });
}

/** Makes an account whose creation failed NEW again, because it is retried. Returns false if the account exists. */
export async function retryCreation(tx: OrgTx, accountId: string): Promise<boolean> {
  const reopened = await awaiting.reopenFailedCreation(tx, await beginTaskChange(tx), [accountId]);
  return reopened.length > 0;
}

/**
 * Marks the account of a task as created, and gives it the record that the connector reported (D24). Returns its external id, as it is
 * known now.
 */
export async function finishCreation(
  tx: OrgTx,
  change: Change,
  scope: TaskScope,
  reportedId: string | null,
): Promise<{ events: NewEvent[]; externalId: string | null }> {
  const { account_id, external_id, task_id } = scope.account;
  const [created] = await effects.markCreated(tx, change, account_id);
  if (created === undefined) return { events: [], externalId: external_id };
  const events = created.from === 'NEW' ? accountEventsOfTask(scope, [created]) : [];
  const changes = reportedId === null ? null : await correlateReported(tx, change, account_id, reportedId);
  if (changes === null) return { events, externalId: external_id };
  const isReplaced = external_id !== null && external_id !== reportedId;
  const cause: Cause = { actor: scope.actor, source: { type: 'task', uuid: task_id } };
  const replaced = isReplaced ? [{ id: account_id, from: external_id }] : [];
  const correlated = await correlationEvents(tx, cause, replaced, changes);
  const linked = await afterLinks(tx, changes.length === 0 ? [] : [account_id], cause);
  return { events: [...events, ...correlated, ...linked], externalId: reportedId };
}

/** Sets the status of the account of a task. */
export async function setStatus(
  tx: OrgTx,
  change: Change,
  scope: TaskScope,
  status: AccountStatus,
): Promise<NewEvent[]> {
  const ids = [scope.account.account_id];
  return accountEventsOfTask(scope, await effects.applyStatus(tx, change, ids, status));
}

/**
 * Marks the account of a task as removed, and revokes its groups and licenses. If another task is to create the account again, it
 * stays NEW and loses its external id (D25).
 */
export async function removeAccount(tx: OrgTx, change: Change, scope: TaskScope): Promise<NewEvent[]> {
  const { account_id } = scope.account;
  const removed = await effects.markRemoved(tx, change, [account_id]);
  if (removed.length === 0 && !(await effects.forgetRecord(tx, change, account_id))) return [];
  const lost = await effects.revokeAllMemberships(tx, change, account_id);
  return [...accountEventsOfTask(scope, removed), ...groupEventsOfTask(scope, 'account.group.removed', lost)];
}

/** Grants groups and licenses to the account of a task. */
export async function grantAccess(
  tx: OrgTx,
  change: Change,
  scope: TaskScope,
  wanted: readonly effects.NamedEntitlement[],
): Promise<NewEvent[]> {
  const granted = await effects.grantMemberships(tx, change, scope.account.account_id, idsOf(wanted));
  return groupEventsOfTask(scope, 'account.group.added', among(wanted, granted));
}

/** Revokes groups and licenses of the account of a task. */
export async function revokeAccess(
  tx: OrgTx,
  change: Change,
  scope: TaskScope,
  wanted: readonly effects.NamedEntitlement[],
): Promise<NewEvent[]> {
  const revoked = await effects.revokeMemberships(tx, change, scope.account.account_id, idsOf(wanted));
  return groupEventsOfTask(scope, 'account.group.removed', among(wanted, revoked));
}

const idsOf = (entitlements: readonly effects.NamedEntitlement[]) =>
  entitlements.map(({ entitlement_id }) => entitlement_id);

function among(
  wanted: readonly effects.NamedEntitlement[],
  changed: readonly { entitlement_id: string }[],
): effects.NamedEntitlement[] {
  const ids = new Set(changed.map(({ entitlement_id }) => entitlement_id));
  return wanted.filter(({ entitlement_id }) => ids.has(entitlement_id));
}
