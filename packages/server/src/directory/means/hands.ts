import type { OrgDb } from '#kit/database.ts';
import type { Principal } from '#kit/identity.ts';
import type { Acting, Because } from './acting.ts';
import { callersOf } from './means.ts';
import { type Hand, handsBehind } from './queries/means.ts';

/** The people behind an act, and why. Those who act come first. */
export type Hands = ReadonlyMap<string, Because>;

/**
 * Returns the hands behind a call (D76): its person, the creator of a key that was transferred to them, and everybody who in the last 30
 * days gave one of these the means to act, link by link.
 */
export async function handsOf(
  db: OrgDb,
  principal: Pick<Principal, 'userId' | 'transferredFrom' | 'provider'>,
): Promise<Hands> {
  const provider = principal.provider ?? null;
  const callers = callersOf(principal);
  const each = await handsBehindEach(
    db,
    callers.map((person) => ({ person, provider, at: null })),
  );
  const others = each.flatMap((hands) => [...hands].filter(([person]) => !callers.includes(person)));
  return new Map([...callers.map((person) => [person, 'self'] as const), ...others]);
}

/** Returns the hands behind each of several acts. ANY_PROVIDER stands for a provider that nobody knows. */
export async function handsBehindEach(db: OrgDb, acting: readonly Acting[]): Promise<Hands[]> {
  const found: readonly Hand[] = acting.length === 0 ? [] : await handsBehind(db, acting);
  const of = Map.groupBy(found, (hand) => hand.of);
  return acting.map(
    (_, index) => new Map((of.get(index) ?? []).map(({ person, because }) => [person, because])),
  );
}
