import { expect, test } from 'vitest';
import { groupNames } from './group-names.ts';

test('shows groups that share a name apart', () => {
  const group = (id: string, display_name: string, external_id: string | null = null) => ({
    id,
    display_name,
    external_id,
  });
  const names = groupNames([
    group('1', 'All staff', 'berlin'),
    group('2', 'all staff ', 'paris'),
    group('3', 'All staff'),
    group('4', 'Finance', 'finance'),
  ]);

  expect([...names.values()]).toEqual([
    'All staff (berlin)',
    'all staff  (paris)',
    'All staff (3)',
    'Finance',
  ]);
});
