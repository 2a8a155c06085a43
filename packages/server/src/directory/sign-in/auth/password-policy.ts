import type { PersonIdentity } from '#kit/identity.ts';
import { signInRefusals } from '../sentences.ts';
import { requireUnbreached } from './breached-passwords.ts';

/** Which passwords people may choose: long ones that are neither common nor made of the person's own data. */

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 128;

/** The time of the check grows with the square of the length. The start of a longer password decides. */
const CHECKED_LENGTH = 48;
const MOST_SUBSTITUTIONS = 64;
/** One of zxcvbn's scores 0 to 4: "safely unguessable, moderate protection from offline slow-hash scenario". */
const LEAST_SCORE = 3;
/** A password must have this many letters and digits apart from the person's own data. */
const LEAST_OWN_LENGTH = 8;
const SHORTEST_WORD = 3;

const openChecker = async () => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: MOST_SUBSTITUTIONS,
  });
};
let checker: ReturnType<typeof openChecker> | undefined;

/** Throws 400 with the reason if a person cannot have this password. */
export async function requireStrongPassword(
  password: string,
  person: Pick<PersonIdentity, 'email' | 'username' | 'first_name' | 'last_name'>,
  organization: { slug: string; name: string },
): Promise<void> {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH)
    throw signInRefusals.password_length({ least: MIN_PASSWORD_LENGTH, most: MAX_PASSWORD_LENGTH });
  // The dictionaries take a moment and some memory: the first new password loads them.
  checker ??= openChecker();
  const words = wordsOf(person, organization);
  const { score } = (await checker).check(password.slice(0, CHECKED_LENGTH), words);
  if (isMadeOf(password.toLowerCase(), words)) throw signInRefusals.password_is_known_name();
  if (score < LEAST_SCORE) throw signInRefusals.password_guessable();
  await requireUnbreached(password);
}

function isMadeOf(password: string, words: string[]): boolean {
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password);
  return rest !== password && rest.replaceAll(/[^\p{L}\p{N}]/gu, '').length < LEAST_OWN_LENGTH;
}

/** Returns the words of the person's own data, the longest first. */
function wordsOf(
  { email, username, first_name, last_name }: Parameters<typeof requireStrongPassword>[1],
  { slug, name }: { slug: string; name: string },
): string[] {
  const texts = [email, username, first_name, last_name, slug, name];
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(words.map((word) => word.toLowerCase()))]
    .filter((word) => word.length >= SHORTEST_WORD)
    .sort((one, other) => other.length - one.length);
}
