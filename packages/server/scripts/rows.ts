// Compares the declared type of each statement's rows with the rows that the tests on PostgreSQL saw (ADR 24). Fails if a column
// is missing, has another type or can be null, and if no test ran a statement. A folder with a recording can be given; otherwise it
// is the one of the server as it is now. With --write, it first writes the types of statements that declare none, as the tests saw them.
import { glob, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readRecording, recordingFolder } from '#test/statements.ts';
import { compare } from './rows/compare.ts';
import { castsIn } from './rows/declared.ts';
import { NEVER_NULL, NOT_RUN } from './rows/exceptions.ts';
import { withTypes } from './rows/write.ts';

const SERVER = fileURLToPath(new URL('../', import.meta.url));
const CONFIG = fileURLToPath(new URL('../../../tsconfig.json', import.meta.url));

const isWriting = process.argv.includes('--write');
const folder = process.argv.slice(2).find((each) => each !== '--write') ?? (await recordingFolder());
const { rows } = await readRecording(folder);
if (isWriting) await writeTypes();
else check();

/** Writes the types into the sources. Their lines change, so the next check needs a new recording. */
async function writeTypes() {
  for await (const path of glob('src/**/*.ts', { cwd: SERVER })) {
    if (path.endsWith('.test.ts')) continue;
    const source = await readFile(SERVER + path, 'utf8');
    const { text, unknown } = withTypes(path, source, rows);
    for (const place of unknown)
      console.error(`packages/server/${place}: run a test of this statement first`);
    if (text !== source) await writeFile(SERVER + path, text);
    if (text !== source) console.log(`packages/server/${path}`);
  }
}

function check() {
  const casts = castsIn(CONFIG, SERVER, (path) => path.startsWith('src/') && !path.endsWith('.test.ts'));
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
}
