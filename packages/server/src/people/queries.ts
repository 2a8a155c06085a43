import { sql } from 'kysely';
import type { Tx } from '../platform/database/open.ts';

export async function insertUser(
  tx: Tx,
  orgId: string,
  user: { email: string; username: string; role: string; passwordHash: string | null },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into platform_user (org_id, email, username, role, password_hash)
    values (${orgId}, ${user.email}, ${user.username}, ${user.role}, ${user.passwordHash})
    returning id`.execute(tx);
  return rows[0]?.id as string;
}
