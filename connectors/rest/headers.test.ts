import { expect, onTestFinished, test, vi } from 'vitest';
import { nextLink } from './links.ts';
import { isThrottling, waitOf } from './rate-limits.ts';

test.each([
  ['<https://a/?page=2>; rel="next"', 'https://a/?page=2'],
  ['<https://a/?page=1>; rel="prev", <https://a/?page=3>; rel="last next"', 'https://a/?page=3'],
  ['</next,page>; title="x, y; rel=prev"; rel=next', '/next,page'],
  ['<https://a/?page=1>; rel="nextish"', undefined],
  ['<https://a/?page=1>; title="rel=next"', undefined],
  [undefined, undefined],
])('finds the next page in %j', (header, target) => expect(nextLink(header)).toBe(target));

test.each<[number, Record<string, string>, number | undefined, boolean]>([
  [200, {}, undefined, false],
  [200, { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '30' }, undefined, false],
  [200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, 30, false],
  [200, { ratelimit: '"default";r=0;t=7' }, 7, false],
  [200, { ratelimit: '"default";r=3;t=7' }, undefined, false],
  [429, { 'retry-after': '5' }, 5, true],
  [429, { 'x-rate-limit-reset': '8' }, 8, true],
  [429, {}, undefined, true],
  [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9' }, 9, true],
  [403, { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '9' }, undefined, false],
  [503, {}, undefined, false],
])('after %i with %j waits %s s', (status, headers, seconds, isThrottled) => {
  expect(waitOf({ status, headers })).toBe(seconds);
  expect(isThrottling({ status, headers })).toBe(isThrottled);
});

test('understands a reset as a time', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-01T10:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.now() / 1000 + 10) };
  expect(waitOf({ status: 200, headers })).toBe(10);
});
