import { LEVELS } from '#work/connectors/isolation.ts';
import { NO_PROXY_RULE, PROXY_RULE } from '../../protocol/src/net/outbound-proxy.ts';

/** A setting of the server, which is an environment variable (D40). `npm run docs` writes docs/reference/configuration.md from these. */
export interface Setting {
  group:
    | 'Address'
    | 'Database'
    | 'Secrets'
    | 'First start'
    | 'Network'
    | 'Limits'
    | 'Work'
    | 'People'
    | 'Log';
  /** Its effect, in Markdown. Links begin in docs/reference. */
  meaning: string;
  /** The rule for values: the words after "NAME must", in the reference and in the error of startup. Missing: any text will do. */
  must?: string;
  /** The value of an unset or empty setting. */
  default?: string;
  /** The effect of an unset setting, if no value has the same. */
  unset?: string;
  unit?: string;
  /** Whether it contains a key or a password, or can contain one. */
  secret?: true;
}

export const MOST_CONNECTOR_RUNS = 50;
export const MOST_PROXIES = 10;
export const LOG_LEVELS: readonly string[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const DATABASE_RULE = 'start with postgres:// or postgresql://';

/** All settings, in the order of the reference. */
export const SETTINGS = {
  PORT: {
    group: 'Address',
    meaning: 'Port to listen on. `0` takes any free port.',
    must: 'be a whole number from 0 to 65535',
    default: '8080',
  },
  HOST: {
    group: 'Address',
    meaning: 'Address or host name to listen on. `0.0.0.0` and `[::]` are all addresses of the machine.',
    must: 'be an address or a host name without a port, such as 127.0.0.1, 0.0.0.0 or [::]',
    default: '127.0.0.1',
  },
  GATEHOUSE_PUBLIC_URL: {
    group: 'Address',
    meaning:
      'Public origin, if people reach Gatehouse under another name than `localhost`. Links in emails and [sign-in links](../guides/sign-in.md#behind-a-proxy) begin with it.',
    must: 'be an http or https origin without a path, such as https://gatehouse.example.com',
    unset:
      'Gatehouse uses the origin that each request names, and creates no sign-in links for names other than `localhost`.',
  },
  DATABASE_URL: {
    group: 'Database',
    meaning:
      'Address of PostgreSQL 18 or newer, also behind a [pooler in session mode](../guides/run-it.md#poolers). It decides the engine: [which engine for which size](../explanations/scale.md#which-engine-for-which-size).',
    must: DATABASE_RULE,
    unset: 'Gatehouse uses the embedded PGlite in `GATEHOUSE_DATA_DIR`.',
    secret: true,
  },
  DATABASE_READ_URL: {
    group: 'Database',
    meaning:
      'Address of a streaming replica of that database, for [lists, history and events](../guides/replicas.md). Requires `DATABASE_URL`.',
    must: DATABASE_RULE,
    unset: 'All requests read from the primary.',
    secret: true,
  },
  GATEHOUSE_DATA_DIR: {
    group: 'Database',
    meaning:
      'Folder for PGlite, which one process at a time uses, and for the files of managed connectors. [Installed from a package](../guides/install.md#from-a-package), the default is `~/.local/share/gatehouse`.',
    default: './data',
  },
  GATEHOUSE_SECRET_KEY: {
    group: 'Secrets',
    meaning:
      '[Encrypts the secrets](../guides/run-it.md#the-secret-key) in the database. Required with `DATABASE_URL`. Keep it outside the database and its backups.',
    must: 'be 32 bytes in base64',
    unset: 'With PGlite, Gatehouse generates a key and stores it in `GATEHOUSE_DATA_DIR`.',
    secret: true,
  },
  GATEHOUSE_SECRET_KEY_OLD: {
    group: 'Secrets',
    meaning:
      'Earlier keys, while you [replace the key](../guides/run-it.md#the-secret-key): until `gatehouse-server secrets rotate` has run.',
    must: 'be a comma-separated list of earlier keys, each 32 bytes in base64',
    secret: true,
  },
  GATEHOUSE_ORG: {
    group: 'First start',
    meaning: 'Slug of the first organization, whose console is at `/`.',
    must: 'have 1 to 63 lowercase letters, digits and hyphens, and neither start nor end with a hyphen',
    default: 'acme',
  },
  GATEHOUSE_API_KEY: {
    group: 'First start',
    meaning: 'First API key. Only the first start reads it.',
    must: 'have at least 32 visible ASCII characters and no spaces',
    unset: 'The first start generates a key and prints it once.',
    secret: true,
  },
  GATEHOUSE_ADMIN_EMAIL: {
    group: 'First start',
    meaning: 'Email address of the first owner. Only the first start reads it.',
    must: 'be an email address such as ada@example.com',
    unset: 'The first start uses `admin@`, the slug of the organization, and `.example`.',
  },
  GATEHOUSE_ADMIN_PASSWORD: {
    group: 'First start',
    meaning: 'Password of the first owner. Only the first start reads it.',
    must: 'have at least 12 characters',
    unset: 'The first start generates a password and prints it once.',
    secret: true,
  },
  GATEHOUSE_TRUST_PROXY: {
    group: 'Network',
    meaning:
      'Proxies in front of Gatehouse whose `X-Forwarded-For` header is trusted. `true` is refused, because every caller could then choose their own address.',
    must: `be false, the number of proxies (1 to ${MOST_PROXIES}), or a comma-separated list of addresses and networks, such as 10.0.0.0/8,::1`,
    default: 'false',
  },
  GATEHOUSE_ALLOW_PRIVATE_ADDRESSES: {
    group: 'Network',
    meaning:
      'Addresses that are not public and to which Gatehouse may [send requests](../guides/run-it.md#requests-that-gatehouse-sends). The connectors of an organization can have [a list of their own](../guides/managed-connectors.md#for-operators).',
    must: 'be a comma-separated list of addresses and networks, such as 10.1.2.3,10.20.0.0/16,fd00::/8',
    unset: 'Gatehouse sends requests to public addresses only.',
  },
  GATEHOUSE_PROXY: {
    group: 'Network',
    meaning: '[Proxy for outgoing requests](../guides/run-it.md#a-proxy-for-outgoing-requests).',
    must: PROXY_RULE,
    unset: 'Requests go to their hosts directly.',
    secret: true,
  },
  GATEHOUSE_NO_PROXY: {
    group: 'Network',
    meaning: 'Hosts that Gatehouse reaches without that proxy.',
    must: NO_PROXY_RULE,
  },
  GATEHOUSE_RATE_LIMITS: {
    group: 'Limits',
    meaning:
      'Most requests: `events` of one API key to the events API, and `read` of one client address to the read API. A limit that is not named keeps its default.',
    must: 'be on, off, or requests per minute, such as events=60,read=300',
    default: 'on',
    unit: 'requests per minute',
  },
  GATEHOUSE_SYNC_QUOTAS: {
    group: 'Limits',
    meaning:
      'The most that one organization may store in [pages that are not published](../guides/run-it.md#disk-space-for-syncs), in `megabytes`, and how many `pages` one session may have.',
    must: 'be off, or limits of unpublished pages, such as megabytes=20480,pages=100000',
    default: 'off',
    unit: 'megabytes, pages',
  },
  GATEHOUSE_CONNECTOR_RUNS: {
    group: 'Work',
    meaning:
      'How many syncs a process runs at the same time, and as many task batches, of [managed connectors](../guides/managed-connectors.md#for-operators). `0` runs none.',
    must: `be the number of connectors that run at the same time, from 0 to ${MOST_CONNECTOR_RUNS}`,
    default: '2',
  },
  GATEHOUSE_CONNECTOR_ISOLATION: {
    group: 'Work',
    meaning:
      'Weakest [isolation](../guides/managed-connectors.md#isolation) of connectors with which Gatehouse starts.',
    must: `be the weakest level to accept, one of ${LEVELS.join(', ')}`,
    default: 'permission',
  },
  GATEHOUSE_TASK_RETRIES: {
    group: 'Work',
    meaning:
      'How long Gatehouse waits before each retry of a task that timed out or was throttled: one number for each retry. `off` retries none.',
    must: 'be off, or a comma-separated list of seconds, such as 60,300,1500',
    default: '60,300,1500',
    unit: 'seconds',
  },
  GATEHOUSE_REQUEST_EXPIRY_DAYS: {
    group: 'People',
    meaning: 'Time after which an undecided request expires.',
    must: 'be a whole number from 1 to 9999',
    default: '30',
    unit: 'days',
  },
  GATEHOUSE_SESSION_HOURS: {
    group: 'People',
    meaning:
      'Time without activity after which a person must [sign in](../guides/sign-in.md) again. A session ends after a week in any case.',
    must: 'be a whole number from 1 to 168',
    default: '12',
    unit: 'hours',
  },
  GATEHOUSE_BREACHED_PASSWORDS: {
    group: 'People',
    meaning:
      'File or folder of hashes of [passwords from data breaches](../guides/sign-in.md#breached-passwords), which nobody may choose.',
    unset: 'Gatehouse does not compare passwords with data breaches.',
  },
  GATEHOUSE_SMTP_URL: {
    group: 'People',
    meaning:
      'Mail server for [notifications](../guides/notifications.md). [`?tls=off`](../guides/run-it.md#emails) turns TLS off. Requires `GATEHOUSE_MAIL_FROM`.',
    must: 'be an address such as smtp://mail.example.com:587 or smtps://user:password@mail.example.com',
    unset: 'Gatehouse sends no emails.',
    secret: true,
  },
  GATEHOUSE_MAIL_FROM: {
    group: 'People',
    meaning: 'Sender of the emails. Requires `GATEHOUSE_SMTP_URL`.',
    must: 'be the sender of the emails, such as gatehouse@example.com or Gatehouse <gatehouse@example.com>',
  },
  LOG_LEVEL: {
    group: 'Log',
    meaning:
      'Least severe level of the log on standard output. The log has readable lines on a terminal, and JSON otherwise.',
    must: `be one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
