import { expect, test } from 'vitest';
import { takeTurns } from './turns.ts';

const turnOfTheEventLoop = () => new Promise((resolve) => setImmediate(resolve));

test('starts one piece of work in each turn of the event loop, in order', async () => {
  const inTurn = takeTurns();
  const started: number[] = [];
  for (const piece of [1, 2, 3]) inTurn(() => started.push(piece));

  expect(started).toEqual([1]);
  await turnOfTheEventLoop();
  expect(started).toEqual([1, 2]);
  await turnOfTheEventLoop();
  expect(started).toEqual([1, 2, 3]);
});

test('starts work at once when nothing else waits', async () => {
  const inTurn = takeTurns();
  const started: number[] = [];
  inTurn(() => started.push(1));
  await turnOfTheEventLoop();
  inTurn(() => started.push(2));

  expect(started).toEqual([1, 2]);
});
