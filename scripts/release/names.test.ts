import { expect, test } from 'vitest';
import { nameProblems } from './names.ts';

const problems = (text: string) => nameProblems(text, new Set(['openapi-fetch', '@types/node']));

test.each([
  'See https://github.com/a/b, http://127.0.0.1:8080/org/acme and http://localhost:8080.',
  'Open https://gatehouse.example.com/, https://siem.example or postgresql://a:b@host/x and http://user:pw@app.internal:1.',
  'npm install openapi-fetch @types/node',
  'npx openapi-fetch types --output types.ts',
  '`npm install --global gatehouse-1.0.0.tgz`, npx ./script',
  'The folder /data, and /tmp/gatehouse.sock',
])('accepts: %s', (text) => {
  expect(problems(text)).toEqual([]);
});

test.each([
  ['https://gatehouse.io/docs', 'the host gatehouse.io is neither'],
  ['npm install @gatehouse/terraform', 'the package @gatehouse/terraform is neither'],
  ['npx gatehouse-magic@1.0.0 now', 'the package gatehouse-magic is neither'],
  ['See /root/notes/a.md', '/root/notes/a.md is a path of one machine'],
])('refuses: %s', (text, problem) => {
  expect(problems(text)).toEqual(expect.arrayContaining([expect.stringContaining(problem)]));
});
