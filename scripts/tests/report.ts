import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** How many tests may fail in `.ci/run` and pass when their files run once more. */
const MOST_FLAKY = 3;

/** A report as Vitest writes it (`--reporter=json`). */
interface Report {
  numPassedTests: number;
  numPendingTests: number;
  testResults: FileResult[];
}

interface FileResult {
  name: string;
  status: 'passed' | 'failed';
  message: string;
  startTime: number;
  endTime: number;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

interface Failure {
  /** `FILE > NAME` */
  name: string;
  message: string;
}

export interface Summary {
  passed: number;
  skipped: number;
  failed: Failure[];
  /** Tests that failed, and passed when their files ran once more. */
  flaky: Failure[];
  /** The files that took longest, longest first. */
  slowest: { file: string; seconds: number }[];
}

/** Returns the report in a file, or undefined if the run ended before it wrote one. */
export const readReport = (path: string): Report | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined;

/** Returns the files in which something failed, as paths from the current folder. */
export const failedFiles = ({ testResults }: Report): string[] =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('', name));

/** Summarizes a run, and the one in which its failed files ran once more. A run without a report has failed. */
export function summarize(first: Report | undefined, again?: Report): Summary {
  if (!first)
    return {
      passed: 0,
      skipped: 0,
      failed: [{ name: 'the run', message: 'There is no report.' }],
      flaky: [],
      slowest: [],
    };
  const failures = failuresOf(first);
  const failed = again ? failuresOf(again) : failures;
  const flaky = failed.length === 0 ? failures : [];
  return {
    passed: first.numPassedTests + flaky.length,
    skipped: first.numPendingTests,
    failed,
    flaky,
    slowest: first.testResults
      .map(({ name, startTime, endTime }) => ({
        file: relative('', name),
        seconds: Math.round((endTime - startTime) / 1000),
      }))
      .sort((a, b) => b.seconds - a.seconds),
  };
}

/** Says why a run with this summary must not pass. `exitCode` is that of Vitest, which also fails for errors outside of all tests. */
export function problemOf({ passed, failed, flaky }: Summary, exitCode: number): string | undefined {
  if (failed.length > 0) return 'Tests failed.';
  if (exitCode !== 0) return 'The run failed outside of its tests.';
  if (passed === 0) return 'No test ran.';
  if (flaky.length > MOST_FLAKY) return `${flaky.length} tests are flaky, and at most ${MOST_FLAKY} may be.`;
  return undefined;
}

const failuresOf = ({ testResults }: Report): Failure[] =>
  testResults.filter(({ status }) => status === 'failed').flatMap(failuresIn);

/** Returns an entry for each failed test, or one for a file that failed outside its tests. */
function failuresIn({ name, message, assertionResults }: FileResult): Failure[] {
  const file = relative('', name);
  const tests = assertionResults.filter(({ status }) => status === 'failed');
  if (tests.length === 0) return [{ name: `${file} > (the file)`, message }];
  return tests.map(({ fullName, failureMessages }) => ({
    name: `${file} > ${fullName}`,
    message: failureMessages.join('\n'),
  }));
}
