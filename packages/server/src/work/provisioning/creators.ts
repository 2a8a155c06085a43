import type { OrgTx } from '#kit/database.ts';
import { existingPeople, firstOwner } from './queries/find.ts';

/** Returns the person who is responsible for each task: the one who decided, or an owner if nobody did, or they were deleted. */
export async function creatorsOf(tx: OrgTx, decided: readonly (string | null)[]): Promise<string[]> {
  const existing = await existingPeople(tx, [...new Set(decided.flatMap((id) => id ?? []))]);
  const isKnown = (id: string | null): id is string => id !== null && existing.has(id);
  const owner = decided.every(isKnown) ? '' : await firstOwner(tx);
  return decided.map((id) => (isKnown(id) ? id : owner));
}
