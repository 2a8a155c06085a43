import { i18n } from '@lingui/core';
import { plainText } from '../../../protocol/src/hidden-characters.ts';
import { withLocalTimes } from '../kit/text/words.ts';

/** A sentence of the server. Older servers send only the text. */
export interface ServerSentence {
  code?: unknown;
  values?: unknown;
  /** The English. */
  text: string;
}

type WordOf = (code: string) => string;

let wordsOfValues: Readonly<Record<string, WordOf>> = {};

/** Declares the words for values that are codes, by the names that these values have in sentences. */
export function declareWords(byName: typeof wordsOfValues) {
  wordsOfValues = byName;
}

/** Returns a sentence of the server in the reader's language, or else in the server's words. Its times are in the reader's time zone. */
export function serverText(sentence: ServerSentence): string {
  return withLocalTimes(translated(sentence, String));
}

function translated({ code, values, text }: ServerSentence, inherited: WordOf): string {
  if (typeof code !== 'string' || !Object.hasOwn(i18n.messages, code))
    return plainText(text, { lines: true });
  const known = Object.entries(isObject(values) ? values : {});
  const shown = known.map(([name, value]) => {
    const wordOf = Object.hasOwn(wordsOfValues, name) ? wordsOfValues[name] : inherited;
    return [name, shownValue(value, wordOf ?? inherited)];
  });
  return i18n._(code, Object.fromEntries(shown));
}

/** Numbers stay numbers, which plurals need. A sentence within has the words of its place: "owner or admin" in {roles}. */
function shownValue(value: unknown, wordOf: WordOf): string | number {
  if (typeof value === 'number') return value;
  if (isSentence(value)) return translated(value, wordOf);
  if (!Array.isArray(value)) return wordOf(String(value));
  return value.map((one) => shownValue(one, wordOf)).join(value.some(isSentence) ? ' ' : ', ');
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSentence = (value: unknown): value is ServerSentence =>
  isObject(value) && 'text' in value && typeof value.text === 'string';
