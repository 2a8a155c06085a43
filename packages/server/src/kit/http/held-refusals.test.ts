import { expect, test } from 'vitest';
import { HeldRefusals } from './held-refusals.ts';

test('holds a refusal, and refuses immediately when 500 are held', () => {
  const waiting: (() => void)[] = [];
  const held = new HeldRefusals((_, work) => void waiting.push(work));
  let refused = 0;
  const refuse = () => void refused++;
  for (let n = 0; n < 500; n++) held.end(refuse);
  expect(refused).toBe(0);

  held.end(refuse);
  expect(refused).toBe(1);

  waiting.shift()?.();
  expect(refused).toBe(2);
  held.end(refuse);
  expect(refused).toBe(2);
});
