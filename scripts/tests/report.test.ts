import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failedFiles, problemOf, readReport, summarize } from './report.ts';

const resultOf = (fullName: string, status = 'passed') => ({
  fullName,
  status,
  failureMessages: status === 'failed' ? [`${fullName} is wrong`] : [],
});

/** A report of files, each with the names of its tests. Names that begin with `!` have failed. */
function reportOf(files: Record<string, string[]>) {
  const testResults = Object.entries(files).map(([name, names]) => ({
    name: join(process.cwd(), name),
    status:
      names.length === 0 || names.some((each) => each.startsWith('!'))
        ? ('failed' as const)
        : ('passed' as const),
    message: names.length === 0 ? 'Cannot import it.' : '',
    startTime: 0,
    endTime: names.length * 1000,
    assertionResults: names.map((each) =>
      resultOf(each.replace('!', ''), each.startsWith('!') ? 'failed' : 'passed'),
    ),
  }));
  const all = Object.values(files).flat();
  return {
    numPassedTests: all.filter((each) => !each.startsWith('!')).length,
    numPendingTests: 0,
    testResults,
  };
}

describe('a run', () => {
  test('passes when nothing failed', () => {
    const summary = summarize(reportOf({ 'a.test.ts': ['one', 'two'], 'b.test.ts': ['three'] }));

    expect(summary).toMatchObject({ passed: 3, failed: [], flaky: [] });
    expect(summary.slowest[0]).toEqual({ file: 'a.test.ts', seconds: 2 });
    expect(problemOf(summary, 0)).toBeUndefined();
  });

  test('fails when a test failed, and names file and test', () => {
    const report = reportOf({ 'a.test.ts': ['one', '!two'] });

    expect(failedFiles(report)).toEqual(['a.test.ts']);
    expect(summarize(report).failed).toEqual([{ name: 'a.test.ts > two', message: 'two is wrong' }]);
    expect(problemOf(summarize(report), 1)).toBe('Tests failed.');
  });

  test('fails when a file could not be loaded', () => {
    const summary = summarize(reportOf({ 'a.test.ts': ['one'], 'b.test.ts': [] }));

    expect(summary.failed).toEqual([{ name: 'b.test.ts > (the file)', message: 'Cannot import it.' }]);
  });

  test('fails without a report, without a test, and for an error outside of its tests', () => {
    expect(problemOf(summarize(readReport('/nonexistent.json')), 0)).toBe('Tests failed.');
    expect(problemOf(summarize(reportOf({})), 0)).toBe('No test ran.');
    expect(problemOf(summarize(reportOf({ 'a.test.ts': ['one'] })), 1)).toBe(
      'The run failed outside of its tests.',
    );
  });
});

describe('a run whose failed files ran once more', () => {
  const first = reportOf({ 'a.test.ts': ['one', '!two'], 'b.test.ts': ['three'] });

  test('passes when they pass then, and lists what was flaky', () => {
    const summary = summarize(first, reportOf({ 'a.test.ts': ['one', 'two'] }));

    expect(summary).toMatchObject({ passed: 3, failed: [], flaky: [{ name: 'a.test.ts > two' }] });
    expect(problemOf(summary, 0)).toBeUndefined();
  });

  test('fails when another test of them fails then', () => {
    const summary = summarize(first, reportOf({ 'a.test.ts': ['!one', 'two'] }));

    expect(summary).toMatchObject({ failed: [{ name: 'a.test.ts > one' }], flaky: [] });
  });

  test('fails with more than three flaky tests', () => {
    const names = ['1', '2', '3', '4'];
    const summary = summarize(
      reportOf({ 'a.test.ts': names.map((name) => `!${name}`) }),
      reportOf({ 'a.test.ts': names }),
    );

    expect(problemOf(summary, 0)).toBe('4 tests are flaky, and at most 3 may be.');
  });
});
