import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import { hookPoint, type OrgTx } from '#kit/database.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { putOnHold } from '#work/provisioning/on-hold.ts';
import { changeHeld } from './events.ts';
import type { GuardedKind, Subject } from './hold.ts';
import { nameOfClient } from './queries/holds.ts';
import * as queries from './queries/windows.ts';

/**
 * Called in the transaction that opens a hold, before it takes the tasks of its people: waits until no policy is firing, so that none
 * makes tasks without seeing the hold. Returns the policies whose tasks the hold takes, or null for all.
 */
export type OpeningHook = (tx: OrgTx, kind: GuardedKind) => Promise<string[] | null>;

export const openingHooks = hookPoint<OpeningHook>();

/** Makes a window a hold, which takes what policies have made of its changes and no connector has fetched. Returns the events. */
export async function open(
  tx: CallTx,
  { kind, id, client, groupName }: Subject,
  window: queries.Counted,
): Promise<NewEvent[]> {
  let policies: string[] | null = null;
  for (const hook of openingHooks.of(tx)) policies = await hook(tx, kind);
  const percent = window.guard?.percent ?? 0;
  await queries.openHold(tx, window, { client, percent });
  // A report that is creating a retry ends before, or sees the hold.
  await lockAccounts(tx, await queries.accountsOf(tx, window.id));
  await putOnHold(tx, window.id, await queries.tasksSince(tx, window.id, policies));
  const name = client === null ? null : await nameOfClient(tx, client);
  return [
    changeHeld(
      {
        hold_id: window.id,
        kind,
        client: client && { ...client, name: name ?? '' },
        group: kind === 'group' ? { id, name: groupName ?? '' } : null,
        affected: window.count,
        of: window.total,
        percent,
      },
      tx.cause,
    ),
  ];
}
