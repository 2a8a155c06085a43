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
  const { redact } = createRedactor([secret]);

  expect(redact(`before ${text} after`)).toMatch(/^before "?\[redacted\]=*"? after$/);
});

test.each(['a', 'ab', 'abc', 'user', 'client-id'])('hides a secret in the credentials of %s', (user) => {
  const { redact } = createRedactor([secret]);
  const pair = Buffer.from(`${user}:${secret}`).toString('base64');

  const shown = redact(`authorization: Basic ${pair}`).replace(/^.*Basic |\[redacted\].*$/g, '');

  expect(Buffer.from(shown, 'base64').toString()).not.toContain(secret.slice(0, 3));
});

test('hides the password of a connection string and the lines of a key', () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${'a1b2c3d4'.repeat(8)}\n${'e5f6a7b8'.repeat(8)}\n-----END PRIVATE KEY-----`;
  const { redact } = createRedactor(['postgres://u:p%40ss%21word@db/x', 'mysql://u:50%off@db/x', key]);

  expect(redact('password p@ss!word or p%40ss%21word')).toBe('password [redacted] or [redacted]');
  expect(redact('no login with 50%off')).toBe('no login with [redacted]');
  expect(redact(`cannot parse ${'e5f6a7b8'.repeat(8)}`)).toBe('cannot parse [redacted]');
  expect(redact('amqp://guest:unknown@host/')).toBe('amqp://guest:[redacted]@host/');
});

test('takes time in proportion to the length of a text', () => {
  const { redact } = createRedactor([secret]);
  const begun = process.threadCpuUsage();

  for (const text of [
    'a'.repeat(1_000_000),
    'a://'.repeat(250_000),
    `a://${'b'.repeat(1_000_000)}`,
    'a:/'.repeat(300_000),
  ])
    redact(text);

  expect(process.threadCpuUsage(begun).user).toBeLessThan(5000_000);
});
