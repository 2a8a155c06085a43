// Checks that no released migration was changed. With --freeze, notes the checksums of all migrations: before their release only.
import { writeFileSync } from 'node:fs';
import { RELEASED, readMigrations, readReleased } from './release/migration-files.ts';
import { checksumOf, migrationProblems, unreleased } from './release/migrations.ts';

const files = readMigrations();
if (process.argv.includes('--freeze')) {
  const checksums = Object.entries(files).map(([name, text]) => [name, checksumOf(text)]);
  writeFileSync(RELEASED, `${JSON.stringify(Object.fromEntries(checksums), null, 2)}\n`);
}
const released = readReleased();
const problems = migrationProblems(files, released);
for (const problem of problems) console.error(problem);
for (const name of unreleased(files, released)) console.log(`${name} was not released yet.`);
if (problems.length > 0) process.exitCode = 1;
