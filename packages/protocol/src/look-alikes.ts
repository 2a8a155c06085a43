/**
 * Names that look like others. Only the letters that common fonts draw alike are compared, so that a note is almost always right. Emails
 * of people are compared with all of Unicode's confusable characters, in the server (directory/people/lookalikes.ts).
 */

/** Letters of Cyrillic, Greek, Armenian and Cherokee, and signs, under the Latin letter that they look like. */
const ALIKE: Record<string, string> = {
  A: 'АΑᎪ',
  B: 'ВΒᏴ',
  C: 'СϹᏟ',
  D: 'Ꭰ',
  E: 'ЕΕᎬ',
  F: 'Ϝ',
  G: 'ԌᏀ',
  H: 'НΗᎻ',
  J: 'ЈͿᎫ',
  K: 'КΚᏦ',
  L: 'Ꮮ',
  M: 'МΜᎷ',
  N: 'Ν',
  O: 'ОΟՕ0',
  P: 'РΡᏢ',
  S: 'ЅՏᏚ',
  T: 'ТΤᎢ',
  U: 'Ս',
  V: 'ѴᏙ',
  W: 'ԜᎳ',
  X: 'ХΧ',
  Y: 'ҮΥУ',
  Z: 'ΖᏃ',
  a: 'аαɑ',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еҽ',
  g: 'ɡց',
  h: 'һհ',
  i: 'іɩιı',
  j: 'јϳ',
  k: 'κ',
  l: 'ӏΙІ|1IᏞ',
  n: 'ոη',
  o: 'оοօσ',
  p: 'рρ',
  q: 'ԛզ',
  s: 'ѕ',
  u: 'υսц',
  v: 'νѵ',
  w: 'ԝѡա',
  x: 'хχ',
  y: 'уүγ',
  "'": '’‘ʼ`´′',
  '-': '‐‑‒–—−﹘',
  '.': '․',
  '/': '∕⁄',
  ':': '꞉∶։',
};
const LATIN = new Map(
  Object.entries(ALIKE).flatMap(([latin, others]) => [...others].map((one) => [one, latin])),
);

/** Returns what a name looks like: equal for names that look alike. Case, spaces and hidden characters do not count. */
export function lookOf(name: string): string {
  const seen = name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
  const latin = [...seen].map((character) => LATIN.get(character) ?? character).join('');
  return latin.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Whether two names differ only in what nobody sees. Names that differ in their case are not meant. */
export const lookAlike = (one: string, other: string): boolean =>
  one !== other && plainCase(one) !== plainCase(other) && lookOf(one) === lookOf(other);

const plainCase = (name: string) => name.toLowerCase();

/** Returns, for each name that looks like another of them, one that it looks like. */
export function lookAlikesAmong(names: Iterable<string>): Map<string, string> {
  const byLook = Map.groupBy(new Set(names), lookOf);
  const found = new Map<string, string>();
  for (const alike of byLook.values())
    if (alike.length > 1)
      for (const name of alike) {
        const other = alike.find((one) => lookAlike(one, name));
        if (other !== undefined) found.set(name, other);
      }
  return found;
}

const SCRIPTS = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  // Not the sign for a millionth, which Unicode also has among the Latin signs.
  Greek: /(?!\u00b5)\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
};
export type Script = keyof typeof SCRIPTS;

/** Words, across the hidden characters in them. */
const WORDS = /\p{L}[\p{L}\p{M}\p{Cf}]*/gu;

/** Returns the scripts of a word that mixes letters that look alike, such as a Cyrillic `а` among Latin letters. Undefined: no word does. */
export function mixedScripts(name: string): Script[] | undefined {
  for (const [word] of name.matchAll(WORDS)) {
    const found = (Object.keys(SCRIPTS) as Script[]).filter((script) => SCRIPTS[script].test(word));
    if (found.length > 1) return found;
  }
  return undefined;
}
