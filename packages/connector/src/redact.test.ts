import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

test('hides a secret in the forms in which it is sent', () => {
  const redactor = createRedactor();
  const secret = 'p"ss wörd/+';
  redactor.add(secret);

  for (const form of [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ p: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ])
    expect(redactor.text(`got ${form}.`)).toBe('got [redacted].');
});

test('takes connection strings whose password has a percent sign', () => {
  const redactor = createRedactor();
  redactor.add('postgres://u:50%off@db/x');
  redactor.add('postgres://u:p%40ss%21@db/x');

  expect(redactor.text('50%off, p@ss!, p%40ss%21')).toBe('[redacted], [redacted], [redacted]');
});

test.each([
  ['token: the bearer token of the API', 'token: the bearer token of the API'],
  ['Basic authentication failed.', 'Basic authentication failed.'],
  ['sent Bearer abc123', 'sent Bearer [redacted]'],
  ['sent Basic dXNlcjpwYXNz', 'sent Basic [redacted]'],
  ['sent bearer reader-token', 'sent bearer [redacted]'],
  ['Authorization: Bearer secret', 'Authorization: Bearer [redacted]'],
  ['{"authorization":"Basic secret"}', '{"authorization":"Basic [redacted]"}'],
])('hides keys of headers, not words: %s', (text, shown) => {
  expect(createRedactor().text(text)).toBe(shown);
});

test('takes time in proportion to the length of a text', () => {
  const redactor = createRedactor();
  const begun = process.threadCpuUsage();

  redactor.text('a'.repeat(1_000_000));

  expect(process.threadCpuUsage(begun).user).toBeLessThan(3000_000);
});
