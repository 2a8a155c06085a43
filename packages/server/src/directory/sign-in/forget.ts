import { revokeKeysOfPerson } from '#directory/access/keys.ts';
import type { OrgTx } from '#kit/database.ts';
import type { RequestCause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { deletePasskeys } from './credentials/queries/passkeys.ts';
import { deleteLinks, deletePassword } from './credentials/queries/passwords.ts';
import { deleteSecondFactor } from './credentials/queries/second-factors.ts';
import { factorRemoved, signInChanged } from './credentials/sign-in-change.ts';
import { unlinkPeople } from './protocols/queries/providers.ts';
import { linkRemoved } from './sso/provider-links.ts';
import { listLinks } from './sso/queries/provider-links.ts';

/**
 * Removes every way in which a person can sign in or be signed in: password, sign-in links, codes, passkeys, provider links and API
 * keys. For somebody who comes back and may be another person with the same email (D63). Returns the events, which the caller
 * records last.
 */
export async function forgetSignIn(
  tx: OrgTx & { cause: RequestCause },
  person: { id: string; email: string },
): Promise<readonly NewEvent[]> {
  const hadPassword = await deletePassword(tx, person.id);
  const hadCodes = await deleteSecondFactor(tx, person.id);
  const passkeys = await deletePasskeys(tx, person.id);
  const links = await listLinks(tx, person.id);
  await unlinkPeople(tx, [person.id]);
  await deleteLinks(tx, [person.id]);
  return [
    ...(hadPassword ? [signInChanged(tx.cause, person, { field: 'password', from: 'set', to: null })] : []),
    ...(hadCodes ? factorRemoved(tx.cause, person, { kind: 'totp' }) : []),
    ...passkeys.flatMap(({ name }) => factorRemoved(tx.cause, person, { kind: 'passkey', name })),
    ...links.map((link) => linkRemoved(tx.cause, person, link)),
    ...(await revokeKeysOfPerson(tx, tx.cause, person.id)),
  ];
}
