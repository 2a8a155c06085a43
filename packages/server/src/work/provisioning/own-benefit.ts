import { requireOtherHands, type SharedAct } from '#directory/means/second-person.ts';
import { holdersLately } from '#inventory/records/accounts/links.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { taskRefusals } from './sentences.ts';

/**
 * Throws 403 if one of these accounts, which get or keep access, is or was lately that of somebody behind the call: a second person must (D76).
 * Returns the event of the only administrator, who may.
 */
export async function requireOthersAccounts(
  tx: CallTx,
  accountIds: readonly string[],
  act: SharedAct,
): Promise<NewEvent[]> {
  if (accountIds.length === 0) return [];
  const beneficiaries = (await holdersLately(tx, [...accountIds])).map(({ user_id }) => user_id);
  return requireOtherHands(tx, { act, beneficiaries, refuse: () => taskRefusals.own_benefit() });
}
