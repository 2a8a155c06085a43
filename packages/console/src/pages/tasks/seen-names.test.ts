import { expect, test } from 'vitest';
import { seenNames } from './seen-names.ts';

test('shows what a connector saw under the names in the task, and under IDs if it has none', () => {
  const changes = {
    group: { added: [{ id: 'cn=a,ou=b', name: 'Admins' }], removed: [{ id: 'old', name: '' }] },
    license: { added: [], removed: [{ id: 'cn=a,ou=b', name: 'Seat' }] },
  };
  expect(
    seenNames(
      {
        account: 'active',
        held: [{ slug: 'group', id: 'cn=a,ou=b' }],
        missing: [
          { slug: 'license', id: 'cn=a,ou=b' },
          { slug: 'group', id: 'old' },
          { slug: 'role', id: 'r' },
        ],
      },
      changes,
    ),
  ).toEqual({
    held: [{ key: 'group/cn=a,ou=b', name: 'Admins' }],
    missing: [
      { key: 'license/cn=a,ou=b', name: 'Seat' },
      { key: 'group/old', name: 'old' },
      { key: 'role/r', name: 'r' },
    ],
  });
});
