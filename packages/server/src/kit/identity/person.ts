import { isEmail } from '../email.ts';
import { notFound } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { Call } from './call.ts';
import { findIdentity, type PersonIdentity } from './person-facts.ts';
import type { Principal } from './principal.ts';
import { callerRefusals } from './sentences.ts';

/** Returns who a person is. Throws 404 for an unknown person, and 403 if a member asks about someone else. */
export async function identityOf(call: Call, id: string): Promise<PersonIdentity> {
  const person = isUuid(id) ? await findIdentity(call, id) : undefined;
  return requireReadable(call.principal, person);
}

/** Returns `person` if the caller may read their record: members may read only their own. Otherwise throws 404 or 403. */
export function requireReadable<T extends { id: string }>(
  { role, userId }: Principal,
  person: T | undefined,
): T {
  if (person === undefined) throw notFound('Person');
  if (role === 'member' && person.id !== userId) throw callerRefusals.own_record_only();
  return person;
}

/** Characters beyond the dot and the at sign that NFKC, or the rules for domain names (UTS 46), turn into one. */
const SEPARATOR = /[\u2024-\u2026\u3002\uff61\ufe52\uff0e\ufe6b\uff20]/;

/** Whether the domain of an email has such characters. The email equals no other one, as in email_key(). */
export const hasOddSeparator = (email: string) => SEPARATOR.test(email.slice(email.indexOf('@') + 1));

/** Returns the folded form of an email that the database does not have. Emails in the database are compared by emailKey. */
export const foldedEmail = (email: string) =>
  hasOddSeparator(email) ? email : email.normalize('NFKC').toLowerCase().normalize('NFKC');

/**
 * Whether a person may have an email: a valid one, or the one that is stored for them, in any case. A stored email may be older than
 * the rules, and must not block a change of something else.
 */
export const mayHaveEmail = (email: string, stored: string | undefined): boolean =>
  (stored !== undefined && foldedEmail(stored) === foldedEmail(email)) || isEmail(email);
