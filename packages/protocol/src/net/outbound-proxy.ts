import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** The proxy for outgoing requests: the settings GATEHOUSE_PROXY and GATEHOUSE_NO_PROXY. */

export interface OutboundProxy {
  /** Without credentials. */
  url: URL;
  /** The header Proxy-Authorization, if the proxy needs one. */
  authorization: string | undefined;
  /** The proxy, with its credentials, for libraries that make tunnels of their own. */
  href: string;
  bypassed: readonly Bypass[];
}

/** Hosts that are reached without the proxy. */
export type Bypass = { port: number | undefined } & (
  | { kind: 'all' }
  | { kind: 'name'; name: string; isItself: boolean }
  | { kind: 'network'; address: string; bits: number; version: 4 | 6; list: BlockList }
);

export const PROXY_RULE =
  'be the address of an HTTP proxy, such as http://proxy.example.com:3128 or https://user:password@proxy.example.com';

export const NO_PROXY_RULE =
  'be a comma-separated list of host names, suffixes, addresses and networks, such as app.internal,.example.com,10.0.0.0/8,[fd00::1]:8443, or *';

/** An invalid setting. The message names the variable, and never its password. */
export class ProxySettingError extends Error {}

/** Reads the two settings. Returns undefined without a proxy. Throws ProxySettingError. */
export function readProxy(env: Readonly<Record<string, string | undefined>>): OutboundProxy | undefined {
  const bypassed = readBypassed(env.GATEHOUSE_NO_PROXY ?? '');
  const text = env.GATEHOUSE_PROXY ?? '';
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const credentials = url && credentialsOf(url);
  if (
    url === undefined ||
    credentials === undefined ||
    !/^https?:$/.test(url.protocol) ||
    !/^\/?$/.test(url.pathname) ||
    url.search + url.hash !== ''
  )
    throw new ProxySettingError(
      `GATEHOUSE_PROXY must ${PROXY_RULE}. Encode special characters of the password as in %40.`,
    );
  const { href } = url;
  url.username = '';
  url.password = '';
  const authorization =
    credentials === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { url, authorization, href, bypassed };
}

/** Returns `user:password`, an empty text without both, or undefined if they are not encoded correctly. */
function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return '';
  try {
    const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    // A colon in the user name would end it (RFC 7617).
    return user.includes(':') ? undefined : `${user}:${secret}`;
  } catch {
    return undefined;
  }
}

const readBypassed = (text: string): Bypass[] =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(readBypass);

function readBypass(text: string): Bypass {
  const [, bracketed, plain, given] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  // An IPv6 address without brackets has no port.
  const host = bracketed ?? plain ?? text;
  const port = given === undefined ? undefined : Number(given);
  const found = host === '*' ? { kind: 'all' as const } : (networkOf(host) ?? nameOf(host));
  if (found === undefined || (port !== undefined && (port < 1 || port > 65_535)))
    throw new ProxySettingError(
      `GATEHOUSE_NO_PROXY must ${NO_PROXY_RULE}. "${text.slice(0, 100).replace(/\/\/[^@]*@/, '//')}" is none of them.`,
    );
  return { ...found, port };
}

function networkOf(text: string) {
  const [, address = '', given] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version !== 4 && version !== 6) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = given === undefined ? most : Number(given);
  if (bits > most) return undefined;
  const list = new BlockList();
  list.addSubnet(address, bits, `ipv${version}`);
  return { kind: 'network' as const, address, bits, version: version as 4 | 6, list };
}

function nameOf(text: string) {
  const [, start, rest = ''] = /^(\*?\.)?(.+?)\.?$/.exec(text) ?? [];
  const name = /^[\p{L}\p{N}_.-]+$/u.test(rest)
    ? domainToASCII(rest).toLowerCase() || rest.toLowerCase()
    : '';
  if (name === '' || isIP(name) !== 0 || /^\.|\.\.|^\d+(\.\d+)*$/.test(name)) return undefined;
  return { kind: 'name' as const, name, isItself: start !== '*.' };
}

export const withoutBrackets = (host: string) =>
  host
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
    .replace(/\.$/, '');

/** This machine is never behind a proxy. */
const isThisMachine = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Returns the port of an address, also where it is the usual one. */
export const portOf = ({ protocol, port }: { protocol: string; port: string }): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** Returns whether requests to the host go through the proxy. Names are compared as they are written. */
export function usesProxy({ bypassed }: OutboundProxy, hostname: string, port: number): boolean {
  const host = withoutBrackets(hostname);
  return !isThisMachine(host) && !bypassed.some((one) => matches(one, host, port));
}

function matches(bypass: Bypass, host: string, port: number): boolean {
  if (bypass.port !== undefined && bypass.port !== port) return false;
  const version = isIP(host);
  switch (bypass.kind) {
    case 'all':
      return true;
    case 'network':
      return version === bypass.version && bypass.list.check(host, `ipv${version as 4 | 6}`);
    case 'name':
      return (bypass.isItself && host === bypass.name) || (version === 0 && host.endsWith(`.${bypass.name}`));
  }
}
