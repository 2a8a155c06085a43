import { array, assert, asyncProperty, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf } from '#kit/csv.ts';
import { openSpreadsheet } from './open.ts';

/** Rows of empty cells are left out. */
const text = string({ unit: 'binary', minLength: 1 }).filter((each) => !each.includes('\0'));

test('an exported file has the cells that were exported, for any text', async () => {
  await assert(
    asyncProperty(array(tuple(text, text), { minLength: 1, maxLength: 5 }), async (rows) => {
      const columns = {
        '=id': ([id]: [string, string]) => id,
        'a;b': ([, other]: [string, string]) => other,
      };
      async function* slices() {
        yield rows;
      }
      const file = Buffer.from((await Array.fromAsync(csvOf(columns, slices()))).join(''));
      async function* bytes() {
        yield file;
      }

      const { headers, rows: read } = await openSpreadsheet(bytes, { encoding: 'utf-8' });

      expect(headers).toEqual(['=id', 'a;b']);
      expect((await Array.fromAsync(read)).map(({ cells }) => cells)).toEqual(rows);
    }),
  );
});
