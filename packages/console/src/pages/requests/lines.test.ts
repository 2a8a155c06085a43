import { expect, test } from 'vitest';
import { bodyOf, type Entry, linesOf, newId, type Terms, timesOf } from './lines.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const terms = (change: Partial<Terms>): Terms => ({
  duration: 'permanent',
  start: '',
  end: '',
  reason: ' For the audit ',
  ...change,
});
const entry = (app: string, id: string | null, more: Partial<Entry> = {}): Entry => ({
  kind: id === null ? 'account' : 'group',
  app: { external_uuid: app, name: app } as Entry['app'],
  external_uuid: id,
  slug: id === null ? null : 'team',
  id,
  name: id ?? '',
  description: '',
  owner: null,
  risk: null,
  is_full: null,
  has_account: false,
  held: false,
  pending: null,
  peers: null,
  ...more,
});

test('makes one line of the entries of an app', () => {
  const lines = linesOf([
    entry('crm', null),
    entry('wiki', 'red', { has_account: true }),
    entry('crm', 'blue'),
  ]);

  expect(lines.map(({ app, entries, isNew }) => [app.name, entries.map(({ id }) => id), isNew])).toEqual([
    ['crm', [null, 'blue'], true],
    ['wiki', ['red'], false],
  ]);
});

test('requests an account with its groups and licenses, or more of them', () => {
  const people = { user: 'u', requester: null };
  const [first, second] = linesOf([
    entry('crm', null),
    entry('crm', 'seat', { kind: 'license', slug: 'plan' }),
    entry('wiki', 'red', { has_account: true }),
  ]);

  expect(first && bodyOf(first, people, terms({}))).toEqual({
    app: 'crm',
    ...people,
    type: 'NEW_ACCESS',
    memberships: {},
    assignments: { plan: ['seat'] },
    start_time: null,
    end_time: null,
    initial_comment: 'For the audit',
  });
  expect(second && bodyOf(second, people, terms({}))).toMatchObject({
    type: 'MODIFY_ACCESS',
    memberships: { team: ['red'] },
  });
});

test('counts days from now, or from the start', () => {
  expect(timesOf(terms({ duration: '7' }), NOW)).toEqual({
    start_time: null,
    end_time: '2026-03-08T12:00:00.000Z',
  });
  expect(timesOf(terms({ duration: '1', start: '2026-03-10' }), NOW)).toEqual({
    start_time: '2026-03-10',
    end_time: '2026-03-10',
  });
  expect(timesOf(terms({ duration: '30', start: '2026-03-10' }), NOW)).toMatchObject({
    end_time: '2026-04-08',
  });
});

test('ends on the chosen day', () => {
  const { end_time } = timesOf(terms({ duration: 'date', end: '2026-03-10' }), NOW);
  expect(end_time).toBe('2026-03-10');
});

test('makes ids that differ, in the format of UUIDs', () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newId()).not.toBe(newId());
});
