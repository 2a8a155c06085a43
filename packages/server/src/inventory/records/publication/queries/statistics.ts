import { sql } from 'kysely';
import type { Db } from '../../../../kit/database/open.ts';

export async function analyzeInventory(db: Db): Promise<void> {
  await sql`analyze account, account_digest, entitlement, membership`.execute(db);
}
