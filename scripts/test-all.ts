// Runs parts of the tests, each alone, and prints a table. Goes on after a failure.
//
//   npm run test:all                      all parts
//   npm run test:all -- citus pglite      these parts
//   npm run test:all -- long FILE         a file of a part; other arguments go to Vitest as well
//   npm run test:all -- --repeat          files with a failed test run once more, and tests that pass then are flaky
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from './tests/debian.ts';
import { PARTS, type Part } from './tests/parts.ts';
import { failedFiles, problemOf, readReport, type Summary, summarize } from './tests/report.ts';

const given = process.argv.slice(2);
const named = PARTS.filter(({ name }) => given.includes(name));
const parts = named.length > 0 ? named : PARTS;
const isRepeating = given.includes('--repeat');
const forVitest = given.filter((each) => each !== '--repeat' && !PARTS.some(({ name }) => name === each));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-reports-'));

/** Runs Vitest for a part. Returns its exit code and its report. */
function runVitest(part: Part, name: string, args: string[]) {
  const report = join(folder, `${part.name}-${name}.json`);
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    env: { ...process.env, GATEHOUSE_TESTS: part.name, GATEHOUSE_TEST_REPORT: report },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { code: status ?? 1, report: readReport(report) };
}

interface Result {
  part: Part;
  minutes: string;
  problem: string | undefined;
  summary: Summary;
}

function run(part: Part): Result {
  console.log(`\n=== ${part.name}`);
  const start = performance.now();
  installPackages(part.packages);
  const first = runVitest(part, 'first', forVitest);
  const files = isRepeating && first.report ? failedFiles(first.report) : [];
  const again = files.length > 0 ? runVitest(part, 'again', files) : undefined;
  const summary = summarize(first.report, again?.report);
  return {
    part,
    minutes: ((performance.now() - start) / 60_000).toFixed(1),
    problem: problemOf(summary, (again ?? first).code),
    summary,
  };
}

/** A part that cannot run here has failed: nobody should believe that it passed. */
function notRun(part: Part): Result | undefined {
  const { needs } = part;
  if (!needs || process.env[needs.variable]) return undefined;
  const summary = { passed: 0, skipped: 0, failed: [], flaky: [], slowest: [] };
  return { part, minutes: '0', problem: `Not run. Set ${needs.variable} to ${needs.what}.`, summary };
}

const results = parts.map((part) => notRun(part) ?? run(part));
rmSync(folder, { recursive: true });

console.log(
  '\n| part | passed | failed | flaky | skipped | minutes |\n| --- | ---: | ---: | ---: | ---: | ---: |',
);
for (const { part, minutes, summary } of results) {
  const { passed, failed, flaky, skipped } = summary;
  console.log(`| ${part.name} | ${passed} | ${failed.length} | ${flaky.length} | ${skipped} | ${minutes} |`);
}
for (const { part, problem, summary } of results) {
  for (const { name } of summary.failed) console.log(`failed in ${part.name}: ${name}`);
  for (const { name } of summary.flaky) console.log(`flaky in ${part.name}: ${name}`);
  if (problem) console.log(`${part.name}: ${problem}`);
}
if (results.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
