import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '#kit/errors.ts';
import { readJson } from '#kit/http/json.ts';
import { JsonReader } from '#kit/http/json-reader.ts';
import { readLargePage } from './large-page.ts';
import { storableOf } from './page-columns.ts';
import { parsePage, parseRecordByRecord, type RecordKind } from './record.ts';

const MOST = 3_000_000;

function outcomeOf(work: () => unknown) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, message: error.message, issues: error.issues };
  }
}
const whole = (kind: RecordKind, bytes: Buffer) =>
  outcomeOf(() => storableOf(parsePage('slug', kind, readJson(bytes, MOST))));
const piecewise = (kind: RecordKind, bytes: Buffer) =>
  outcomeOf(() => parseRecordByRecord('slug', kind, readLargePage(bytes)));

const expectSame = (kind: RecordKind, text: string) => {
  const bytes = Buffer.from(text);
  expect(piecewise(kind, bytes)).toEqual(whole(kind, bytes));
};

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => one(i));
const account = (index: number) => ({ id: `${index}`, email: `p${index}@acme.example` });
const refs = (count: number) => many(count, (id) => ({ id: `g${id}`, name: id % 2 ? `"${id}\\` : null }));
/** Makes a record so large that it is read field by field. */
const filler = {
  unknown: many(1000, () => ({ a: ['x'.repeat(1100), 1.5e3, true, null, { é: '\n\u{1f600}' }] })),
};

describe.each(['small', 'large'])('a page of %s records', (size) => {
  const more = size === 'large' ? filler : {};

  test.each<[string, RecordKind, unknown]>([
    ['accounts', 'account', { records: many(3, (n) => ({ ...account(n), ...more })) }],
    [
      'accounts with references, some with names and givers',
      'account',
      {
        records: many(4, (n) => ({
          ...account(n),
          ...more,
          memberships: n === 1 ? {} : { team: refs(n * 30), channel: null },
          assignments:
            n === 3 ? { seat: [{ id: 's', via: { slug: 'team', id: 'g1', other: {} } }] } : undefined,
        })),
      },
    ],
    [
      'accounts of which some have details',
      'account',
      {
        records: many(3, (n) => ({
          ...account(n),
          ...more,
          ...(n === 1 ? { attributes: { b: 1, a: 'x', ['__proto__']: true }, is_own: true } : {}),
        })),
      },
    ],
    [
      'groups',
      'group',
      { records: many(3, (n) => ({ id: `${n}`, name: 'N', description: '"x"', ...more })) },
    ],
    ['licenses', 'license', { records: [{ id: 'l', name: 'L', max_count: 5, is_paid: true, ...more }] }],
    ['no records', 'account', { records: [], ...more }],
    [
      'wrong types',
      'account',
      { records: [{ id: {}, email: [], status: 5, memberships: [], ...more }, 7, null, [more]] },
    ],
    [
      'wrong references',
      'account',
      { records: [{ ...account(1), ...more, memberships: { team: [5, {}, { id: 1 }], x: 'y' } }] },
    ],
    [
      'too many references',
      'account',
      { records: [{ ...account(1), ...more, memberships: { team: refs(101), x: refs(500) } }] },
    ],
    [
      'too many attributes',
      'account',
      {
        records: [{ ...account(1), ...more, attributes: Object.fromEntries(many(51, (n) => [`a${n}`, n])) }],
      },
    ],
    [
      'too many records',
      'account',
      { records: many(101, (n) => (n === 0 ? { ...account(n), ...more } : account(n))) },
    ],
    ['the same id twice', 'group', { records: many(2, () => ({ id: 'x', name: 'N', ...more })) }],
    ['no list', 'account', { records: { a: 1 }, ...more }],
    ['nothing', 'account', { other: 1, ...more }],
    ['a list', 'account', [{ records: [], ...more }]],
  ])('is read as one of %s is that is parsed as a whole', (_, kind, body) => {
    expectSame(kind, JSON.stringify(body));
    expectSame(kind, JSON.stringify(body, null, 2));
  });
});

test.each([
  '{"records":[{"id":"a","email":"a@x"}],"records":[{"id":"b","email":"b@x"}]}',
  '{"records":[{"id":"a","id":"b","email":"a@x"}]}',
  '{"records":[]} x',
  '{"records":[],}',
  '{"records":[01]}',
  '{"records":[tru]}',
  '{"records":["\\x"]}',
  '{"records":["\\ud83d"]}',
  '{"records":["\\ude00\\ud83d"]}',
  '{"records":[{"id":"\\ud83d\\ude00","email":"a@x"}]}',
  '{"records":["\\u12G4"]}',
  '{"records":["a\nb"]}',
  '{"records":["open]}',
  '{"records":[1 2]}',
  '{"records":{"a" 1}}',
  '{records:[]}',
  '{"records":[-,+1,.5]}',
  '"text"',
  'null',
  ' ',
  '',
])('reads %j as JSON.parse does', (text) => expectSame('account', text));

test('reads any JSON as JSON.parse does, and refuses what it refuses', () => {
  const text = fc.oneof(
    fc.json(),
    fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('"', '\\', ',', '{', ']', '0', 'e', '\u0001', ''))
      .map(([json, at, change]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + change + json.slice(place + 1);
      }),
  );
  fc.assert(
    fc.property(text, (json) => {
      const isValid = outcomeOf(() => readJson(Buffer.from(json), MOST));
      const read = outcomeOf(() => {
        const reader = new JsonReader(Buffer.from(json));
        reader.skip();
        reader.end();
        return 'valid';
      });
      expect(read === 'valid').toBe(
        !(isValid !== null && typeof isValid === 'object' && 'code' in isValid && 'issues' in isValid),
      );
    }),
    { numRuns: 2000 },
  );
});

test.each([
  `1.${'0'.repeat(1098)}garbage`,
  `1${'0'.repeat(1200)}e-1200`,
  `0.${'1'.repeat(5000)}`,
  `-${'9'.repeat(5000)}`,
])('reads a long number as JSON.parse does: %#', (number) => {
  const outcome = (read: () => unknown) => {
    try {
      return read();
    } catch {
      return 'not JSON';
    }
  };
  const read = () => new JsonReader(Buffer.from(number)).read('scalar');
  expect(outcome(read)).toBe(outcome(() => JSON.parse(number)));
});

test('a record with very many fields or values takes no memory for those that nobody asks for', () => {
  const fields = many(300_000, (n) => `"k${n}":1`).join(',');
  const read = (record: string) => piecewise('account', Buffer.from(`{"records":[${record}]}`));

  expect(read(`{"id":"a","email":"a@x","unknown":{${fields}}}`)).toMatchObject({ total: 1 });
  expect(read(`{"id":"a","email":"a@x",${fields}}`)).toMatchObject({ total: 1 });
  expect(read(`{"id":"a","email":"a@x","attributes":{${fields}}}`)).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('too many fields'),
  });
});

test('refuses a page that would take too much to store because its slugs are repeated', {
  tags: ['long'],
}, () => {
  const list = many(100, (id) => `{"id":"g${id}"}`).join(',');
  const relation = many(1000, (n) => `"${`s${n}`.padEnd(64, 'x')}":[${list}]`).join(',');
  const records = many(10, (n) => `{"id":"${n}","email":"a@x","memberships":{${relation}}}`);

  expect(piecewise('account', Buffer.from(`{"records":[${records.join(',')}]}`))).toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('Push fewer records in a page.'),
  });
});
