/** Questions about earlier access, of the scenarios `history` and `huge`. */

/** A request, with another path in each round. */
export type Question = [name: string, path: (round: number) => string];

export const pick = <T>(list: T[], round: number): T => list[round % list.length] as T;

/** Another time in each round, 3 to 173 days ago. */
export const at = (round: number, more = 0): string =>
  new Date(Date.now() - (3 + ((round * 37 + more) % 170)) * 24 * 3600 * 1000).toISOString();

export function between(round: number): string {
  const [from, to] = [at(round), at(round, 17)].toSorted();
  return `from=${from}&to=${to}`;
}
