import { isIP, isIPv6 } from 'node:net';
import { isWellFormed, looksGenerated } from '#directory/access/key-format.ts';
import type { MailSettings } from '#insight/notifications/email/mailer.ts';
import type { SyncQuotas } from '#inventory/records/sync/quota.ts';
import { StartError } from '#kit/errors.ts';
import type { TrustProxy } from '#kit/http/proxies.ts';
import { parseNetwork } from '#kit/net/addresses.ts';
import { parseSecretKey, type SecretKey } from '#kit/secrets/secret-key.ts';
import {
  LOG_LEVELS,
  MOST_CONNECTOR_RUNS,
  MOST_PROXIES,
  SETTINGS,
  type Setting,
  type SettingName,
} from '#settings.ts';
import { LEVELS, type Level } from '#work/connectors/isolation.ts';
import { type OutboundProxy, ProxySettingError, readProxy } from '../../protocol/src/net/outbound-proxy.ts';

/** The settings from the environment (D40). They are read once, at startup, and never change. */
export interface Config {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Undefined: an embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A streaming replica of that database. Undefined: all requests read from the primary. */
  readonly databaseReadUrl: string | undefined;
  readonly dataDir: string;
  /** Encrypts the secrets in the database. Undefined: the key in the file in `dataDir`. */
  readonly secretKey: SecretKey | undefined;
  /** Earlier keys, which are needed until `gatehouse-server secrets rotate` has run. */
  readonly oldSecretKeys: readonly SecretKey[];
  readonly org: string;
  /** These three are used on the first start only. */
  readonly apiKey: string | undefined;
  readonly adminEmail: string | undefined;
  readonly adminPassword: string | undefined;
  /** Undefined: the origin that each request names. */
  readonly publicUrl: string | undefined;
  readonly trustProxy: TrustProxy;
  /** Addresses and networks to which requests may go although they are not public (D49). */
  readonly allowPrivateAddresses: readonly string[];
  /** The proxy for outgoing requests (D84). Undefined: requests go to their hosts directly. */
  readonly proxy: OutboundProxy | undefined;
  readonly rateLimits: RateLimits;
  /** The most that one organization may store in pages that are not published yet. */
  readonly syncQuotas: SyncQuotas;
  /** Seconds before each retry of a failed task, one number per retry (D30). */
  readonly taskRetries: readonly number[];
  /** Days after which an undecided request expires. */
  readonly requestExpiryDays: number;
  /** Hours without a request after which a session ends. */
  readonly sessionHours: number;
  /** A file or folder of hashes of passwords that nobody may choose. Undefined: no such check. */
  readonly breachedPasswords: string | undefined;
  /** The mail server for notifications. Undefined: no emails. */
  readonly mail: MailSettings | undefined;
  /** How many connectors this process runs at the same time. 0: none. */
  readonly connectorRuns: number;
  /** The weakest isolation of connectors with which this process starts. */
  readonly connectorIsolation: Level;
  readonly logLevel: string;
}

/** Requests per minute: events per API key, read per client address (D11). Null means unlimited. */
export interface RateLimits {
  readonly events: number | null;
  readonly read: number | null;
}

/** A setting that stops startup. Its message tells the operator what to change. */
export class ConfigError extends StartError {}

/** The text of a setting, which is there if the setting has a default. */
type Text<Name extends SettingName> = (typeof SETTINGS)[Name] extends { default: string }
  ? string
  : string | undefined;

/** Reads the settings. Throws ConfigError for the first invalid variable. An empty variable counts as unset. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const get = <Name extends SettingName>(name: Name) => {
    const { default: byDefault }: Setting = SETTINGS[name];
    return (environment[name] || byDefault) as Text<Name>;
  };
  return Object.freeze({
    port: port(get('PORT')),
    host: host(get('HOST')),
    databaseUrl: databaseUrl(get('DATABASE_URL')),
    databaseReadUrl: databaseReadUrl(get('DATABASE_READ_URL'), get('DATABASE_URL')),
    dataDir: get('GATEHOUSE_DATA_DIR'),
    secretKey: secretKey(get('GATEHOUSE_SECRET_KEY'), get('DATABASE_URL')),
    oldSecretKeys: oldSecretKeys(get('GATEHOUSE_SECRET_KEY_OLD')),
    org: org(get('GATEHOUSE_ORG')),
    apiKey: apiKey(get('GATEHOUSE_API_KEY')),
    adminEmail: adminEmail(get('GATEHOUSE_ADMIN_EMAIL')),
    adminPassword: adminPassword(get('GATEHOUSE_ADMIN_PASSWORD')),
    publicUrl: publicUrl(get('GATEHOUSE_PUBLIC_URL')),
    trustProxy: trustProxy(get('GATEHOUSE_TRUST_PROXY')),
    allowPrivateAddresses: allowPrivateAddresses(get('GATEHOUSE_ALLOW_PRIVATE_ADDRESSES')),
    proxy: proxy(get('GATEHOUSE_PROXY'), get('GATEHOUSE_NO_PROXY')),
    rateLimits: rateLimits(get('GATEHOUSE_RATE_LIMITS')),
    syncQuotas: syncQuotas(get('GATEHOUSE_SYNC_QUOTAS')),
    taskRetries: taskRetries(get('GATEHOUSE_TASK_RETRIES')),
    requestExpiryDays: requestExpiryDays(get('GATEHOUSE_REQUEST_EXPIRY_DAYS')),
    sessionHours: sessionHours(get('GATEHOUSE_SESSION_HOURS')),
    breachedPasswords: get('GATEHOUSE_BREACHED_PASSWORDS'),
    mail: mail(get('GATEHOUSE_SMTP_URL'), get('GATEHOUSE_MAIL_FROM')),
    connectorRuns: connectorRuns(get('GATEHOUSE_CONNECTOR_RUNS')),
    connectorIsolation: connectorIsolation(get('GATEHOUSE_CONNECTOR_ISOLATION')),
    logLevel: logLevel(get('LOG_LEVEL')),
  });
}

/** Refuses a value with the rule of its setting. `more` follows the rule. */
const wrong = (name: SettingName, more = '.') => {
  const { must }: Setting = SETTINGS[name];
  return new ConfigError(`${name} must ${must}${more}`);
};

function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535) throw wrong('PORT', `, not "${text}".`);
  return number;
}

/** An address of IPv6 may have brackets, as in the address of a page. */
function host(text: string): string {
  const bare = /^\[(.+)\]$/.exec(text)?.[1];
  if (bare === undefined ? isIP(text) !== 0 || /^[\w.-]+$/.test(text) : isIPv6(bare)) return bare ?? text;
  throw wrong('HOST', `, not "${text}". The port is in PORT.`);
}

function databaseUrl(text: string | undefined) {
  if (text !== undefined && !/^postgres(ql)?:\/\//.test(text))
    throw wrong('DATABASE_URL', '. Leave it empty to use the embedded database.');
  return text;
}

function databaseReadUrl(text: string | undefined, url: string | undefined) {
  if (text === undefined) return text;
  if (url === undefined) {
    throw new ConfigError(
      'DATABASE_READ_URL requires DATABASE_URL: the embedded database has no replicas. Set both, or leave DATABASE_READ_URL empty.',
    );
  }
  if (!/^postgres(ql)?:\/\//.test(text))
    throw wrong('DATABASE_READ_URL', '. Leave it empty to read from the primary only.');
  return text;
}

const MAKE_A_KEY =
  'Make one with "openssl rand -base64 32" and keep it outside the database and its backups.';

/** The message never contains the value. */
function secretKey(text: string | undefined, url: string | undefined): SecretKey | undefined {
  if (text === undefined) {
    if (url === undefined) return undefined;
    throw new ConfigError(
      `GATEHOUSE_SECRET_KEY is required with DATABASE_URL: it encrypts the secrets in the database. ${MAKE_A_KEY}`,
    );
  }
  const key = parseSecretKey(text);
  if (key === undefined) throw wrong('GATEHOUSE_SECRET_KEY', `. ${MAKE_A_KEY}`);
  return key;
}

function oldSecretKeys(text = ''): SecretKey[] {
  if (text === '') return [];
  return text.split(',').map((part, i) => {
    const key = parseSecretKey(part);
    if (key === undefined) throw wrong('GATEHOUSE_SECRET_KEY_OLD', `. Key ${i + 1} is not.`);
    return key;
  });
}

function org(text: string) {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) throw wrong('GATEHOUSE_ORG', `. It is "${text}".`);
  return text;
}

function apiKey(text: string | undefined) {
  if (text === undefined) return text;
  if (text.length < 32 || !/^[\x21-\x7e]+$/.test(text)) throw wrong('GATEHOUSE_API_KEY');
  if (looksGenerated(text) && !isWellFormed(text)) {
    throw new ConfigError(
      'GATEHOUSE_API_KEY looks like a mistyped Gatehouse key: its checksum is wrong. Copy the key again.',
    );
  }
  return text;
}

/** Whether a text is an email address with which better-auth lets people sign in. They are within ASCII. */
export const isAsciiEmail = (text: string) => /^[\w'+.-]+@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i.test(text);

function adminEmail(text: string | undefined) {
  if (text !== undefined && !isAsciiEmail(text)) throw wrong('GATEHOUSE_ADMIN_EMAIL');
  return text;
}

function adminPassword(text: string | undefined) {
  if (text !== undefined && text.length < 12) throw wrong('GATEHOUSE_ADMIN_PASSWORD');
  return text;
}

function publicUrl(text: string | undefined) {
  if (text === undefined) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw wrong('GATEHOUSE_PUBLIC_URL');
  return url.origin;
}

/** `false`, the number of proxies, or a comma-separated list of their addresses and networks (D53). */
function trustProxy(text: string): TrustProxy {
  if (text === 'false') return false;
  if (text === 'true')
    throw new ConfigError(
      'GATEHOUSE_TRUST_PROXY=true would let every caller choose their own IP address. Set the number of proxies in front of Gatehouse, such as 1, or their addresses and networks, such as 10.0.0.0/8,::1.',
    );
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_PROXIES) return Number(text);
  const proxies = text.split(',').map((part) => part.trim());
  if (!proxies.every(isProxy)) throw wrong('GATEHOUSE_TRUST_PROXY');
  return proxies;
}

/** An address, a network, or Fastify's name for some networks. */
const isProxy = (text: string) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) || parseNetwork(text) !== undefined;

function allowPrivateAddresses(text = ''): string[] {
  if (text === '') return [];
  const networks = text.split(',').map((part) => part.trim());
  if (networks.some((network) => parseNetwork(network) === undefined))
    throw wrong('GATEHOUSE_ALLOW_PRIVATE_ADDRESSES');
  return networks;
}

function proxy(url: string | undefined, bypassed: string | undefined): OutboundProxy | undefined {
  try {
    return readProxy({ GATEHOUSE_PROXY: url, GATEHOUSE_NO_PROXY: bypassed });
  } catch (error) {
    throw error instanceof ProxySettingError ? new ConfigError(error.message) : error;
  }
}

function connectorRuns(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) > MOST_CONNECTOR_RUNS)
    throw wrong('GATEHOUSE_CONNECTOR_RUNS', `, not "${text}".`);
  return Number(text);
}

function connectorIsolation(text: string): Level {
  const level = LEVELS.find((one) => one === text);
  if (level === undefined) throw wrong('GATEHOUSE_CONNECTOR_ISOLATION', `. It is "${text}".`);
  return level;
}

function rateLimits(text: string): RateLimits {
  if (text === 'off') return { events: null, read: null };
  const limits: Record<string, number | null> = { events: 60, read: 300 };
  if (text === 'on') return { events: 60, read: 300 };
  for (const part of text.split(',')) {
    const [, name, number] = /^\s*(events|read)=(\d+)\s*$/.exec(part) ?? [];
    if (name === undefined || Number(number) < 1) throw wrong('GATEHOUSE_RATE_LIMITS');
    limits[name] = Number(number);
  }
  return { events: limits.events ?? null, read: limits.read ?? null };
}

function syncQuotas(text: string): SyncQuotas {
  const quotas: SyncQuotas = { pages: null, megabytes: null };
  if (text === 'off') return quotas;
  for (const part of text.split(',')) {
    const [, name, number] = /^\s*(pages|megabytes)=(\d{1,12})\s*$/.exec(part) ?? [];
    if (name === undefined || Number(number) < 1) throw wrong('GATEHOUSE_SYNC_QUOTAS');
    quotas[name as keyof SyncQuotas] = Number(number);
  }
  return quotas;
}

function taskRetries(text: string): number[] {
  if (text === 'off') return [];
  const seconds = text.split(',').map((part) => (/^\s*\d{1,7}\s*$/.test(part) ? Number(part) : Number.NaN));
  if (seconds.some(Number.isNaN)) throw wrong('GATEHOUSE_TASK_RETRIES');
  return seconds;
}

function requestExpiryDays(text: string): number {
  const days = Number(text);
  if (!/^\d{1,4}$/.test(text) || days < 1) throw wrong('GATEHOUSE_REQUEST_EXPIRY_DAYS', `, not "${text}".`);
  return days;
}

/** 168 hours at most: a session ends after a week in any case. */
function sessionHours(text: string): number {
  const hours = Number(text);
  if (!/^\d{1,3}$/.test(text) || hours < 1 || hours > 168)
    throw wrong('GATEHOUSE_SESSION_HOURS', `, not "${text}".`);
  return hours;
}

/** The message never contains the address, which can hold a password. */
function mail(text: string | undefined, from: string | undefined): MailSettings | undefined {
  if (text === undefined) {
    if (from === undefined) return undefined;
    throw new ConfigError('GATEHOUSE_MAIL_FROM requires GATEHOUSE_SMTP_URL. Set both, or neither.');
  }
  if (!isMailServer(text))
    throw wrong('GATEHOUSE_SMTP_URL', '. Encode special characters of the password as in %40.');
  requireSafeMail(new URL(text));
  if (from === undefined)
    throw new ConfigError('GATEHOUSE_SMTP_URL requires GATEHOUSE_MAIL_FROM. Set both, or neither.');
  const [, named, plain] = /^[^<>"\p{Cc}]*<([^<>]+)>$|^(\S+)$/u.exec(from) ?? [];
  if (!isAsciiEmail(named ?? plain ?? '')) throw wrong('GATEHOUSE_MAIL_FROM');
  return { url: text, from };
}

function isMailServer(text: string): boolean {
  try {
    const { protocol, hostname, username, password, pathname, hash } = new URL(text);
    decodeURIComponent(username + password);
    const isOnlyServer = /^\/?$/.test(pathname) && hash === '';
    return /^smtps?:$/.test(protocol) && hostname !== '' && isOnlyServer;
  } catch {
    return false;
  }
}

/** The only parameter is `tls=off`, and without TLS nothing secret may be sent. */
function requireSafeMail({ protocol, username, password, search, searchParams }: URL) {
  if (search === '') return;
  const unknown = [...searchParams.keys()].filter((name) => name !== 'tls');
  if (unknown.length > 0 || searchParams.getAll('tls').join() !== 'off')
    throw new ConfigError(
      'GATEHOUSE_SMTP_URL can have one parameter, ?tls=off, which turns TLS off. Remove the others.',
    );
  if (protocol === 'smtps:')
    throw new ConfigError(
      'GATEHOUSE_SMTP_URL with ?tls=off must start with smtp://, since smtps:// always uses TLS. Change one of them.',
    );
  if (username !== '' || password !== '')
    throw new ConfigError(
      'GATEHOUSE_SMTP_URL with ?tls=off would send the user and the password in plain text. Remove ?tls=off, or remove the user and the password.',
    );
}

function logLevel(text: string) {
  if (!LOG_LEVELS.includes(text)) throw wrong('LOG_LEVEL', `. It is "${text}".`);
  return text;
}
