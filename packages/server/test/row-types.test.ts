import { expect, test } from 'vitest';
import { withTypes } from '../scripts/rows/write.ts';
import type { Rows } from './rows.ts';

const recorded = (place: string, kinds: Rows['kinds'], nullable: Rows['nullable'] = {}): Rows => ({
  places: [`src/a.ts:${place}`],
  text: 'select …',
  kinds,
  nullable,
});

test.each([
  [
    'many(db)`select`',
    recorded('1:9', { '': ['["id","n"]'], '.id': ['string'], '.n': ['number', 'null'] }),
    'many<{ id: string; n: number | null }>(db)`select`',
  ],
  [
    'one(tx.db)`select`',
    recorded('1:11', { '': ['["at"]'], '.at': ['Date'] }, { at: 'app.archived_at' }),
    'one<{ at: Date | null }>(tx.db)`select`',
  ],
  ['value(db)`select`', recorded('1:10', { '': ['["n"]'], '.n': ['number'] }), 'value<number>(db)`select`'],
  [
    'values(db)`select`',
    recorded('1:11', { '': ['["tags"]'], '.tags': ['array'], '.tags[]': ['string', 'null'] }),
    'values<(string | null)[]>(db)`select`',
  ],
  [
    'many(db)`select`',
    recorded('1:9', { '': ['["p"]'], '.p': ['["a"]', '["a","b"]'], '.p.a': ['string'], '.p.b': ['bytes'] }),
    'many<{ p: { a: string; b?: Buffer } }>(db)`select`',
  ],
])('writes the type of %s', (source, rows, expected) => {
  expect(withTypes('src/a.ts', source, [rows])).toEqual({ text: expected, unknown: [] });
});

test('keeps declared types, and names the statements that no test ran', () => {
  const source = 'many<Row>(db)`select`;\n  one(db)`select`';
  expect(withTypes('src/a.ts', source, [])).toEqual({ text: source, unknown: ['src/a.ts:2:10'] });
});
