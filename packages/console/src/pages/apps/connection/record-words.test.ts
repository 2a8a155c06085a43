import { expect, test } from 'vitest';
import { columnNames, recordWords } from './record-words.ts';

test.each([
  [null, ''],
  ['ada', 'ada'],
  [0, '0'],
  [['a', 'b'], 'a, b'],
  [{ tag: [], vhost: [{ id: 'v1', name: 'orders' }, { id: 'v2' }] }, 'vhost: orders, v2'],
  [{ tag: [{ id: 'admin' }], vhost: [{ id: '/' }] }, 'tag: admin; vhost: /'],
  [{ id: 7, level: 'high' }, 'id: 7; level: high'],
  [{ tag: [] }, ''],
])('shows %j as "%s"', (value, words) => {
  expect(recordWords(value)).toBe(words);
});

test('orders the fields of records, without those that have no value anywhere', () => {
  const records = [
    { email: 'ada@acme.example', memberships: { group: [] }, id: 1 },
    { used_count: 0, username: 'grace', id: 2, assignments: { license: [] } },
  ];
  expect(columnNames(records)).toEqual(['id', 'username', 'email', 'used_count']);
});
