/** Returns how long `work` takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Returns how long each round of `work` takes, in milliseconds. The first rounds, as many as `warmUp`, do not count. */
export async function timesOf(
  rounds: number,
  work: (round: number) => Promise<unknown>,
  warmUp = 0,
): Promise<number[]> {
  const [times = []] = await timesInTurns(rounds, [work], warmUp);
  return times;
}

/** Like `timesOf` for several works in turns, so that other load on the machine affects them equally. */
export async function timesInTurns(
  rounds: number,
  works: readonly ((round: number) => Promise<unknown>)[],
  warmUp = 0,
): Promise<number[][]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < warmUp + rounds; round++)
    for (const [at, work] of works.entries()) {
      const ms = await timed(() => work(round));
      if (round >= warmUp) times[at]?.push(ms);
    }
  return times;
}

/** Returns the value below which that share of the values lies: 0.5 for the median, 1 for the largest. */
export const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

export const median = (values: number[]): number => quantile(values, 0.5);

/** Runs `work` that many times at the same time, until each has returned. */
export const inParallel = (lanes: number, work: (lane: number) => Promise<unknown>): Promise<unknown[]> =>
  Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));

/** Marks a figure in the table that misses its goal. */
export const over = (value: number, goal: number): string => (value > goal ? 'over' : '');
