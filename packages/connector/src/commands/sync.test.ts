import { expect, test } from 'vitest';
import type { SyncResult } from '../sync.ts';
import { sentence } from './sync.ts';

const result: SyncResult = {
  outcome: 'completed',
  session: 's',
  pushed: { team: 3, user: 250 },
  memberships: 400,
  unseen: [],
  problems: 0,
  guard: null,
};

test('the last line of a sync has what was pushed, changed and not shown', () => {
  const counts = { created: 1, updated: 2, unchanged: 249, removed: 4 };
  const unseen: SyncResult['unseen'] = [
    { slug: 'team', type: 'group', rule: 'unreadable', records: 0, members: 1, of: 1 },
    { slug: 'seat', type: 'license', rule: 'foreign', records: 2, members: 7, of: 3 },
  ];
  expect(sentence({ ...result, counts, membership_counts: { added: 5, removed: 6 }, unseen })).toBe(
    'synced 3 team, 250 user, 400 memberships: 1 new, 2 changed, 249 unchanged, 4 removed; 5 memberships added, 6 removed; not shown: 1 member of 1 team that cannot be read, 2 seat records of another system, 7 holders of 3 seat of another system',
  );
  expect(sentence({ ...result, memberships: 1 })).toBe('synced 3 team, 250 user, 1 membership');
});

test('the last line of a dry run has what would stop the sync', () => {
  const unseen: SyncResult['unseen'] = [
    { slug: 'user', type: 'account', rule: 'filter', records: 1, members: 0, of: 0 },
  ];
  expect(sentence({ ...result, outcome: 'dry run', problems: 2, guard: 'too many', unseen })).toBe(
    'dry run: 3 team, 250 user, 400 memberships; 2 records would be skipped; the guard would stop the sync: too many; not shown: 1 user record outside the filter of the settings',
  );
});
