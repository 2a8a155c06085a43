import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../src');

/** A child of an element that is the name of something: `>{app.name}<`, also on a line of its own. */
const BARE = />\s*\{[\w.?]+\.(?:name|app_name|display_name|username|email)(?: \|\| [\w.?]+)?\}\s*</g;
/** Sentences make names readable themselves (language.ts). */
const SENTENCES = /<Trans>[\s\S]*?<\/Trans>/g;

test('pages draw names with the component for names', () => {
  const bare = globSync('**/*.tsx', { cwd: source }).flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').replaceAll(SENTENCES, '').matchAll(BARE)].map(
      ([text]) => `${file}: ${text.replaceAll(/\s+/g, ' ')}`,
    ),
  );

  expect(bare, 'Write <Name of={...} /> (kit/text/name.tsx).').toEqual([]);
});
