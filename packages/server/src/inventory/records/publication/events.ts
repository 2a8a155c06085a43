import type { App } from '#inventory/apps/app.ts';
import type { OrgTx } from '#kit/database.ts';
import { recordEventsFrom } from '#log/events/record.ts';
import {
  accountEventsFrom,
  allEvents,
  groupEventsFrom,
  ownerEventsFrom,
} from '../accounts/queries/change-events.ts';
import { rowsOf } from './queries/relations.ts';
import type { AccountChanges, changedOwner, MembershipChanges, Scope } from './relations.ts';
import type { Removed } from './removal.ts';

/** The first completed sync of an app is its baseline: until then, nothing is recorded about accounts and memberships (D27). */
export const recordsChanges = (app: App): boolean => app.last_synced_at !== null;

/**
 * Records one event for each account and each group membership that changed. Call it last before commit, as with recordEvents.
 */
export async function recordChanges(
  tx: OrgTx,
  scope: Scope,
  app: App,
  changes: {
    accounts: AccountChanges;
    added: MembershipChanges | null;
    removed: MembershipChanges | null;
    owners: typeof changedOwner | null;
  },
): Promise<void> {
  if (!recordsChanges(app)) return;
  const { accounts, added, removed, owners } = changes;
  const events = [accountEventsFrom(scope, rowsOf(scope, accounts))];
  if (added !== null) events.push(groupEventsFrom(scope, 'account.group.added', rowsOf(scope, added)));
  if (removed !== null) events.push(groupEventsFrom(scope, 'account.group.removed', rowsOf(scope, removed)));
  if (owners !== null) events.push(ownerEventsFrom(scope, rowsOf(scope, owners)));
  await recordEventsFrom(tx, allEvents(events));
}

/** Does the same for the records that a cleanup removed. */
export const recordRemovals = (tx: OrgTx, scope: Scope, app: App, removed: Removed): Promise<void> =>
  recordChanges(tx, scope, app, {
    accounts: removed.accountRows,
    added: null,
    removed: removed.membershipRows,
    owners: null,
  });
