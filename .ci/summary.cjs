// Prints what failed, and the counts of all tests, of the JSON reports in a folder. Last in a run, because whoever reads only its
// end must learn what failed. With --files NAME, prints only the files of that report in which a test failed.
const { existsSync, readdirSync, readFileSync } = require('node:fs');

const [folder, option, only] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'));
const pathOf = (file) => file.name.replace(`${process.cwd()}/`, '');

/** One entry for each failed test, or for a file that failed outside its tests. */
function failuresOf(file) {
  if (file.status !== 'failed') return [];
  const tests = file.assertionResults.filter((test) => test.status === 'failed');
  if (tests.length === 0) return [{ test: '(the file)', message: file.message }];
  return tests.map((test) => ({ test: test.fullName, message: test.failureMessages.join('\n') }));
}

if (option === '--files') {
  if (existsSync(`${folder}/${only}.json`))
    for (const file of read(only).testResults) if (file.status === 'failed') console.log(pathOf(file));
} else {
  const names = readdirSync(folder).map((name) => name.replace(/\.json$/, ''));
  const first = names.filter((name) => !name.endsWith(' again'));
  let passed = 0;
  let failed = 0;
  for (const name of first) {
    const again = names.includes(`${name} again`) && read(`${name} again`);
    const report = read(name);
    passed += report.numPassedTests + (again ? report.numFailedTests - again.numFailedTests : 0);
    failed += again ? again.numFailedTests || Number(!again.success) : report.numFailedTests;
    for (const file of report.testResults)
      for (const { test, message } of failuresOf(file))
        console.log(
          `${again?.success ? 'FLAKY' : 'FAILED'} in ${name}: ${pathOf(file)} > ${test}\n${message.slice(0, 600)}`,
        );
  }
  console.log(`${passed} passed, ${failed || (passed === 0 ? 1 : 0)} failed`);
}
