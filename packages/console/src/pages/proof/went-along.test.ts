import { expect, test } from 'vitest';
import type { Period } from '../../history/periods.ts';
import { wentAlong } from './went-along.ts';

const at = (second: number) => `2026-11-30T08:00:${String(second).padStart(2, '0')}.000500Z`;
/** A sync saw the account gone in this second. */
const to = '2026-11-30T08:00:30.900Z';

const period = (goneBy: number | null, more: object) =>
  ({ bounds: { gone_by: goneBy === null ? null : at(goneBy) }, ...more }) as Period;
const account = (goneBy: number | null, status = 'ACTIVE') => period(goneBy, { type: 'account', status });
const group = (id: string, goneBy: number | null) =>
  period(goneBy, { type: 'membership', status: null, resource: { id, name: id } });
const held = [group('before', 20), group('with', 25), group('later', 40), group('kept', null)];

const namesOf = (periods: Period[], suspends = false) =>
  wentAlong(periods, { to, suspends }).map(({ resource }) => resource?.id);

test('leaves out groups that were taken away before the account went, or after that was seen', () => {
  expect(namesOf([account(25), ...held])).toEqual(['with']);
  expect(namesOf([account(10), account(25), account(40), ...held])).toEqual(['with']);
});

test('has groups that a sync saw gone after a task had suspended the account', () => {
  expect(namesOf([account(22), account(null, 'SUSPENDED'), ...held], true)).toEqual(['with']);
  expect(namesOf([account(10), account(25, 'SUSPENDED'), ...held])).toEqual(['with']);
});

test('has nothing for an account that is still there', () => {
  expect(namesOf([account(null), ...held])).toEqual([]);
  expect(namesOf([account(40), ...held])).toEqual([]);
});
