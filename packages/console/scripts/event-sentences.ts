import { join } from 'node:path';
import { catalog } from '../../server/src/log/events/catalog.ts';
import { writeGenerated } from './generated.ts';

/**
 * Generates src/events/sentences.ts, the sentences of events, from the server's catalog. The build, the tests, the check of types and the
 * extraction of texts import this file first.
 */
const FILE = join(import.meta.dirname, '../src/events/sentences.ts');

const entries = Object.entries(catalog).map(([type, { sentence, quote = [], people = [] }]) => {
  const fields = JSON.stringify({ quote, people }).slice(1, -1);
  return `  ${JSON.stringify(type)}: { text: msg({ message: ${JSON.stringify(sentence)} }), ${fields} },`;
});
const text = `// Generated from packages/server/src/log/events/catalog. Change the files there, not this one.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

interface Sentence {
  text: MessageDescriptor;
  /** The fields of which the first with a text follows after a colon. */
  quote: readonly string[];
  /** The fields with ids of people. */
  people: readonly string[];
}

export const sentences: Readonly<Record<string, Sentence | undefined>> = {
${entries.join('\n')}
};
`;
writeGenerated(FILE, text);
