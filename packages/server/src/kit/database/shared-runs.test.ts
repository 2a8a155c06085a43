import { expect, test } from 'vitest';
import { shareRuns } from './shared-runs.ts';

/** Work whose runs end when told to. A run returns the number of calls before it began. */
function startCounting() {
  const ends: ((error?: Error) => void)[] = [];
  let calls = 0;
  const share = shareRuns(() => {
    const before = calls;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    ends.push((error) => (error === undefined ? resolve(before) : reject(error)));
    return promise;
  });
  const call = () => {
    calls++;
    return share();
  };
  return { call, ends };
}

test('gives each caller a run that began after its call, and shares it', async () => {
  const { call, ends } = startCounting();
  const first = call();
  const later = [call(), call()];

  ends[0]?.();
  expect(await first).toBe(1);
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  expect(await Promise.all(later)).toEqual([3, 3]);
  expect(ends).toHaveLength(2);
});

test('starts the next run after a failed one', async () => {
  const { call, ends } = startCounting();
  const first = call();
  const second = call();

  ends[0]?.(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  expect(await second).toBe(2);
});
