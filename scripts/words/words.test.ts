import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textsOf } from './texts.ts';
import { refusedIn } from './words.ts';

/** Texts that may have such a word, by their file, and why. */
const ALLOWED: Record<string, { text: string; why: string }> = {
  'docs/reference/events.md': { text: 'Task cancelled. Severity info', why: 'the contract has this title' },
  'docs/guides/requests.md': { text: 'The API calls a request a ticket.', why: 'explains the word' },
  'packages/console/src/conditions/condition-help.tsx': { text: 'user == null', why: 'a condition' },
  'packages/console/src/pages/apps/connect-guide.tsx': { text: 'Linux users', why: 'Linux has users' },
  'packages/console/src/pages/events/event-drawer.tsx': { text: 'User agent', why: 'HTTP has this name' },
  'packages/console/src/shell/find-pages.ts': {
    text: 'groups, licenses, entitlements',
    why: 'words that people search for',
  },
  'packages/server/src/directory/people/sentences.ts': {
    text: 'users: Name two',
    why: 'begins with a field',
  },
  'packages/server/src/insight/history/sentences.ts': {
    text: 'one of user, account',
    why: 'lists parameters',
  },
  'packages/server/src/inventory/records/sentences.ts': {
    text: 'user, ',
    why: 'lists parameters and fields',
  },
  'packages/server/src/log/events/catalog/contract-apps.ts': {
    text: 'Task cancelled',
    why: 'the contract has this title',
  },
  'packages/server/src/log/webhooks/sentences.ts': {
    text: 'must not contain a user or a password',
    why: 'an address has a user',
  },
};

const problemsIn = (path: string, source: string) =>
  textsOf(path, source).flatMap((text) => refusedIn(path, text).map((problem) => ({ ...text, problem })));

test.each([
  ['a.md', 'One.\n\nIt ends at\nonce.', 3, 'at once'],
  ['a.md', '| a | It ends at once |', 1, 'at once'],
  ['a.md', '- One.\n- This database is no cluster.', 2, 'is no cluster'],
  ['a.md', 'It ends. What is left stays.', 1, '. What is left stays.'],
  ['a.sql', 'select 1;\n-- The account is\n-- a stub.', 2, 'stub'],
  ['a.yml', '# Feed a SIEM.', 1, 'Feed a SIEM'],
  ['a.ts', "f('x');\n/** What a sync\n * adds */", 2, 'What'],
  ['a.ts', '// The task was\n// cancelled.', 1, 'cancelled'],
  ['a.ts', "const a = /'/; f('It starts anew.');", 1, 'anew'],
  ['a.ts', `f(\`a \${b ? \`\${c} {\` : "is cancelled"}\`);`, 1, 'cancelled'],
  ['a.ts', 'sql`select 1 -- at once\n`', 1, 'at once'],
  ['a.tsx', "<p>Don't do this at once</p>", 1, 'at once'],
  ['packages/server/src/a.ts', "throw conflict('The user exists.');", 1, 'user'],
  ['packages/console/src/a.tsx', '<Trans>Create a ticket</Trans>', 1, 'ticket'],
  ['packages/console/src/a.tsx', '<Trans>Show unowned accounts</Trans>', 1, 'unowned accounts'],
  ['packages/console/src/a.tsx', "t('The records were ingested.');", 1, 'ingested'],
  ['docs/a.md', 'Open the ticket.', 1, 'ticket'],
])('refuses in %s: %s', (path, source, line, words) => {
  expect(problemsIn(path, source)).toMatchObject([{ line, problem: expect.stringContaining(`"${words}"`) }]);
});

test.each([
  [
    'a.md',
    'The status `cancelled`, and `task.cancelled` or task.cancelled.\n\n## What you need\n\nWhat is this?',
  ],
  ['a.md', '```sh\necho at once\n```\n\nThere is no cluster. It is no longer used.\n\n| cancelled |'],
  [
    'a.ts',
    "const cancelled = state === 'cancelled'; const stub = [meanwhile]; f('update_account cancelled');",
  ],
  ['a.ts', '/** Whether a task runs. */\nsql<{ cancelled: boolean }>`select 1 as cancelled`'],
  ['packages/server/src/a.ts', "throw invalid('The value is wrong (user).'); f('List users');"],
  ['packages/console/src/a.tsx', "get('/api/tickets/');"],
])('accepts in %s: %s', (path, source) => {
  expect(problemsIn(path, source)).toEqual([]);
});

test('no text of the repository has a word that is refused', () => {
  const types = ['*.ts', '*.tsx', '*.md', '*.sql', '*.sh', '*.yml', '*.yaml'];
  const files = execFileSync('git', ['ls-files', ...types], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !/^scripts\/words\/|\/schema\.sql$/.test(file));
  const found = files.flatMap((file) =>
    problemsIn(file, readFileSync(file, 'utf8')).map((problem) => ({ file, ...problem })),
  );
  const isAllowed = ({ file, text }: { file: string; text: string }) =>
    text.includes(ALLOWED[file]?.text ?? '\n');

  expect(
    found
      .filter((one) => !isAllowed(one))
      .map(({ file, line, problem, text }) => `${file}:${line} ${problem}: ${text}`),
  ).toEqual([]);
  expect([...new Set(found.map(({ file }) => file))].sort()).toEqual(Object.keys(ALLOWED).sort());
});
