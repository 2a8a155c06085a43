// @module-tag engine
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newMemory, problemsOf } from '../grants-model/invariants.ts';
import { policies, type Step, step, take } from '../grants-model/steps.ts';
import { World } from '../grants-model/world.ts';

/**
 * Random sequences of decisions, syncs, reports and time (D73). After each step, whatever an account has is granted or found, and everything
 * else is explained by a task or a rule that has a name.
 */

const RUNS = Number(process.env.GRANTS_RUNS ?? 10);
const done = new Map<string, number>();
const used = new Map<string, number>();

async function run(chosen: readonly object[], steps: readonly Step[]): Promise<void> {
  const world = await World.open(chosen);
  const memory = newMemory();
  try {
    expect(problemsOf(await world.look(), memory)).toEqual([]);
    for (const [i, one] of steps.entries()) {
      world.moments.push(new Date());
      const result = await take(world, one);
      await world.settle();
      const key = `${one.do}: ${result.done}`;
      done.set(key, (done.get(key) ?? 0) + 1);
      const problems = problemsOf(await world.look(), memory);
      if (problems.length > 0)
        throw new Error(`${problems.join('\n')}\nafter step ${i}: ${JSON.stringify(one)}`);
    }
  } finally {
    for (const [rule, times] of memory.used) used.set(rule, (used.get(rule) ?? 0) + times);
    await world.service.close();
  }
}

test('all access has a reason', { timeout: 900_000 }, async () => {
  const most = RUNS > 10 ? 30 : 12;
  const options = process.env.GRANTS_SEED ? { seed: Number(process.env.GRANTS_SEED) } : {};
  await fc.assert(fc.asyncProperty(policies, fc.array(step, { maxLength: most, size: 'max' }), run), {
    numRuns: RUNS,
    ...options,
    ...(process.env.GRANTS_LIMIT && { interruptAfterTimeLimit: Number(process.env.GRANTS_LIMIT) }),
  });
  if (process.env.GRANTS_SHOW) console.log(JSON.stringify([...done].sort(), null, 0), [...used]);
});
