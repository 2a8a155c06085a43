// Compares the declared type of each statement's rows with the rows that the tests on PostgreSQL saw (ADR 24). Fails if a column
// is missing, has another type or can be null, and if no test ran a statement. A folder with a recording can be given; otherwise it
// is the one of the server as it is now.
import { fileURLToPath } from 'node:url';
import { readRecording, recordingFolder } from '#test/statements.ts';
import { compare } from './rows/compare.ts';
import { castsIn } from './rows/declared.ts';
import { NEVER_NULL, NOT_RUN } from './rows/exceptions.ts';

const SERVER = fileURLToPath(new URL('../', import.meta.url));
const CONFIG = fileURLToPath(new URL('../../../tsconfig.json', import.meta.url));

const folder = process.argv[2] ?? (await recordingFolder());
const casts = castsIn(CONFIG, SERVER, (path) => path.startsWith('src/') && !path.endsWith('.test.ts'));
const { rows } = await readRecording(folder);
const { differing, unchecked, excused } = compare(casts, rows, NEVER_NULL);

const fileOf = (place: string) => place.slice(0, place.indexOf(':'));
const problems = differing.map((difference) => `packages/server/${difference}`);
const unexpected = unchecked.filter((place) => !(fileOf(place) in NOT_RUN));
problems.push(...unexpected.map((place) => `packages/server/${place}: no test runs this statement`));
for (const [file, { statements }] of Object.entries(NOT_RUN)) {
  const found = unchecked.filter((place) => fileOf(place) === file).length;
  if (found > statements) problems.push(`exceptions.ts: ${file} has ${found} statements that no test runs`);
}
if (unexpected.length === 0) {
  const idle = Object.keys(NEVER_NULL).filter((column) => !excused.has(column));
  problems.push(...idle.map((column) => `exceptions.ts: ${column} is no longer needed`));
}

for (const problem of problems) console.error(problem);
console.log(
  `${casts.length} statements declare their rows: ${differing.length} columns differ, ${unexpected.length} statements are ` +
    `unchecked, and ${unchecked.length - unexpected.length} are exceptions.`,
);
if (problems.length > 0) process.exitCode = 1;
