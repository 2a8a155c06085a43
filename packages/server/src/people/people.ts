import type { Tx } from '../platform/database/open.ts';
import { hashPassword } from './password.ts';
import * as queries from './queries.ts';

/** The person whom the first key acts for (D8): an owner, who can sign in with the password. */
export async function createFirstAdministrator(
  tx: Tx,
  orgId: string,
  email: string,
  password: string,
): Promise<string> {
  return queries.insertUser(tx, orgId, {
    email,
    username: email,
    role: 'owner',
    passwordHash: await hashPassword(password),
  });
}
