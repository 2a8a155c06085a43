import { ANY_PROVIDER } from '#directory/means/acting.ts';
import { handsBehindEach, handsOf } from '#directory/means/hands.ts';
import { requireOtherHands } from '#directory/means/second-person.ts';
import { hookPoint, type OrgTx } from '#kit/database.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { recordRefusals } from '../sentences.ts';

/** Somebody who decided that an account gets or keeps access. */
export interface Granter {
  person: string;
  at: Date;
}

/** Returns who gave these accounts access in the last 30 days, or decided that they keep it. */
export type GrantersHook = (tx: OrgTx, accountIds: readonly string[]) => Promise<Granter[]>;

export const grantersHooks = hookPoint<GrantersHook>();

/**
 * Throws 403 if these accounts become those of somebody behind the call, who was also behind a decision of the last 30 days to give them
 * access: they would have given it to themselves (D76). Returns the event of the only administrator, who may.
 */
export async function requireOthersDecisions(
  tx: CallTx,
  accountIds: readonly string[],
  personId: string,
): Promise<NewEvent[]> {
  if (accountIds.length === 0) return [];
  const hands = await handsOf(tx, tx.principal);
  if (!hands.has(personId)) return [];
  const granters: Granter[] = [];
  for (const hook of grantersHooks.of(tx)) granters.push(...(await hook(tx, accountIds)));
  const behind = await handsBehindEach(
    tx,
    granters.map((granter) => ({ ...granter, provider: ANY_PROVIDER })),
  );
  if (!behind.some((granting) => granting.has(personId))) return [];
  return requireOtherHands(tx, {
    act: 'link',
    hands,
    beneficiaries: [personId],
    refuse: () => recordRefusals.own_decision(),
  });
}
