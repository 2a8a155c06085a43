import { readFileSync } from 'node:fs';
import { formatter } from '@lingui/format-po';
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from 'vitest';
import { serverSentences } from './server-sentences.ts';

const po = formatter();

async function translationsIn(catalog: string): Promise<[english: string, german: string][]> {
  const content = readFileSync(new URL(`../src/language/${catalog}/de.po`, import.meta.url), 'utf8');
  const messages = await po.parse(content, {
    locale: 'de',
    sourceLocale: 'en',
    filename: `${catalog}/de.po`,
  });
  return Object.values(messages)
    .filter(({ obsolete }) => obsolete !== true)
    .map(({ message = '', translation = '' }) => [message, translation]);
}

type Token = Exclude<CompiledMessage, string>[number];

/** Returns the placeholders of a message, with the cases of each plural and select: "count, plural: one other". */
function placeholdersOf(message: CompiledMessage): string[] {
  const tokens: Token[] = typeof message === 'string' ? [message] : message;
  return tokens.flatMap((token) => {
    if (typeof token === 'string') return [];
    const [name, type, cases] = token as [string, string?, (Record<string, CompiledMessage> | string)?];
    if (typeof cases !== 'object') return [name];
    const inner = Object.values(cases).flatMap((one) => (typeof one === 'object' ? placeholdersOf(one) : []));
    const keys = Object.keys(cases).filter((key) => key !== 'offset');
    return [`${name}, ${type}: ${keys.sort().join(' ')}`, ...inner];
  });
}

const NOT_GERMAN = /[”‘’"]|\.\.\.|\S…|(?:^|\s)(?:du|dein\w*|dir|dich)(?:\s|$)/i;

const partsOf = (message: string) => ({
  placeholders: [...new Set(placeholdersOf(compileMessage(message)))].sort(),
  tags: [...message.matchAll(/<\/?\d+\/?>/g)].map(([tag]) => tag).sort(),
});

test('the German catalog of the server has each sentence, with its placeholders and cases', async () => {
  const content = readFileSync(new URL('../src/language/server/de.po', import.meta.url), 'utf8');
  const messages = await po.parse(content, { locale: 'de', sourceLocale: 'en', filename: 'server/de.po' });
  const sentences = await serverSentences();
  expect(Object.keys(messages).sort()).toEqual(sentences.map(([code]) => code).sort());
  for (const [code, english] of sentences) {
    const german = messages[code]?.translation ?? '';
    expect(partsOf(german), `${english} = ${german}`).toEqual(partsOf(english));
    expect(german, english).not.toMatch(NOT_GERMAN);
  }
});

describe.each(['frame', 'pages'])('the German catalog %s', (catalog) => {
  test('has a translation for each message, with its placeholders, cases and tags', async () => {
    const translations = await translationsIn(catalog);
    expect(translations.length).toBeGreaterThan(100);
    for (const [english, german] of translations) {
      expect(partsOf(german), `${english} = ${german}`).toEqual(partsOf(english));
    }
  });

  test('is written the way German is', async () => {
    for (const [english, german] of await translationsIn(catalog)) {
      expect(german, english).not.toMatch(NOT_GERMAN);
    }
  });
});
