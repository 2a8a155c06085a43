import { expect, test } from 'vitest';
import { problemsOf } from './records.ts';

const slugs = { groups: new Set<string>(), licenses: new Set<string>() };
const account = (more: object) => problemsOf('account', { id: 'a', username: 'a', ...more }, slugs);
const group = (more: object) => problemsOf('group', { id: 'g', name: 'G', ...more }, slugs);

test('accepts the fields that give no access, and their absence', () => {
  const attributes = { title: 'Batch', level: 3, admin: false, none: null, empty: '' };
  expect(account({ last_sign_in_at: '2026-05-01T10:00:00Z', owner: 'ann@x.example', attributes })).toEqual(
    [],
  );
  expect(account({ last_sign_in_at: '', owner: null, attributes: null })).toEqual([]);
  expect(group({ risk: 'high', owner: 'ann@x.example' })).toEqual([]);
  expect(group({ risk: null, owner: '' })).toEqual([]);
});

test.each([
  [{ last_sign_in_at: 'yesterday' }, 'last_sign_in_at: must be an ISO 8601 timestamp'],
  [{ last_sign_in_at: '2026-02-30' }, 'last_sign_in_at: must be an ISO 8601 timestamp'],
  [{ last_sign_in_at: '2026-13-01T00:00:00Z' }, 'last_sign_in_at: must be an ISO 8601 timestamp'],
  [{ last_sign_in_at: 1_700_000_000 }, 'last_sign_in_at: must be an ISO 8601 timestamp'],
  [{ owner: 'ann' }, 'owner: must be an email address'],
  [{ attributes: [] }, 'attributes: must be an object'],
  [{ attributes: { a: {} } }, "attributes['a']: must be text, a number, true or false"],
  [{ attributes: { a: Number.NaN } }, "attributes['a']: must be text, a number, true or false"],
  [{ attributes: { a: 'a'.repeat(513) } }, "attributes['a']: at most 512 characters"],
  [{ attributes: { a: '\0' } }, "attributes['a']: contains a NUL character"],
  [{ attributes: { '': 1 } }, "attributes['']: the name must have 1 to 100 characters"],
  [
    { attributes: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, n])) },
    'attributes: at most 50, not 51',
  ],
])('finds the problem of %j', (more, problem) => {
  expect(account(more)).toEqual([problem]);
});

test.each([
  [{ risk: 'HIGH' }, 'risk: must be one of low, medium, high'],
  [{ owner: 7 }, 'owner: must be an email address'],
])('finds the problem of a group with %j', (more, problem) => {
  expect(group(more)).toEqual([problem]);
});
