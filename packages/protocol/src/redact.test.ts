import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

const secret = 'Tr0ub4dor & "drei"/ä';

test.each([
  ['in an address', encodeURIComponent(secret)],
  [
    'in an address, with lower-case codes',
    encodeURIComponent(secret).replace(/%../g, (x) => x.toLowerCase()),
  ],
  ['in a form', new URLSearchParams({ p: secret }).toString().slice(2)],
  ['in JSON', JSON.stringify(secret)],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
])('hides a secret %s', (_, text) => {
  const { text: redact } = createRedactor([secret]);

  expect(redact(`before ${text} after`)).toMatch(/^before "?\[redacted\]=*"? after$/);
});

test.each(['a', 'ab', 'abc', 'user', 'client-id'])('hides a secret in the credentials of %s', (user) => {
  const { text: redact } = createRedactor([secret]);
  const pair = Buffer.from(`${user}:${secret}`).toString('base64');

  const shown = redact(`authorization: Basic ${pair}`).replace(/^.*Basic |\[redacted\].*$/g, '');

  expect(Buffer.from(shown, 'base64').toString()).not.toContain(secret.slice(0, 3));
});

test('hides the password of a connection string and the lines of a key', () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${'a1b2c3d4'.repeat(8)}\n${'e5f6a7b8'.repeat(8)}\n-----END PRIVATE KEY-----`;
  const { text: redact } = createRedactor(['postgres://u:p%40ss%21word@db/x', 'mysql://u:50%off@db/x', key]);

  expect(redact('password p@ss!word or p%40ss%21word')).toBe('password [redacted] or [redacted]');
  expect(redact('no login with 50%off')).toBe('no login with [redacted]');
  expect(redact(`cannot parse ${'e5f6a7b8'.repeat(8)}`)).toBe('cannot parse [redacted]');
  expect(redact('amqp://guest:unknown@host/')).toBe('amqp://guest:[redacted]@host/');
});

test('hides a password with a quote in an address, and leaves JSON as it is', () => {
  const { text: redact } = createRedactor();
  const other = JSON.stringify([
    { 'https://x:8080': 'https://y:80', a: 'ada@example.com' },
    'https://z:1',
    'b@c',
  ]);

  expect(redact('connecting to postgres://u:pa"ss@db/x failed')).toBe(
    'connecting to postgres://u:[redacted]@db/x failed',
  );
  expect(redact(JSON.stringify({ url: 'amqp://u:pa"ss@db', to: 'a@b' }))).toBe(
    '{"url":"amqp://u:[redacted]@db","to":"a@b"}',
  );
  expect(redact(other)).toBe(other);
});

test('takes time in proportion to the length of a text', () => {
  const { text: redact } = createRedactor([secret]);
  const begun = process.threadCpuUsage();

  for (const text of [
    'a'.repeat(1_000_000),
    'a://'.repeat(250_000),
    `a://${'b'.repeat(1_000_000)}`,
    'a:/'.repeat(300_000),
    `a://b:${'"c'.repeat(500_000)}`,
  ])
    redact(text);

  expect(process.threadCpuUsage(begun).user).toBeLessThan(5000_000);
});

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

test.each([
  'HTTP 401: Basic realm="Jira"',
  'HTTP 401: Bearer error="invalid_token"',
  'sent {"authorization":"Bearer abc123"} to "https://x:80"',
  'sent "Bearer ab\\cd\\"',
])('leaves JSON that can be read: %s', (message) => {
  const { text: redact } = createRedactor();
  const json = (text: string) => JSON.parse(redact(JSON.stringify({ text })));

  expect(() => json(message)).not.toThrow();
  expect(() => json(redact(message))).not.toThrow();
});

test('takes time in proportion to the length of a word', () => {
  const redactor = createRedactor();
  const begun = process.threadCpuUsage();

  redactor.text('a'.repeat(1_000_000));

  expect(process.threadCpuUsage(begun).user).toBeLessThan(3000_000);
});
