import { expect, test } from 'vitest';
import { type Peers, recommend } from './recommend.ts';

const peers = (have: number, of: number): Peers[] => [{ group: 'department', name: 'Sales', of, have }];
const signs = { person_left: false, unused_days: null, peers: [] };

test.each([
  [{ ...signs }, null],
  [
    { ...signs, person_left: true },
    { decision: 'revoke', reasons: ['person_left'] },
  ],
  [{ ...signs, unused_days: 89 }, null],
  [
    { ...signs, unused_days: 90 },
    { decision: 'revoke', reasons: ['not_used'] },
  ],
  [
    { person_left: true, unused_days: 400, peers: peers(0, 20) },
    { decision: 'revoke', reasons: ['person_left', 'not_used', 'few_peers'] },
  ],
  [{ ...signs, peers: peers(0, 4) }, null],
  [
    { ...signs, peers: peers(0, 5) },
    { decision: 'revoke', reasons: ['few_peers'] },
  ],
  [{ ...signs, peers: peers(1, 10) }, null],
  [{ ...signs, peers: [...peers(0, 10), ...peers(9, 10)] }, null],
  [{ ...signs, unused_days: 3, peers: peers(0, 20) }, null],
  [
    { ...signs, unused_days: 3, peers: peers(6, 10) },
    { decision: 'keep', reasons: ['most_peers'] },
  ],
  [{ ...signs, unused_days: 3, peers: peers(5, 10) }, null],
  [{ ...signs, unused_days: 31, peers: peers(9, 10) }, null],
  [{ ...signs, peers: peers(9, 10) }, null],
])('recommends for %o', (given, expected) => {
  expect(recommend(given)).toEqual(expected);
});
