import { type Db, transaction } from '#kit/database.ts';
import type { Call, CallTx } from '#kit/identity.ts';
import { type NoteUnsolicited, unsolicitedLog } from '../protocols/sso-unsolicited.ts';
import type { Organization } from '../visit/organization.ts';
import type { Visit } from '../visit/visit.ts';
import type { Auth } from './auth.ts';

/** The dependencies of the sign-in rules. */
export interface SignInContext {
  db: Db;
  /** A session that was not used for this long has expired. */
  idleHours: number;
  authFor: (visit: Visit) => Promise<Auth>;
  /** Returns the path of an organization's console: empty for the organization at `/`, otherwise `/org/<slug>`. */
  consolePath: (slug: string) => string;
  noteUnsolicited: NoteUnsolicited;
}

export function createSignInContext(
  db: Db,
  idleHours: number,
  consolePath: (slug: string) => string,
): SignInContext {
  let opening: Promise<(organization: Organization, origin: string) => Auth> | undefined;
  const authFor = async ({ organization, origin }: Visit) => {
    opening ??= loadAuth().then(({ openAuthCache }) => openAuthCache(db));
    return (await opening)(organization, origin);
  };
  return { db, idleHours, consolePath, authFor, noteUnsolicited: unsolicitedLog(db) };
}

/** better-auth and its plugins are a large part of the program. A server loads them when the first person signs in. */
const loadAuth = () => import('./auth.ts');

/** Runs `work` of a signed-in person in one transaction that includes the writes of better-auth. */
export async function transactionWithAuth<T>(
  call: Call,
  { organization, origin }: Visit,
  work: (auth: Auth, tx: CallTx) => Promise<T>,
): Promise<T> {
  const { openAuth } = await loadAuth();
  return transaction(call, (tx) => work(openAuth(tx.db, organization, origin), tx));
}
