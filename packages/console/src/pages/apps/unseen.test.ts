import { expect, test } from 'vitest';
import { linesOf } from './unseen.ts';

test('sums what a sync could not see by rule, for records by type and for members by groups', () => {
  expect(
    linesOf(
      [
        { slug: 'user', id: null, rule: 'range', count: 2 },
        { slug: 'user', id: null, rule: 'class', count: 1 },
        { slug: 'bot', id: null, rule: 'range', count: 3 },
        { slug: 'group', id: 'a', rule: 'foreign', count: 12 },
        { slug: 'group', id: 'b', rule: 'foreign', count: 1 },
        { slug: 'group', id: 'a', rule: 'unreadable', count: 1 },
      ],
      (slug) => `All ${slug}s`,
    ),
  ).toEqual([
    '5 records are outside of the ranges in the settings (All users and All bots)',
    '1 record is not an account, such as a computer or a contact (All users)',
    '13 members belong to another system or domain (2 groups or licenses)',
    '1 member cannot be read by the connector (1 group or license)',
  ]);
});
