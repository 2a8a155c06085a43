import { expect, test } from 'vitest';
import type { ClientId } from './client.ts';
import { type Discards, discardsUntil, type Previous } from './discards.ts';

const A: ClientId = { type: 'api_key', id: 'a' };
const B: ClientId = { type: 'api_key', id: 'b' };
const AT = new Date('2026-01-01T00:00:00Z');
const EARLIER = '2025-12-31T00:00:00.000Z';

const row = (count: number, clients: ClientId[] = [A]): Discards => ({ count, since: EARLIER, clients });
const PUBLISHED = { created: 1, updated: 0, unchanged: 0, removed: 0 };
const NOTHING = { created: 0, updated: 0, unchanged: 0, removed: 0 };

function previous(more: Partial<Previous> = {}): Previous {
  return {
    status: 'abandoned',
    superseded_by: null,
    published_at: null,
    finished_at: AT,
    counts: null,
    client: A,
    discards: null,
    ...more,
  };
}
const superseded = { superseded_by: 'newer' };
const abandoned = { published_at: AT, counts: PUBLISHED };

test.each<[what: string, before: Previous | undefined, starter: ClientId | null, expected: Discards | null]>([
  ['no session before', undefined, A, null],
  ['the first discard', previous(superseded), B, { count: 1, since: AT.toISOString(), clients: [A] }],
  ['the next one', previous({ ...superseded, discards: row(1) }), B, row(2)],
  ['one of another client', previous({ ...superseded, client: B, discards: row(1) }), A, row(2, [A, B])],
  ['a restart of the same client', previous({ ...superseded, discards: row(2, [B]) }), A, row(2, [B])],
  [
    'a key and a person with one id',
    previous({ ...superseded, discards: row(1) }),
    { type: 'person', id: 'a' },
    row(2),
  ],
  ['an unknown client', previous({ ...superseded, client: null, discards: row(2) }), B, row(2)],
  ['a start by an unknown client', previous({ ...superseded, discards: row(2) }), null, row(2)],
  ['a completed session', previous({ status: 'completed', discards: row(2) }), B, null],
  ['one that is being published', previous({ status: 'completing', discards: row(2) }), B, null],
  ['one whose removal was rejected', previous({ status: 'error', discards: row(2) }), B, null],
  ['a forgotten session', previous({ discards: row(2) }), B, row(2)],
  [
    'one that its client abandoned, which was discarded before',
    previous({ ...abandoned, discards: row(2) }),
    B,
    null,
  ],
  ['one that the other client abandoned', previous({ ...abandoned, client: B, discards: row(2) }), A, row(2)],
  [
    'an abandoned one without a record',
    previous({ ...abandoned, counts: NOTHING, discards: row(2) }),
    B,
    row(2),
  ],
])('%s', (_what, before, starter, expected) => {
  expect(discardsUntil(before, starter)).toEqual(expected);
});

test('keeps a short list of clients that have a new key each time', () => {
  let before: Discards | null = null;
  for (let n = 0; n < 200; n++)
    before = discardsUntil(
      previous({ ...superseded, client: { type: 'api_key', id: `k${n}` }, discards: before }),
      B,
    );

  expect(before).toMatchObject({ count: 200 });
  expect(before?.clients.length).toBeLessThan(100);
});
