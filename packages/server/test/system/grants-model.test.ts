import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newMemory, problemsOf } from '../grants-model/invariants.ts';
import { Reference } from '../grants-model/reference.ts';
import { policies, type Step, step, take } from '../grants-model/steps.ts';
import { World } from '../grants-model/world.ts';

/**
 * Random sequences of decisions, syncs, reports and time (D73). After each step, whatever an account has is granted or found, and everything
 * else is explained by a task or a rule that has a name.
 */
async function run(chosen: readonly object[], steps: readonly Step[]): Promise<void> {
  const world = await World.open(chosen);
  const [memory, reference] = [newMemory(), new Reference()];
  const check = async (kind: string) => {
    const seen = await world.look();
    expect([...problemsOf(seen, memory), ...reference.follow(seen, { kind, now: world.now })], kind).toEqual(
      [],
    );
  };
  try {
    await check('sync');
    for (const one of steps) {
      world.moments.push(new Date());
      await take(world, one);
      await world.settle();
      await check(one.do);
    }
    await world.sameMembers();
  } finally {
    await world.service.close();
  }
}

/** By hand, `GRANTS_RUNS=2000` runs more of them. */
const check = (numRuns: number, maxLength: number) =>
  fc.assert(fc.asyncProperty(policies, fc.array(step, { maxLength, size: 'max' }), run), { numRuns });

test('all access has a reason after a few steps', { timeout: 120_000 }, () => check(10, 7));

test('all access has a reason after many steps', { tags: ['engine', 'long'], timeout: 3_600_000 }, () =>
  check(Number(process.env.GRANTS_RUNS ?? 60), 30),
);
