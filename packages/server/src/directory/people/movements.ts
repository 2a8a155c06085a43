import type { OrgDb } from '#kit/database.ts';
import { type Movement, movementsIn } from './queries/movements.ts';

/** Returns who joined, left, or changed their department in a month, such as 2026-11. The default is the current one, in UTC. */
export async function listMovements(
  db: OrgDb,
  month = new Date().toISOString().slice(0, 7),
): Promise<{ month: string; results: Movement[] }> {
  return { month, results: await movementsIn(db, `${month}-01`) };
}
