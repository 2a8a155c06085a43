/** Times the steps of a story, and prints them as a table. */
export function createStopwatch() {
  const times: { part: string; step: string; ms: number }[] = [];
  return {
    async time<T>(part: string, step: string, work: () => Promise<T>): Promise<T> {
      const begin = performance.now();
      const result = await work();
      times.push({ part, step, ms: performance.now() - begin });
      return result;
    },
    table(): string {
      const lines = times.map(({ part, step, ms }) => row(part, step, ms));
      const parts = [...new Set(times.map(({ part }) => part))];
      const sums = parts.map((part) =>
        row(part, 'in all', sum(times.filter((one) => one.part === part).map(({ ms }) => ms))),
      );
      return [...lines, '', ...sums].join('\n');
    },
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, next) => total + next, 0);
const row = (part: string, step: string, ms: number) =>
  `${part.padEnd(18)} ${step.padEnd(34)} ${(ms / 1000).toFixed(1).padStart(7)} s`;
