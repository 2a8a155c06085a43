import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsIn } from '../../help/src/markdown.ts';
import { HELP, helpAddress } from '../src/shell/help-address.ts';

const DOCS = join(import.meta.dirname, '../../../docs');

test.each(Object.entries(HELP))('the help about %s is there: %s', (_, address) => {
  const [file, anchor] = address.split('#');
  const anchors = anchorsIn(readFileSync(join(DOCS, `${file}.md`), 'utf8'));
  if (anchor !== undefined) expect([...anchors]).toContain(anchor);
});

test('a page below another has the help of the nearest one', () => {
  expect(helpAddress('/reviews/cycles/0199a000')).toBe('/help/guides/reviews#cycles');
  expect(helpAddress('/reviewsother')).toBe('/help/guides/console#first-steps');
  expect(helpAddress('/people/0199a000/proof')).toBe('/help/guides/people#people');
});
