import { expect, test } from 'vitest';
import { BodyTurns } from './body-turns.ts';

function openTestTurns(busy: string[] = []) {
  const rests: number[] = [];
  const passed: string[] = [];
  let next: (() => void) | undefined;
  const turns = new BodyTurns(
    ({ name }) => busy.includes(name),
    (restMs, work) => {
      rests.push(restMs);
      next = work;
    },
  );
  return {
    rests,
    passed,
    wait: (name: string, ...pieces: string[]) => {
      for (const piece of pieces) turns.wait({ name, isStranger: false }, () => passed.push(piece));
    },
    turn: () => next?.(),
  };
}

test('lets one piece through in each turn, and the callers take turns', () => {
  const { passed, wait, turn } = openTestTurns();
  wait('a', 'a1', 'a2', 'a3');
  wait('b', 'b1');
  expect(passed).toEqual(['a1']);

  for (let n = 0; n < 3; n++) turn();

  expect(passed).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('rests only after the pieces of a caller beside whom others send requests', () => {
  const { rests, wait, turn } = openTestTurns(['a']);
  wait('a', 'a1');
  wait('b', 'b1');

  for (let n = 0; n < 2; n++) turn();

  expect(rests).toEqual([4, 0]);
});

test('starts again after the last piece', () => {
  const { passed, wait, turn } = openTestTurns();
  wait('a', 'a1');
  turn();

  wait('a', 'a2');

  expect(passed).toEqual(['a1', 'a2']);
});
