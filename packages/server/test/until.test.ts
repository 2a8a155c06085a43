import { expect, test } from 'vitest';
import { until } from './until.ts';

test('returns the first value that holds', async () => {
  let n = 0;

  expect(
    await until(
      'a third look',
      () => ++n,
      (seen) => seen === 3,
    ),
  ).toBe(3);
});

test('says what it waited for and what it saw last', async () => {
  const waiting = until(
    'the end',
    () => ({ status: 'completing' }),
    ({ status }) => status === 'completed',
    { seconds: 0.2 },
  );

  await expect(waiting).rejects.toThrow(
    "Waited 0.2 seconds for the end, and saw last: { status: 'completing' }",
  );
});

test('gives up on a look that does not return', async () => {
  const waiting = until('an answer', () => new Promise(() => {}), Boolean, { seconds: 0.2 });

  await expect(waiting).rejects.toThrow('Waited 0.2 seconds for an answer, and saw last: nothing');
});
