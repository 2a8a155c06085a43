import type { Db, Tx } from '../../../kit/database/open.ts';
import { transaction } from '../../../kit/database/transaction.ts';
import { type Auth, openAuth, openAuthCache } from './auth.ts';
import type { Visit } from './visit.ts';

/** The dependencies of the sign-in rules. */
export interface SignInContext {
  db: Db;
  /** A session that was not used for this long has expired. */
  idleHours: number;
  authFor: (visit: Visit) => Auth;
  /** Returns the path of an organization's console: empty for the organization at `/`, otherwise `/org/<slug>`. */
  consolePath: (slug: string) => string;
}

export function createSignInContext(
  db: Db,
  idleHours: number,
  consolePath: (slug: string) => string,
): SignInContext {
  const authOf = openAuthCache(db);
  return { db, idleHours, consolePath, authFor: ({ organization, origin }) => authOf(organization, origin) };
}

/** Runs `work` in one transaction that includes the writes of better-auth. */
export const transactionWithAuth = <T>(
  { db }: SignInContext,
  { organization, origin }: Visit,
  work: (auth: Auth, tx: Tx) => Promise<T>,
): Promise<T> => transaction(db, (tx) => work(openAuth(tx, organization, origin), tx));
