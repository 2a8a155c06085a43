import { describe, expect, onTestFinished, test } from 'vitest';
import { Budget, sharesOf } from './memory.ts';

test.each([
  [512, false],
  [768, false],
  [1024, true],
  [2048, false],
  [2048, true],
  [4096, true],
  [24_000, false],
])('%s MB hold the server with a reader, a connector and the threads', (total, isEmbedded) => {
  const { common, reader, connector, thread } = sharesOf(total, isEmbedded);

  expect(reader).toBeGreaterThanOrEqual(320);
  expect(connector).toBeGreaterThanOrEqual(192);
  expect(reader).toBeLessThanOrEqual(768);
  if (total >= 768) {
    expect(common + 2 * thread + 320).toBeLessThanOrEqual(total);
    expect(reader).toBeLessThanOrEqual(common);
  }
  if (total >= 2048) {
    expect(reader + connector).toBeLessThanOrEqual(common);
    expect(common + 2 * thread + (isEmbedded ? 960 : 320)).toBeLessThanOrEqual(total);
  }
});

/** A budget of 100 with work that ends when the test says so, or has ended. */
function open() {
  let now = 0;
  const budget = new Budget(() => 100, { now: () => now });
  const started: string[] = [];
  const over = Promise.withResolvers<void>();
  const runs: Promise<void>[] = [];
  onTestFinished(async () => {
    over.resolve();
    await Promise.all(runs);
  });
  const start = (name: string, organization: string, megabytes: number, patienceMs = 60_000) => {
    const end = Promise.withResolvers<void>();
    const run = budget.run(organization, megabytes, patienceMs, async () => {
      started.push(name);
      await Promise.race([end.promise, over.promise]);
    });
    runs.push(run);
    return {
      run,
      end: async () => {
        end.resolve();
        await run;
      },
    };
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { budget, started, start, pass };
}
const turn = () => new Promise(setImmediate);

describe('a budget', () => {
  test('runs what fits, and the rest when something has ended', async () => {
    const { start, started } = open();
    const [one] = [start('one', 'a', 60), start('two', 'b', 60), start('three', 'c', 40)];
    await turn();
    expect(started).toEqual(['one', 'three']);
    await one?.end();
    await turn();
    expect(started).toEqual(['one', 'three', 'two']);
  });

  test('runs one piece of work for an organization at a time, and takes turns among organizations', async () => {
    const { start, started } = open();
    const [first] = [start('a1', 'a', 80), start('a2', 'a', 80), start('a3', 'a', 80), start('b1', 'b', 80)];
    await turn();
    expect(started).toEqual(['a1']);
    await first?.end();
    await turn();
    expect(started).toEqual(['a1', 'b1']);
  });

  test('runs work that is larger than itself alone', async () => {
    const { start, started } = open();
    const small = start('small', 'a', 10);
    start('large', 'b', 500);
    await turn();
    expect(started).toEqual(['small']);
    await small.end();
    await turn();
    expect(started).toEqual(['small', 'large']);
  });

  test('keeps the megabytes for an organization that has waited a second for its turn', async () => {
    const { start, started, pass } = open();
    const first = start('b', 'b', 10);
    start('large', 'a', 100);
    const second = start('c', 'c', 10);
    await turn();
    expect(started).toEqual(['b', 'c']);
    pass(1000);
    start('d', 'd', 10);
    await turn();
    expect(started).toEqual(['b', 'c']);
    await first.end();
    start('b2', 'b', 10);
    await turn();
    expect(started).toEqual(['b', 'c']);
    await second.end();
    await turn();
    expect(started).toEqual(['b', 'c', 'large']);
  });

  test('lets others start when the work whose turn it was gives up', async () => {
    const { budget, start, started, pass } = open();
    start('one', 'a', 50);
    const giveUp = new AbortController();
    const large = budget.turn('b', 100, 60_000, giveUp.signal);
    pass(1000);
    start('small', 'c', 10);
    await turn();
    expect(started).toEqual(['one']);
    giveUp.abort(new Error('gone'));
    await expect(large).rejects.toThrow('gone');
    await turn();
    expect(started).toEqual(['one', 'small']);
  });

  test('has no room while another organization waits for it, but an organization that waits for itself holds up nobody', async () => {
    const { budget, start } = open();
    start('a1', 'a', 50);
    start('a2', 'a', 50);
    await turn();
    expect(budget.hasRoom(50)).toBe(true);
    start('b1', 'b', 60);
    await turn();
    expect(budget.hasRoom(50)).toBe(false);
  });

  test('gives up after its patience, with the time to try again', async () => {
    const { budget, start } = open();
    start('one', 'a', 100);
    await expect(budget.run('b', 10, 0, async () => {})).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 60,
    });
  });

  test('refuses an organization that waits for much already, and no other', async () => {
    const { budget, start, started } = open();
    const first = start('a', 'a', 60);
    for (let n = 0; n < 15; n++) start(`a${n}`, 'a', 60);
    await expect(budget.run('a', 10, 60_000, async () => {})).rejects.toMatchObject({ code: 'unavailable' });
    start('b', 'b', 60);
    await first.end();
    await turn();
    expect(started).toEqual(['a', 'b']);
  });

  test('frees the megabytes of work that throws', async () => {
    const { budget, started, start } = open();
    await expect(budget.run('a', 100, 1000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    start('next', 'a', 100);
    await turn();
    expect(started).toEqual(['next']);
  });
});
