import { rectifyConfusion } from 'unicode-confusables';
import { foldedEmail } from '../identity/person.ts';
import type { Tx } from '../platform/database/open.ts';
import { conflict, type DomainError } from '../platform/errors.ts';
import type { Draft } from './person.ts';
import * as queries from './queries.ts';

/**
 * Emails that look alike but differ, such as `ada@` with a Cyrillic `а`. A stranger with such an email could be taken
 * for another person. Emails within ASCII look alike too (`rn` and `m`, `l` and `1`), but such pairs are common among
 * real people, so at least one of the two must go beyond ASCII.
 */

export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** Returns what an email looks like (the skeleton of Unicode TS 39), without case. Equal for emails that look alike. */
export function emailSkeleton(email: string): string {
  const folded = foldedEmail(email);
  if (isAscii(folded)) return asciiSkeleton(folded);
  return rectifyConfusion(folded.normalize('NFD')).normalize('NFD').toLowerCase();
}

const ASCII: Record<string, string> = {
  '"': "''",
  '%': 'º/₀',
  '`': "'",
  '|': 'l',
  '0': 'o',
  '1': 'l',
  m: 'rn',
};

/** The same for ASCII: import checks a hundred thousand emails. queries.ts computes it in SQL. */
const asciiSkeleton = (folded: string) =>
  folded.replace(/["%`|01m]/g, (character) => ASCII[character] ?? character);

/** Returns why drafts must be refused because of their emails, by the person's id. The caller must hold lockPeople. */
export async function lookalikesOf(
  tx: Tx,
  orgId: string,
  drafts: Draft[],
): Promise<Map<string, DomainError>> {
  const refusals = new Map<string, DomainError>();
  await fillSkeletons(tx, orgId);
  const renamed = drafts.filter(({ before, after }) => before?.email !== after.email);
  const hasOdd = renamed.some(({ after }) => !isAscii(after.email));
  if (renamed.length === 0 || !(hasOdd || (await queries.hasSkeletons(tx, orgId)))) return refusals;

  const known = new Map<string, { id: string; email: string }[]>();
  const remember = (skeleton: string, person: { id: string; email: string }) =>
    known.set(skeleton, [...(known.get(skeleton) ?? []), person]);
  const given = renamed.map(({ after }) => ({ ...after, skeleton: emailSkeleton(after.email) }));
  const wanted = [...new Set(given.map(({ skeleton }) => skeleton))];
  const odd = given.filter(({ email }) => !isAscii(email)).map(({ skeleton }) => skeleton);
  for (const { skeleton, ...person } of await queries.peopleLooking(tx, orgId, wanted, [...new Set(odd)]))
    remember(skeleton, person);
  for (const { skeleton, id, email } of given) {
    const twin = (known.get(skeleton) ?? []).find(
      (other) =>
        other.id !== id &&
        !(isAscii(other.email) && isAscii(email)) &&
        foldedEmail(other.email) !== foldedEmail(email),
    );
    if (twin !== undefined) {
      refusals.set(
        id,
        conflict(`The email ${email} looks like ${twin.email}, another person's email. Check its letters.`),
      );
    }
    remember(skeleton, { id, email });
  }
  return refusals;
}

/** Fills in the skeletons of people who were stored before there were any. */
async function fillSkeletons(tx: Tx, orgId: string): Promise<void> {
  const people = await queries.peopleWithoutSkeleton(tx, orgId);
  if (people.length === 0) return;
  await queries.setSkeletons(
    tx,
    orgId,
    people.map(({ id, email }) => ({ id, skeleton: emailSkeleton(email) })),
  );
}
