import type { Db } from '#kit/database.ts';
import { analyzeInventory, knownAccounts, sortTexts } from './queries/statistics.ts';

/** A smaller publication does not change what the planner should do. */
const LARGE = 1000;
/** Nor does one that adds less than this part to the accounts of all organizations. */
const PART = 0.1;

/**
 * Collects the planner's statistics after a large publication. Without them, the planner would look up pushed ids
 * through the wrong index. Sorts the texts into their index as well, so that searches are fast. Autovacuum would do the same
 * a minute later, but PGlite has none.
 */
export async function refreshStatistics(
  db: Db,
  { created, updated }: { created: number; updated: number },
): Promise<void> {
  if (created + updated >= LARGE) await sortTexts(db);
  if (created >= LARGE && created >= PART * (await knownAccounts(db))) await analyzeInventory(db);
}
