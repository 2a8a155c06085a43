import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../protocol/src/redact.ts';
import { flag, number, readConfig, type Sources, secret, text, variableOf } from './config.ts';

const fields = {
  host: text('the host'),
  apiToken: secret('the token'),
  port: number('the port', { default: 443 }),
  insecure: flag('no TLS'),
  note: text('a note', { optional: true }),
};
const nothing: Sources = { flags: {}, env: {}, file: {}, stdin: {} };
const full = { ...nothing, file: { host: 'from-file', apiToken: 'token-in-file' } };

describe('settings', () => {
  test('are read from flag, environment, standard input and file, in this order', () => {
    const env = { MY_APP_HOST: 'from-env' };
    const stdin = { host: 'from-stdin' };
    expect(readConfig('my-app', fields, full).host).toBe('from-file');
    expect(readConfig('my-app', fields, { ...full, stdin }).host).toBe('from-stdin');
    expect(readConfig('my-app', fields, { ...full, stdin, env }).host).toBe('from-env');
    expect(readConfig('my-app', fields, { ...full, stdin, env, flags: { host: 'from-flag' } }).host).toBe(
      'from-flag',
    );
  });

  test('reads a secret from a file named by the environment', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-config-')), 'token');
    writeFileSync(file, 'token-in-its-file\n');
    const config = readConfig('my-app', fields, {
      ...full,
      file: { host: 'h' },
      env: { MY_APP_API_TOKEN_FILE: file },
    });
    expect(config.apiToken).toBe('token-in-its-file');
  });

  test('applies defaults, kinds and optional settings', () => {
    const config = readConfig('my-app', fields, {
      ...full,
      env: { MY_APP_PORT: '8443', MY_APP_INSECURE: 'yes' },
    });
    expect(config).toEqual({ host: 'from-file', apiToken: 'token-in-file', port: 8443, insecure: true });
  });

  test.each<[string, Partial<Sources>, RegExp]>([
    [
      'a missing setting',
      { file: { host: 'h' } },
      /"apiToken" is missing .*MY_APP_API_TOKEN or MY_APP_API_TOKEN_FILE/,
    ],
    [
      'a secret in a flag',
      { flags: { apiToken: 't' } },
      /"apiToken" is a secret and cannot be set by a flag/,
    ],
    ['an unknown setting', { flags: { hots: 'h' } }, /unknown setting "hots"/],
    ['an invalid number', { env: { MY_APP_PORT: 'many' } }, /"port" must be a number/],
    ['an invalid flag', { env: { MY_APP_INSECURE: 'perhaps' } }, /"insecure" must be true or false/],
    ['an invalid text', { file: { host: 7, apiToken: 't' } }, /"host" must be text/],
    ['an empty variable', { file: {}, env: { MY_APP_HOST: '' } }, /"host" is missing/],
  ])('rejects %s with exit code 2', (_, sources, message) => {
    const read = () => readConfig('my-app', fields, { ...full, ...sources });
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ exit: 2 }));
  });

  test('derives variable names', () => {
    expect(variableOf('my-app', 'connectionString')).toBe('MY_APP_CONNECTION_STRING');
  });
});

describe('redaction', () => {
  test.each([
    ['a secret as it is', 'password: s3cret/value', 'password: [redacted]'],
    ['a secret in an address', 'GET /x?t=s3cret%2Fvalue', 'GET /x?t=[redacted]'],
    ['credentials in a URL', 'postgres://bob:hunter2@host/db', 'postgres://bob:[redacted]@host/db'],
    ['a key in a header', 'authorization: Api-Key gh_abcdef', 'authorization: Api-Key [redacted]'],
    ['nothing else', 'all is well', 'all is well'],
  ])('hides %s', (_, line, shown) => {
    const redactor = createRedactor();
    redactor.add('s3cret/value');
    redactor.add('');
    expect(redactor.text(line)).toBe(shown);
  });

  test('hides the password of a connection string on its own', () => {
    const redactor = createRedactor();
    redactor.add('postgres://bob:p%40ssword@host/db');
    expect(redactor.text('refused "p@ssword"')).toBe('refused "[redacted]"');
  });
});
