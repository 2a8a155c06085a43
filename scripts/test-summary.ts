// Prints the ten slowest files, the failures, the flaky tests and the counts of a run of `npm test` in .ci/run. Fails if it must not pass.
//
//   scripts/test-summary.ts FIRST --files             the files in which something failed, to run once more
//   scripts/test-summary.ts FIRST AGAIN EXIT_CODE     the summary of both reports (AGAIN need not exist)
import { failedFiles, problemOf, readReport, summarize } from './tests/report.ts';

const [firstPath = '', option = '', exitCode = '0'] = process.argv.slice(2);
const first = readReport(firstPath);
if (option === '--files') {
  for (const file of first ? failedFiles(first) : []) console.log(file);
} else {
  const summary = summarize(first, readReport(option));
  const { passed, failed, flaky, slowest } = summary;
  console.log('\nSlowest files:');
  for (const { file, seconds } of slowest.slice(0, 10)) console.log(`  ${seconds} s  ${file}`);
  console.log('');
  for (const { name, message } of failed) console.log(`FAILED: ${name}\n${message.slice(0, 1500)}\n`);
  for (const { message } of flaky) console.log(`${message.slice(0, 600)}\n`);
  for (const { name } of flaky) console.log(`flaky: ${name}`);
  const problem = problemOf(summary, Number(exitCode));
  if (problem) console.log(problem);
  console.log(`${passed} passed, ${failed.length || Number(problem !== undefined)} failed`);
  if (problem) process.exitCode = 1;
}
