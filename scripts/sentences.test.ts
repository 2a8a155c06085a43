import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Sentences for people change, and are translated. Code reads a code, a kind or a class. */
const TESTS_A_SENTENCE = [
  // A method of the text, perhaps after others: `error.message.toLowerCase().includes(...)`, `(error.message ?? '').match(...)`.
  /(?:\b(?:message|detail|title|stderr|sentence|why|stack)|String\((?:error|err)\)|\b(?:error|err)\.toString\(\)|\$\{(?:error|err)\}`)(?: \?\? '')?\)?[!?]*(?:\.(?:toLowerCase|toUpperCase|trim)\(\))*\??\.(?:includes|startsWith|endsWith|indexOf|search|match|matchAll)\(/,
  // A pattern: `GONE.test(error.message)`, also of the whole error.
  /\.(?:test|exec)\((?:String\(|`\$\{)?(?:log\.text\(\)|(?:[\w.?]*[.?])?(?:message|detail|stderr|sentence|why|stack|error|err)\b)/,
  // A comparison, a choice, or a list of texts: `switch (error.message)`, `GONE.has(error.message)`, `WORDS[error.message]`.
  /\.(?:message|detail) ?[!=]==? ?['"`][^'"`]/,
  /(?:switch ?\(|\.(?:has|get|includes|indexOf)\(|\w\[)[\w.?]*[.?](?:message|detail|stderr|stack)[\])]/,
  // A text that is a sentence.
  /(?:[!=]== |\bcase |\.(?:includes|startsWith|endsWith|indexOf)\()(?:'[A-Z][a-z']* [a-z]|'[a-z]+ [a-z]+ [a-z]|`[A-Z][a-z']* [a-z])/,
];

/** The files that read a text that has no code, and the reason. Most are errors of other programs. */
const ALLOWED: Record<string, string> = {
  'connectors/linux/tasks.ts': 'the tools have one exit code for these and for other errors',
  'connectors/sql/errors.ts': 'some drivers give a lost connection no code',
  'packages/server/src/directory/sign-in/protocols/oidc-id-token.ts':
    'better-auth names no code for another authorized party',
  'packages/server/src/kit/cel-undecided.ts': 'the errors of the CEL library have no code',
  'packages/server/src/work/connectors/child.ts': 'V8 aborts without a code when its heap is full',
  'packages/server/src/kit/database/connect-failure.ts': 'the driver gives some failed connections no code',
  'packages/server/src/kit/database/sqlstate.ts':
    'Citus reports violations on a shard as XX000, and the driver a lost connection without a code',
  'packages/server/src/work/spreadsheets/people.ts': 'the problems of an imported row begin with their field',
};

const testsASentence = (line: string) =>
  TESTS_A_SENTENCE.some((pattern) => pattern.test(line.replaceAll(/typeof [\w.]+ [!=]== '\w+'/g, '')));

test.each([
  "error.message.includes('gone')",
  "error?.message?.startsWith('Gone')",
  '/gone/i.test(error.message)',
  'GONE.exec(error.detail)',
  "error.message === 'The app is gone.'",
  "body.detail !== 'gone'",
  "reason.startsWith('The app is')",
  "if (text === 'is already gone')",
  "error.message.toLowerCase().includes('gone')",
  "(error.message ?? '').startsWith('Gone')",
  "String(error).includes('gone')",
  'GONE.test(String(error))',
  'switch (error.message) {',
  "case 'The app is gone':",
  'GONE.has(error.message)',
  'WORDS[error.message]',
])('finds %s', (line) => expect(testsASentence(line)).toBe(true));

test.each([
  "error.code === 'gone'",
  "error.message !== ''",
  "names.includes('gone')",
  'throw new Error(error.message)',
  'switch (message.kind) {',
  "case 'not_found':",
])('allows %s', (line) => expect(testsASentence(line)).toBe(false));

test('no code tests a sentence for people', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /^(?:packages|connectors|demo|bench)\//.test(file))
    .filter((file) => !/\.test\.ts$|\/(?:test|conformance|scripts)\//.test(file));
  // A call may begin on the line after its text.
  const linesOf = (file: string) =>
    readFileSync(file, 'utf8')
      .replaceAll(/\n\s+(?=\??\.)/g, '')
      .split('\n');
  const found = files.flatMap((file) =>
    linesOf(file).flatMap((line) => (testsASentence(line) ? [{ file, place: `${file}: ${line}` }] : [])),
  );

  expect(found.filter(({ file }) => !(file in ALLOWED)).map(({ place }) => place)).toEqual([]);
  expect([...new Set(found.map(({ file }) => file))].sort()).toEqual(Object.keys(ALLOWED).sort());
});
