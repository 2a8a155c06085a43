import { expect, test } from 'vitest';
import { libraryOf, unresolvedIn } from './citations.ts';

const documents: Record<string, string> = {
  'docs/reference/decisions.md':
    '# Decisions\n\n## D1 Addresses\n\n- **D24a removal guard** holds.\n\n| D5 | errors |\n',
  'docs/reference/protocol.md': '# Protocol\n\n## 4. Endpoints\n\n### 4.9 List tasks\n\n### 4.10 Report\n',
  'docs/adr/0007-order.md': '# ADR 7\n',
  'docs/guide.md': '# Guide\n\n## First steps\n\n## First steps\n\n```md\n## Not a heading\n```\n',
  'README.md': '# Readme\n',
  'packages/server/src/app.ts': '',
};
const library = libraryOf(Object.keys(documents), (path) => documents[path] ?? '');

const problemsIn = (text: string, path = 'docs/a.md') =>
  unresolvedIn(path, text, library).map(({ problem }) => problem);

test.each([
  '(D1), D5 and D24a.',
  'protocol 4.9; Protocol 4.9 to 4.10',
  'ADR 7, ADR 0007',
  '[guide](guide.md), [steps](guide.md#first-steps), [again](guide.md#first-steps-1), [top](../README.md)',
  '[web](https://example.com/a#b), [mail](mailto:a@example.com), [folder](adr/), ![shot](/docs/guide.md)',
  '`packages/server/src/app.ts`, `packages/server`, `docs/adr/NNNN-title.md`, `scripts/*.ts`, `packages/console/dist`',
  '```\n[x](nowhere.md) `docs/nowhere.md`\n```',
  'the issue of a key, a contract with 3 parties, 0xD3, #D4D4D4, \\u00D7, format-D3',
])('accepts %s', (text) => {
  expect(problemsIn(text)).toEqual([]);
});

test.each([
  ['see D2', 'cites D2, which is not in docs/reference/decisions.md.'],
  ['see D24b', 'cites D24b, which is not in docs/reference/decisions.md.'],
  ['(protocol 4.11)', 'cites section 4.11, which is not in docs/reference/protocol.md.'],
  ['protocol 4.9 to 4.12', 'cites section 4.12, which is not in docs/reference/protocol.md.'],
  ['ADR 8', 'cites ADR 8, which is not in docs/adr.'],
  ['[gone](gone.md)', 'links to gone.md, which does not exist.'],
  ['[gone](guide.md#third)', 'links to guide.md#third, which has no such heading.'],
  ['[gone](guide.md#not-a-heading)', 'links to guide.md#not-a-heading, which has no such heading.'],
  ['see `docs/gone.md`', 'names `docs/gone.md`, which does not exist.'],
  ['contract 4.9', 'cites "contract 4", which a reader of the repository cannot open.'],
  ['governance.md "People"', 'cites "governance.md", which a reader of the repository cannot open.'],
  ['house.md', 'cites "house.md", which a reader of the repository cannot open.'],
  ['../shared/writing.md', 'cites "../shared", which a reader of the repository cannot open.'],
  ['issue 4', 'cites "issue 4", which a reader of the repository cannot open.'],
])('reports %s', (text, problem) => {
  expect(problemsIn(text)).toEqual([problem]);
});

test('checks links and paths in Markdown only', () => {
  expect(problemsIn('// [gone](gone.md) `docs/gone.md`', 'packages/server/src/app.ts')).toEqual([]);
  expect(problemsIn('// D2', 'packages/server/src/app.ts')).toHaveLength(1);
});

test('resolves an anchor of the same file', () => {
  expect(problemsIn('[steps](#first-steps)', 'docs/guide.md')).toEqual([]);
  expect(problemsIn('[steps](#third)', 'docs/guide.md')).toHaveLength(1);
});

test('names the line', () => {
  expect(unresolvedIn('docs/a.md', 'one\n\n```\ncode\n```\n[gone](gone.md)\nD2', library)).toMatchObject([
    { line: 6 },
    { line: 7 },
  ]);
});
