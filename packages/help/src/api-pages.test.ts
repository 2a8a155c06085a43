import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { apiPages } from './api-pages.ts';

const { pages } = await apiPages();
const examples = pages.flatMap(({ text }) =>
  [...text.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, example = '']) => example),
);

/** Runs the examples in one shell, with a `curl` that only prints its arguments. */
function argumentsOf(all: string[]): string[][] {
  const curl = `set -eu; curl() { printf '%s\\0' "$@"; printf '\\0'; }`;
  const variables = [...new Set(all.join('\n').match(/(?<=\$)[A-Z_]+/g))].map((name) => `${name}=VALUE`);
  const script = [curl, ...variables, 'BASE=http://127.0.0.1:8080/org/acme', ...all].join('\n');
  const printed = execFileSync('sh', { input: script, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return printed
    .split('\0\0')
    .slice(0, -1)
    .map((call) => call.split('\0'));
}

test('each operation has an example with curl that a shell can run', () => {
  const calls = argumentsOf(examples);

  expect(calls.length).toBe(examples.length);
  expect(calls.length).toBeGreaterThan(300);
  for (const call of calls) {
    const url = call.find((part) => part.startsWith('http'));
    expect(url, call.join(' ')).toMatch(/^http:\/\/127\.0\.0\.1:8080\/[^\s$]*$/);
    const body = call[call.indexOf('-d') + 1];
    if (call.includes('-d')) expect(() => JSON.parse(body ?? ''), call.join(' ')).not.toThrow();
  }
});
