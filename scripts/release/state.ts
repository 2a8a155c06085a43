/** The conditions under which a release can be made. */

interface Tree {
  /** The lines of `git status --porcelain`. */
  status: string[];
  /** Empty without a branch. */
  branch: string;
  /** The tags of the commit. */
  tags: string[];
  version: string;
}

/** The tree is clean, and the commit is that of main, of a branch of the release, or has the tag of the version. */
export function treeProblems({ status, branch, tags, version }: Tree): string[] {
  const tag = `v${version}`;
  const isExpected = /^(main|release\/.+)$/.test(branch) || tags.includes(tag);
  return [
    ...status.map((line) => `${line.slice(3)} is not committed.`),
    ...(isExpected ? [] : [`This is neither main, nor a branch release/..., nor the tag ${tag}.`]),
    ...tags
      .filter((name) => /^v\d/.test(name) && name !== tag)
      .map((name) => `The tag ${name} is of another version.`),
  ];
}

/** The changelog has a section with the version and a date, which is first, and none for later. */
export function changelogProblems(changelog: string, version: string): string[] {
  const [first = 'no section'] = Array.from(changelog.matchAll(/^## (.*)$/gm), ([, heading = '']) => heading);
  const [, found, date] = /^(\S+) \((\d{4}-\d{2}-\d{2})\)$/.exec(first) ?? [];
  return found === version && date !== undefined && !Number.isNaN(Date.parse(date))
    ? []
    : [`CHANGELOG.md begins with "${first}" instead of "${version} (year-month-day)".`];
}

export interface Outcome {
  name: string;
  /** Undefined: it was skipped. */
  problems: string[] | undefined;
  seconds: number;
}

/** Returns the table of the checks, and what follows from it. */
export function tableOf(outcomes: readonly Outcome[]): string[] {
  const failed = outcomes.filter(({ problems = [] }) => problems.length > 0).length;
  const skipped = outcomes.filter(({ problems }) => problems === undefined).length;
  const result = ({ problems }: Outcome) =>
    problems === undefined ? 'skipped' : problems.length > 0 ? 'FAILED' : 'ok';
  return [
    ...outcomes.map(
      (each) => `${each.name.padEnd(12)}${result(each).padEnd(9)}${each.seconds.toFixed(0).padStart(6)} s`,
    ),
    '',
    failed > 0 ? `${failed} of ${outcomes.length} checks failed.` : 'No check failed.',
    ...(skipped > 0 ? [`${skipped} of ${outcomes.length} checks were skipped. A release skips none.`] : []),
  ];
}

/** Returns which checks run, by the arguments `--only NAME` and `--skip NAME`, each once or more. Throws for an unknown one. */
export function chosen(names: readonly string[], parameters: readonly string[]): Set<string> {
  const given = { '--only': [] as string[], '--skip': [] as string[] };
  for (let at = 0; at < parameters.length; at += 2) {
    const [option = '', name = ''] = parameters.slice(at, at + 2);
    if (!(option in given) || !names.includes(name))
      throw new Error(
        `Usage: npm run release:check -- [--only NAME] [--skip NAME], with ${names.join(', ')}.`,
      );
    given[option as keyof typeof given].push(name);
  }
  const only = given['--only'].length > 0 ? given['--only'] : names;
  return new Set(only.filter((name) => !given['--skip'].includes(name)));
}
