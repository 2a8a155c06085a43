// Prints the ten slowest files, the failures, the flaky tests, and the counts, from the JSON reports `first` and `again` in a folder.
// Fails if --exit-code is not 0, if a test failed, if more than three were flaky, or if no test ran. With --files, prints the files to
// run once more.
const { existsSync, readFileSync } = require('node:fs');

const MOST_FLAKY = 3;
const [folder, option, exitCode] = process.argv.slice(2);
const read = (name) =>
  existsSync(`${folder}/${name}.json`)
    ? JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))
    : undefined;
const pathOf = (file) => file.name.replace(`${process.cwd()}/`, '');
const failedFiles = (report) => report.testResults.filter((file) => file.status === 'failed');

/** One entry for each failed test, or for a file that failed outside its tests. */
function failuresOf(file) {
  const tests = file.assertionResults.filter((test) => test.status === 'failed');
  if (tests.length === 0) return [{ name: `${pathOf(file)} > (the file)`, message: file.message }];
  return tests.map((test) => ({
    name: `${pathOf(file)} > ${test.fullName}`,
    message: test.failureMessages.join('\n'),
  }));
}

const first = read('first');
if (option === '--files') {
  if (first) for (const file of failedFiles(first)) console.log(pathOf(file));
} else if (first) {
  const again = read('again');
  const failures = failedFiles(first).flatMap(failuresOf);
  const failedAgain = again ? failedFiles(again).flatMap(failuresOf) : failures;
  // Vitest also fails for an error outside all tests, which its report does not count.
  const failed = failedAgain.length || Number(exitCode !== '0');
  const flaky = failed > 0 ? [] : failures;

  const seconds = (file) => Math.round((file.endTime - file.startTime) / 1000);
  console.log('\nSlowest files:');
  for (const file of [...first.testResults].sort((a, b) => seconds(b) - seconds(a)).slice(0, 10))
    console.log(`  ${seconds(file)} s  ${pathOf(file)}`);
  console.log('');
  for (const { name, message } of failedAgain) console.log(`FAILED: ${name}\n${message.slice(0, 1500)}\n`);
  for (const { name, message } of flaky) console.log(`flaky: ${name}\n${message.slice(0, 600)}\n`);
  const tooMany = flaky.length > MOST_FLAKY ? flaky.length : 0;
  if (tooMany) console.log(`FAILED: ${tooMany} tests are flaky, and at most ${MOST_FLAKY} may be.`);
  const passed = first.numPassedTests + (tooMany ? 0 : flaky.length);
  console.log(`${passed} passed, ${failed || tooMany || Number(passed === 0)} failed`);
  process.exitCode = failed || tooMany || passed === 0 ? 1 : 0;
} else {
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
