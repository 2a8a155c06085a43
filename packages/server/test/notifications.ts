import { expect } from 'vitest';
import { sql } from '#kit/sql.ts';
import type { ProvisioningTest } from './provisioning.ts';

/** Lets the running service look immediately for notifications that are due, and waits until it has. */
export async function scan({ database, orgId }: Pick<ProvisioningTest, 'database' | 'orgId'>): Promise<void> {
  await sql`
    update notification_cursor set scanned_at = '-infinity' where org_id = ${orgId}`.execute(database.db);
  const ended = async () => {
    const { rows } = await sql`
      select from notification_cursor
      where org_id = ${orgId} and scanned_at > '-infinity' and scan_asked_at is null`.execute(database.db);
    return rows.length;
  };
  await expect.poll(ended, { timeout: 120_000 }).toBe(1);
}
