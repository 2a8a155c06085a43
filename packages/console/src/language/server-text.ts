import { i18n } from '@lingui/core';

/** A sentence of the server. Older servers send only the text. */
export interface ServerSentence {
  code?: unknown;
  values?: unknown;
  /** The English. */
  text: string;
}

/** Returns a sentence of the server in the reader's language, or else in the server's words. */
export function serverText({ code, values, text }: ServerSentence): string {
  if (typeof code !== 'string' || !Object.hasOwn(i18n.messages, code)) return text;
  const known = Object.entries(isObject(values) ? values : {});
  return i18n._(code, Object.fromEntries(known.map(([name, value]) => [name, shown(value)])));
}

/** Numbers stay numbers, which plurals need. */
const shown = (value: unknown) => (typeof value === 'number' ? value : textOf(value));

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return isSentence(value) ? serverText(value) : String(value);
  return value.map(textOf).join(value.some(isSentence) ? ' ' : ', ');
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSentence = (value: unknown): value is ServerSentence =>
  isObject(value) && 'text' in value && typeof value.text === 'string';
