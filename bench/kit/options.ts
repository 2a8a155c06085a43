/** The options of `npm run bench`. */
export interface Options {
  large: boolean;
  small: boolean;
  statements: boolean;
  /** Words in the names of the ways that run. All, if empty. */
  only: readonly string[];
  scale: number | undefined;
}

/** Takes what a scenario starts. It ends after the scenario, the last one first. */
export type Use = <Started extends AsyncDisposable>(started: Promise<Started>) => Promise<Started>;
