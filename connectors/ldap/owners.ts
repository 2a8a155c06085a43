import type { Entry } from 'ldapts';
import type { Directory } from './kinds.ts';
import { sorted } from './session.ts';

/** Returns the email addresses of an entry, without texts such as "n/a". */
export const emailsOf = (entry: Entry): string[] =>
  sorted(entry.mail).filter((mail) => /^[^\s@]+@[^\s@]+$/.test(mail));

/**
 * Returns a function that reads the email of the person who owns an entry, from the entry that its owner attribute names. It
 * remembers the emails of owners, so that a listing reads each owner once. Other owners, such as groups, are not people.
 */
export function ownersIn({ session, kind }: Directory): (entry: Entry) => Promise<string | undefined> {
  const emails = new Map<string, string | undefined>();
  const emailOf = async (dn: string) => {
    const owner = await session.lookUp(dn, '(objectClass=person)', ['mail']);
    return owner && emailsOf(owner)[0];
  };
  return async (entry) => {
    for (const dn of sorted(entry[kind.owner])) {
      const email = emails.has(dn) ? emails.get(dn) : await emailOf(dn);
      emails.set(dn, email);
      if (email !== undefined) return email;
    }
    return undefined;
  };
}
