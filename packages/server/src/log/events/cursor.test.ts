import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cursor, type CursorKeys, decodeCursor, encodeCursor, keyIdOf } from './cursor.ts';
import { FILTER_NAMES } from './filters.ts';

const ORG = '0199a000-0000-7000-8000-000000000001';
const KEYS: CursorKeys = { current: 1, secrets: new Map([[1, Buffer.alloc(32, 7)]]) };

const moment = fc.integer({ min: 0, max: 4_000_000_000_000_000 });
const place = fc.oneof(
  fc.record({ kind: fc.constant('tail' as const), low: moment }),
  fc.record({ kind: fc.constant('window' as const), low: moment, high: moment, at: moment }),
  fc.record({ kind: fc.constant('newer' as const), low: moment, high: moment, above: moment }),
);
const filters = fc.dictionary(fc.constantFrom(...FILTER_NAMES), fc.string({ unit: 'grapheme' }), {
  maxKeys: FILTER_NAMES.length,
});
const anyCursor: fc.Arbitrary<Cursor> = fc.record({ place, filters });

test('decodes what it encoded', () => {
  fc.assert(
    fc.property(anyCursor, (cursor) => {
      const decoded = decodeCursor({ orgId: ORG }, KEYS, encodeCursor({ orgId: ORG }, KEYS, cursor));

      expect(decoded).toEqual({ place: cursor.place, filters: { ...cursor.filters } });
    }),
  );
});

test('encodes equal cursors as equal texts', () => {
  const cursor: Cursor = { place: { kind: 'tail', low: 5 }, filters: {} };

  expect(encodeCursor({ orgId: ORG }, KEYS, cursor)).toBe(
    encodeCursor({ orgId: ORG }, KEYS, structuredClone(cursor)),
  );
});

describe('cursors of version 1 from earlier releases', () => {
  const golden: [string, Cursor][] = [
    [
      'AQEAAAZD_B-IgkAEk4fwsI3EyDq_1WCMvETy',
      { place: { kind: 'tail', low: 1_763_600_000_123_456 }, filters: {} },
    ],
    [
      'AQEBAAAAAAAAAAAABkP8H4iCQAAGQ-TXD7gBeyJjYXRlZ29yeSI6InRhc2siLCJzZXZlcml0eSI6ImhpZ2gsbG93In04ionhicGc4ZqYlEpEb78E',
      {
        place: { kind: 'window', low: 0, high: 1_763_600_000_123_456, at: 1_763_500_000_000_001 },
        filters: { category: 'task', severity: 'high,low' },
      },
    ],
    [
      'AQECAAAAAAAAAAEABkP8H4iCQAAGQ_wfhp__eyJhY3Rvcl9pcCI6IjIwMDE6ZGI4OjoxIn2STrojkJdfLjVHuxCTpTg5',
      {
        place: { kind: 'newer', low: 1, high: 1_763_600_000_123_456, above: 1_763_599_999_999_999 },
        filters: { actor_ip: '2001:db8::1' },
      },
    ],
  ];

  test.each(golden)('%s', (text, cursor) => {
    expect(decodeCursor({ orgId: ORG }, KEYS, text)).toEqual(cursor);
    expect(encodeCursor({ orgId: ORG }, KEYS, cursor)).toBe(text);
  });
});

describe('rejects a cursor', () => {
  const sample: Cursor = {
    place: { kind: 'window', low: 3, high: 1_763_600_000_123_456, at: 1_763_500_000_000_001 },
    filters: { category: 'task' },
  };
  const text = encodeCursor({ orgId: ORG }, KEYS, sample);
  const refusal = 'The cursor is damaged or belongs to another organization (cursor).';

  test('with one bit changed', () => {
    const bytes = Buffer.from(text, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));

      expect(() => decodeCursor({ orgId: ORG }, KEYS, damaged.toString('base64url')), `bit ${bit}`).toThrow(
        refusal,
      );
    }
  });

  test('with one character changed', () => {
    for (let index = 0; index < text.length; index++) {
      const other = text[index] === 'A' ? 'B' : 'A';

      expect(() =>
        decodeCursor({ orgId: ORG }, KEYS, text.slice(0, index) + other + text.slice(index + 1)),
      ).toThrow(refusal);
    }
  });

  test('that is cut off', () => {
    for (let length = 0; length < text.length; length++) {
      expect(() => decodeCursor({ orgId: ORG }, KEYS, text.slice(0, length))).toThrow(refusal);
    }
  });

  test('that is another text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64url')),
        ),
        (noise) => {
          expect(() => decodeCursor({ orgId: ORG }, KEYS, noise)).toThrow(refusal);
        },
      ),
    );
  });

  test.each([
    ['padding', `${text}==`],
    ['white space', ` ${text}`],
    ['a doubled cursor', text + text],
    ['the longest line', 'A'.repeat(100_000)],
  ])('%s', (_name, damaged) => {
    expect(() => decodeCursor({ orgId: ORG }, KEYS, damaged)).toThrow(refusal);
  });

  test('of another organization with the same key', () => {
    expect(() => decodeCursor({ orgId: randomUUID() }, KEYS, text)).toThrow(refusal);
  });

  test('signed with a deleted or unknown key', () => {
    const others: CursorKeys = { current: 1, secrets: new Map([[1, randomBytes(32)]]) };

    expect(() =>
      decodeCursor({ orgId: ORG }, { current: 2, secrets: new Map([[2, Buffer.alloc(32, 7)]]) }, text),
    ).toThrow(refusal);
    expect(() => decodeCursor({ orgId: ORG }, others, text)).toThrow(refusal);
  });
});

test('after a rotation the new key signs and existing cursors stay valid', () => {
  const rotated: CursorKeys = { current: 2, secrets: new Map([...KEYS.secrets, [2, Buffer.alloc(32, 9)]]) };
  const cursor: Cursor = { place: { kind: 'tail', low: 5 }, filters: {} };
  const old = encodeCursor({ orgId: ORG }, KEYS, cursor);

  const fresh = encodeCursor({ orgId: ORG }, rotated, cursor);

  expect([keyIdOf(old), keyIdOf(fresh)]).toEqual([1, 2]);
  expect(decodeCursor({ orgId: ORG }, rotated, old)).toEqual(cursor);
  expect(decodeCursor({ orgId: ORG }, rotated, fresh)).toEqual(cursor);
});
