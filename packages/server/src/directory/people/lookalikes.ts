import { rectifyConfusion } from 'unicode-confusables';
import type { OrgTx } from '#kit/database.ts';
import type { DomainError } from '#kit/errors.ts';
import { foldedEmail, hasOddSeparator } from '#kit/identity.ts';
import { mapInTurns, pacer } from '#kit/pacer.ts';
import type { Draft } from './person.ts';
import * as queries from './queries/people.ts';
import { personRefusals } from './sentences.ts';

/**
 * Emails that look alike but differ, such as `ada@` with a Cyrillic `а`. A stranger with such an email could be taken
 * for another person. Emails within ASCII look alike too (`rn` and `m`, `l` and `1`), but such pairs are common among
 * real people, so at least one of the two must go beyond ASCII.
 */

export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/**
 * Characters that nobody sees: those that programs ignore (Unicode, Default_Ignorable_Code_Point), controls, formats, and the
 * blank of Braille.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;
/** Returns the refusal of an email that shows less than it contains, or names its domain in an odd way. */
function oddityIn(email: string): DomainError | undefined {
  if (INVISIBLE.test(email)) return personRefusals.email_with_invisible_character({ email });
  return hasOddSeparator(email) ? personRefusals.email_with_odd_separator({ email }) : undefined;
}

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

/** Returns why drafts must be refused because of their new emails, by the person's id. The caller must hold lockPeople. */
export async function lookalikesOf(tx: OrgTx, drafts: Draft[]): Promise<Map<string, DomainError>> {
  const refusals = new Map<string, DomainError>();
  await fillSkeletons(tx);
  const renamed = drafts.filter(({ before, after }) => before?.email !== after.email);
  const pace = pacer();
  for (const { after } of renamed) {
    await pace();
    const oddity = oddityIn(after.email);
    if (oddity !== undefined) refusals.set(after.id, oddity);
  }
  const hasOdd = renamed.some(({ after }) => !isAscii(after.email));
  if (renamed.length === 0 || !(hasOdd || (await queries.hasSkeletons(tx)))) return refusals;

  const known = new Map<string, { id: string; email: string }[]>();
  const remember = (skeleton: string, person: { id: string; email: string }) =>
    known.set(skeleton, [...(known.get(skeleton) ?? []), person]);
  const given = await mapInTurns(renamed, ({ after }) => ({
    ...after,
    skeleton: emailSkeleton(after.email),
  }));
  const wanted = [...new Set(given.map(({ skeleton }) => skeleton))];
  const odd = given.filter(({ email }) => !isAscii(email)).map(({ skeleton }) => skeleton);
  for (const { skeleton, ...person } of await queries.peopleLooking(tx, wanted, [...new Set(odd)]))
    remember(skeleton, person);
  for (const { skeleton, id, email } of given) {
    await pace();
    const twin = (known.get(skeleton) ?? []).find(
      (other) =>
        other.id !== id &&
        !(isAscii(other.email) && isAscii(email)) &&
        foldedEmail(other.email) !== foldedEmail(email),
    );
    if (twin !== undefined && !refusals.has(id)) {
      refusals.set(id, personRefusals.email_lookalike({ email, other: twin.email }));
    }
    remember(skeleton, { id, email });
  }
  return refusals;
}

/** Fills in the skeletons of people who were stored before there were any. */
async function fillSkeletons(tx: OrgTx): Promise<void> {
  const people = await queries.peopleWithoutSkeleton(tx);
  if (people.length === 0) return;
  await queries.setSkeletons(
    tx,
    people.map(({ id, email }) => ({ id, skeleton: emailSkeleton(email) })),
  );
}
