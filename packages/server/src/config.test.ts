import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '#config.ts';
import { newKey } from '#directory/access/key-format.ts';
import { SETTINGS, type Setting } from '#settings.ts';
import { SECRET_KEY } from '#test/secrets.ts';

const DEFAULTS = {
  port: 8080,
  host: '127.0.0.1',
  databaseUrl: undefined,
  databaseReadUrl: undefined,
  dataDir: './data',
  secretKey: undefined,
  oldSecretKeys: [],
  org: 'acme',
  apiKey: undefined,
  adminEmail: undefined,
  adminPassword: undefined,
  publicUrl: undefined,
  trustProxy: false,
  allowPrivateAddresses: [],
  rateLimits: { events: 60, read: 300 },
  syncQuotas: { pages: null, megabytes: null },
  taskRetries: [60, 300, 1500],
  requestExpiryDays: 30,
  sessionHours: 12,
  connectorRuns: 2,
  connectorIsolation: 'permission',
  logLevel: 'info',
};

test('uses the defaults without any variable, and freezes the result (D40)', () => {
  const config = readConfig({});

  expect(config).toEqual(DEFAULTS);
  expect(Object.isFrozen(config)).toBe(true);
});

test('treats an empty variable as unset', () => {
  const empty = Object.keys(SETTINGS).map((name) => [name, '']);

  expect(readConfig(Object.fromEntries(empty))).toEqual(DEFAULTS);
});

test.each(Object.entries<Setting>(SETTINGS))('%s is described, and its default is valid', (name, setting) => {
  expect(setting.meaning).toMatch(/[.]$/);
  expect(setting.unset ?? 'Nothing.').toMatch(/[.]$/);
  if (setting.default !== undefined) expect(readConfig({ [name]: setting.default })).toEqual(DEFAULTS);
});

test('reads the mail server and the sender', () => {
  const url = 'smtps://user:p%40ss@mail.example.com:465';
  const from = 'Gatehouse <gatehouse@x.example>';
  expect(readConfig({ GATEHOUSE_SMTP_URL: url, GATEHOUSE_MAIL_FROM: from }).mail).toEqual({ url, from });
});

test('reads a mail server without TLS', () => {
  const given = { GATEHOUSE_SMTP_URL: 'smtp://mail.internal:25?tls=off', GATEHOUSE_MAIL_FROM: 'g@x.example' };
  expect(readConfig(given).mail?.url).toBe('smtp://mail.internal:25?tls=off');
});

test('reads the proxy, and keeps its password out of its address', () => {
  const { proxy } = readConfig({ GATEHOUSE_PROXY: 'http://user:p%40ss@proxy.example:3128' });
  expect(proxy?.url.href).toBe('http://proxy.example:3128/');
  expect(proxy?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
});

const KEY = newKey();
const MISTYPED_KEY = KEY.slice(0, -1) + (KEY.endsWith('x') ? 'y' : 'x');

describe('accepts', () => {
  test.each<[string, string, object]>([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::', { host: '::' }],
    ['HOST', '[::]', { host: '::' }],
    ['HOST', '[::1]', { host: '::1' }],
    ['HOST', 'fe80::1%eth0', { host: 'fe80::1%eth0' }],
    ['HOST', 'gate_house.internal', { host: 'gate_house.internal' }],
    ['DATABASE_URL', 'postgres://u:p@db/gatehouse', { databaseUrl: 'postgres://u:p@db/gatehouse' }],
    ['DATABASE_URL', 'postgresql://db/gatehouse', { databaseUrl: 'postgresql://db/gatehouse' }],
    ['GATEHOUSE_DATA_DIR', '/var/lib/gatehouse', { dataDir: '/var/lib/gatehouse' }],
    ['GATEHOUSE_ORG', 'a', { org: 'a' }],
    ['GATEHOUSE_ORG', `a${'-'.repeat(61)}9`, { org: `a${'-'.repeat(61)}9` }],
    ['GATEHOUSE_API_KEY', KEY, { apiKey: KEY }],
    ['GATEHOUSE_API_KEY', 'x'.repeat(32), { apiKey: 'x'.repeat(32) }],
    ['GATEHOUSE_ADMIN_EMAIL', 'root@x.example', { adminEmail: 'root@x.example' }],
    ['GATEHOUSE_ADMIN_PASSWORD', 'twelve chars', { adminPassword: 'twelve chars' }],
    ['GATEHOUSE_PUBLIC_URL', 'https://id.example.com', { publicUrl: 'https://id.example.com' }],
    ['GATEHOUSE_PUBLIC_URL', 'https://ID.example.com:443/', { publicUrl: 'https://id.example.com' }],
    ['GATEHOUSE_TRUST_PROXY', '1', { trustProxy: 1 }],
    ['GATEHOUSE_TRUST_PROXY', '10', { trustProxy: 10 }],
    ['GATEHOUSE_TRUST_PROXY', 'false', { trustProxy: false }],
    [
      'GATEHOUSE_ALLOW_PRIVATE_ADDRESSES',
      '10.1.2.3, 10.20.0.0/16,fd00::/8',
      { allowPrivateAddresses: ['10.1.2.3', '10.20.0.0/16', 'fd00::/8'] },
    ],
    [
      'GATEHOUSE_TRUST_PROXY',
      '10.0.0.0/8, ::1,fd00::/8,loopback',
      { trustProxy: ['10.0.0.0/8', '::1', 'fd00::/8', 'loopback'] },
    ],
    ['GATEHOUSE_RATE_LIMITS', 'on', { rateLimits: { events: 60, read: 300 } }],
    ['GATEHOUSE_RATE_LIMITS', 'off', { rateLimits: { events: null, read: null } }],
    ['GATEHOUSE_RATE_LIMITS', 'events=6,read=30', { rateLimits: { events: 6, read: 30 } }],
    ['GATEHOUSE_RATE_LIMITS', ' read=1000 ', { rateLimits: { events: 60, read: 1000 } }],
    ['GATEHOUSE_SYNC_QUOTAS', 'megabytes=7', { syncQuotas: { pages: null, megabytes: 7 } }],
    ['GATEHOUSE_SYNC_QUOTAS', 'pages=5, megabytes=7', { syncQuotas: { pages: 5, megabytes: 7 } }],
    ['GATEHOUSE_TASK_RETRIES', 'off', { taskRetries: [] }],
    ['GATEHOUSE_TASK_RETRIES', '0, 5', { taskRetries: [0, 5] }],
    ['GATEHOUSE_REQUEST_EXPIRY_DAYS', '7', { requestExpiryDays: 7 }],
    ['GATEHOUSE_SESSION_HOURS', '168', { sessionHours: 168 }],
    ['GATEHOUSE_CONNECTOR_RUNS', '0', { connectorRuns: 0 }],
    ['GATEHOUSE_CONNECTOR_ISOLATION', 'user', { connectorIsolation: 'user' }],
    ['GATEHOUSE_BREACHED_PASSWORDS', '/srv/hashes.txt', { breachedPasswords: '/srv/hashes.txt' }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ])('%s=%s', (name, text, expected) => {
    const key = name === 'DATABASE_URL' ? { GATEHOUSE_SECRET_KEY: SECRET_KEY } : {};
    const { secretKey: _, ...settings } = readConfig({ [name]: text, ...key });
    const { secretKey: __, ...defaults } = DEFAULTS;
    expect(settings).toEqual({ ...defaults, ...expected });
  });
});

describe('rejects with an explanation', () => {
  test.each<[string, string, string]>([
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535, not "http".'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536".'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535, not "-1".'],
    ...['[::1]:8080', '127.0.0.1:80', '[localhost]', '[]', 'http://localhost', '*'].map(
      (host): [string, string, string] => [
        'HOST',
        host,
        `HOST must be an address or a host name without a port, such as 127.0.0.1, 0.0.0.0 or [::], not "${host}". The port is in PORT.`,
      ],
    ),
    ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535, not "80.5".'],
    [
      'DATABASE_URL',
      'mysql://db',
      'DATABASE_URL must start with postgres:// or postgresql://. Leave it empty to use the embedded database.',
    ],
    [
      'DATABASE_URL',
      'postgres://db/gatehouse',
      'GATEHOUSE_SECRET_KEY is required with DATABASE_URL: it encrypts the secrets in the database. Make one with "openssl rand -base64 32" and keep it outside the database and its backups.',
    ],
    [
      'DATABASE_READ_URL',
      'postgres://replica/gatehouse',
      'DATABASE_READ_URL requires DATABASE_URL: the embedded database has no replicas. Set both, or leave DATABASE_READ_URL empty.',
    ],
    ...['secret', 'c2hvcnQ='].map((key): [string, string, string] => [
      'GATEHOUSE_SECRET_KEY',
      key,
      'GATEHOUSE_SECRET_KEY must be 32 bytes in base64. Make one with "openssl rand -base64 32" and keep it outside the database and its backups.',
    ]),
    [
      'GATEHOUSE_SECRET_KEY_OLD',
      `${SECRET_KEY},secret`,
      'GATEHOUSE_SECRET_KEY_OLD must be a comma-separated list of earlier keys, each 32 bytes in base64. Key 2 is not.',
    ],
    [
      'GATEHOUSE_ORG',
      'Acme',
      'GATEHOUSE_ORG must have 1 to 63 lowercase letters, digits and hyphens, and neither start nor end with a hyphen. It is "Acme".',
    ],
    [
      'GATEHOUSE_ORG',
      '-a',
      'GATEHOUSE_ORG must have 1 to 63 lowercase letters, digits and hyphens, and neither start nor end with a hyphen. It is "-a".',
    ],
    [
      'GATEHOUSE_ORG',
      'a\n',
      'GATEHOUSE_ORG must have 1 to 63 lowercase letters, digits and hyphens, and neither start nor end with a hyphen. It is "a\n".',
    ],
    [
      'GATEHOUSE_API_KEY',
      'x'.repeat(31),
      'GATEHOUSE_API_KEY must have at least 32 visible ASCII characters and no spaces.',
    ],
    [
      'GATEHOUSE_API_KEY',
      `${'x'.repeat(32)} `,
      'GATEHOUSE_API_KEY must have at least 32 visible ASCII characters and no spaces.',
    ],
    [
      'GATEHOUSE_API_KEY',
      MISTYPED_KEY,
      'GATEHOUSE_API_KEY looks like a mistyped Gatehouse key: its checksum is wrong. Copy the key again.',
    ],
    [
      'GATEHOUSE_ADMIN_EMAIL',
      'root',
      'GATEHOUSE_ADMIN_EMAIL must be an email address such as ada@example.com.',
    ],
    [
      'GATEHOUSE_ADMIN_EMAIL',
      'root@localhost',
      'GATEHOUSE_ADMIN_EMAIL must be an email address such as ada@example.com.',
    ],
    ['GATEHOUSE_ADMIN_PASSWORD', '12345678901', 'GATEHOUSE_ADMIN_PASSWORD must have at least 12 characters.'],
    ...[
      'id.example.com',
      'ftp://id.example.com',
      'https://id.example.com/org',
      'https://id.example.com/?a=b',
    ].map((url): [string, string, string] => [
      'GATEHOUSE_PUBLIC_URL',
      url,
      'GATEHOUSE_PUBLIC_URL must be an http or https origin without a path, such as https://gatehouse.example.com.',
    ]),
    [
      'GATEHOUSE_TRUST_PROXY',
      'true',
      'GATEHOUSE_TRUST_PROXY=true would let every caller choose their own IP address. Set the number of proxies in front of Gatehouse, such as 1, or their addresses and networks, such as 10.0.0.0/8,::1.',
    ],
    ...[
      'yes',
      '0',
      '11',
      '-1',
      '1.5',
      '10.0.0.0/33',
      '10.0.0',
      '::1/129',
      '10.0.0.1,,',
      'proxy.example.com',
    ].map((proxies): [string, string, string] => [
      'GATEHOUSE_TRUST_PROXY',
      proxies,
      'GATEHOUSE_TRUST_PROXY must be false, the number of proxies (1 to 10), or a comma-separated list of addresses and networks, such as 10.0.0.0/8,::1.',
    ]),
    ...['yes', '10.0.0.0/33', '10.0.0', '::1/129', '10.0.0.1,,', 'idp.example.com', '0x7f.1'].map(
      (networks): [string, string, string] => [
        'GATEHOUSE_ALLOW_PRIVATE_ADDRESSES',
        networks,
        'GATEHOUSE_ALLOW_PRIVATE_ADDRESSES must be a comma-separated list of addresses and networks, such as 10.1.2.3,10.20.0.0/16,fd00::/8.',
      ],
    ),
    ...['yes', 'events', 'events=0', 'events=-1', 'writes=5', 'events=5;read=6'].map(
      (limits): [string, string, string] => [
        'GATEHOUSE_RATE_LIMITS',
        limits,
        'GATEHOUSE_RATE_LIMITS must be on, off, or requests per minute, such as events=60,read=300.',
      ],
    ),
    ...['on', 'pages=0', 'bytes=5', 'pages=5;megabytes=6'].map((quotas): [string, string, string] => [
      'GATEHOUSE_SYNC_QUOTAS',
      quotas,
      'GATEHOUSE_SYNC_QUOTAS must be off, or limits of unpublished pages, such as megabytes=20480,pages=100000.',
    ]),
    [
      'GATEHOUSE_TASK_RETRIES',
      '60;300',
      'GATEHOUSE_TASK_RETRIES must be off, or a comma-separated list of seconds, such as 60,300,1500.',
    ],
    ...['0', '-1', '1.5', 'never'].map((days): [string, string, string] => [
      'GATEHOUSE_REQUEST_EXPIRY_DAYS',
      days,
      `GATEHOUSE_REQUEST_EXPIRY_DAYS must be a whole number from 1 to 9999, not "${days}".`,
    ]),
    ...['0', '169', '1.5', 'always'].map((hours): [string, string, string] => [
      'GATEHOUSE_SESSION_HOURS',
      hours,
      `GATEHOUSE_SESSION_HOURS must be a whole number from 1 to 168, not "${hours}".`,
    ]),
    [
      'GATEHOUSE_CONNECTOR_ISOLATION',
      'bwrap',
      'GATEHOUSE_CONNECTOR_ISOLATION must be the weakest level to accept, one of permission, user, bubblewrap. It is "bwrap".',
    ],
    ...['51', '-1', 'all'].map((runs): [string, string, string] => [
      'GATEHOUSE_CONNECTOR_RUNS',
      runs,
      `GATEHOUSE_CONNECTOR_RUNS must be the number of connectors that run at the same time, from 0 to 50, not "${runs}".`,
    ]),
    [
      'LOG_LEVEL',
      'loud',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent. It is "loud".',
    ],
  ])('%s=%s', (name, text, sentence) => {
    expect(() => readConfig({ [name]: text })).toThrow(new ConfigError(sentence));
  });

  test.each([
    'http://mail.example.com',
    'smtp://',
    'smtp://mail.example.com/inbox',
    'smtps://user:100%secret@mail.example.com',
  ])('the mail server %s, without repeating its address', (url) => {
    const given = { GATEHOUSE_SMTP_URL: url, GATEHOUSE_MAIL_FROM: 'gatehouse@x.example' };
    expect(() => readConfig(given)).toThrow('GATEHOUSE_SMTP_URL must be an address such as smtp://');
    expect(() => readConfig(given)).not.toThrow('secret');
  });

  test.each([
    ['smtp://mail.example.com?tls=on', 'can have one parameter, ?tls=off'],
    ['smtp://mail.example.com?tls=off&tls=off', 'can have one parameter, ?tls=off'],
    ['smtp://mail.example.com?pool=secret', 'can have one parameter, ?tls=off'],
    ['smtp://mail.example.com?tls=off&debug=secret', 'can have one parameter, ?tls=off'],
    ['smtps://mail.example.com?tls=off', 'must start with smtp://'],
    ['smtp://user:secret@mail.example.com?tls=off', 'would send the user and the password in plain text'],
    ['smtp://user@mail.example.com?tls=off', 'would send the user and the password in plain text'],
  ])('the mail server %s with a sentence of its own', (url, sentence) => {
    const given = { GATEHOUSE_SMTP_URL: url, GATEHOUSE_MAIL_FROM: 'gatehouse@x.example' };
    expect(() => readConfig(given)).toThrow(sentence);
    expect(() => readConfig(given)).not.toThrow('secret');
  });

  test('a proxy that is not one of HTTP, and hosts that are none', () => {
    expect(() => readConfig({ GATEHOUSE_PROXY: 'socks5://user:secret@proxy.example' })).toThrow(
      'GATEHOUSE_PROXY must be the address of an HTTP proxy',
    );
    expect(() => readConfig({ GATEHOUSE_PROXY: 'socks5://user:secret@proxy.example' })).not.toThrow('secret');
    expect(() => readConfig({ GATEHOUSE_NO_PROXY: 'http://app' })).toThrow('GATEHOUSE_NO_PROXY must be');
  });

  test('a mail server without a sender', () => {
    expect(() => readConfig({ GATEHOUSE_SMTP_URL: 'smtp://mail.example.com' })).toThrow(
      'GATEHOUSE_SMTP_URL requires GATEHOUSE_MAIL_FROM.',
    );
  });

  test.each(['Gatehouse', 'a@x.example, b@x.example', 'Gatehouse\r\nBcc: b@x.example <a@x.example>'])(
    'the sender %s',
    (from) => {
      const given = { GATEHOUSE_SMTP_URL: 'smtp://mail.example.com', GATEHOUSE_MAIL_FROM: from };
      expect(() => readConfig(given)).toThrow('GATEHOUSE_MAIL_FROM must be the sender');
    },
  );

  test('a sender without a mail server', () => {
    expect(() => readConfig({ GATEHOUSE_MAIL_FROM: 'gatehouse@x.example' })).toThrow(
      'GATEHOUSE_MAIL_FROM requires GATEHOUSE_SMTP_URL.',
    );
  });

  test('an address of a replica that is not PostgreSQL', () => {
    const primary = { DATABASE_URL: 'postgres://db/gatehouse', GATEHOUSE_SECRET_KEY: SECRET_KEY };
    expect(() => readConfig({ ...primary, DATABASE_READ_URL: 'mysql://db' })).toThrow(
      'DATABASE_READ_URL must start with postgres:// or postgresql://. Leave it empty to read from the primary only.',
    );
    const url = 'postgres://replica/gatehouse';
    expect(readConfig({ ...primary, DATABASE_READ_URL: url }).databaseReadUrl).toBe(url);
  });

  test('never shows a key, a password or a database URL in an error', () => {
    const secrets = {
      GATEHOUSE_API_KEY: 'secret',
      GATEHOUSE_SECRET_KEY: 'secret',
      GATEHOUSE_SECRET_KEY_OLD: 'secret',
      GATEHOUSE_ADMIN_PASSWORD: 'secret',
      DATABASE_URL: 'mysql://root:secret@db',
      DATABASE_READ_URL: 'mysql://root:secret@db',
    };
    for (const [name, text] of Object.entries(secrets)) {
      const message = (() => {
        try {
          readConfig({ [name]: text });
        } catch (error) {
          return String(error);
        }
      })();
      expect(message).toContain(name);
      expect(message).not.toContain('secret');
    }
  });
});

test('reads secret keys, which no log prints', () => {
  const { secretKey, oldSecretKeys } = readConfig({
    GATEHOUSE_SECRET_KEY: SECRET_KEY,
    GATEHOUSE_SECRET_KEY_OLD: `${Buffer.alloc(32, 1).toString('base64')}, ${Buffer.alloc(32, 2).toString('base64')}`,
  });

  expect(secretKey?.id).toMatch(/^[0-9a-f]{16}$/);
  expect(oldSecretKeys).toHaveLength(2);
  expect(new Set([secretKey, ...oldSecretKeys].map((key) => key?.id)).size).toBe(3);
  const printed = JSON.stringify(secretKey) + inspect(secretKey, { depth: 9, showHidden: true });
  expect(printed).not.toContain(SECRET_KEY);
  expect(printed).not.toContain('the secret key');
});
