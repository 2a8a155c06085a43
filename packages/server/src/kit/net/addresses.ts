import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { outboundSentences } from '../http/outbound-sentences.ts';
import type { Sentence } from '../sentences.ts';
import { resolveName } from './names.ts';

/**
 * The addresses to which the server connects: public ones, those that the operator allows, and this machine while developing
 * (D49). Connections go to the address that was checked, so a name cannot resolve differently in between.
 */

/** Thrown instead of sending a request, and instead of returning a response, that the rules forbid. */
export class OutboundRefusal extends Error {
  readonly sentence: Sentence;

  constructor(sentence: Sentence) {
    super(sentence.text);
    this.sentence = sentence;
  }
}

export interface AddressRules {
  protocol: string;
  /** This machine, under one of its own names. */
  allowLoopback: boolean;
  /** Exceptions in place of the operator's. */
  permitted?: BlockList;
}

/** The platform address of Azure, which serves metadata although it looks public. */
const AZURE_METADATA = '168.63.129.16';
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[?::1\]?)$/;

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/** The operator's exceptions. Set at startup. */
let permitted = new BlockList();

/** Splits an address, or a network such as 10.0.0.0/8. Returns undefined if the text is neither. */
export function parseNetwork(text: string): { address: string; version: 4 | 6; bits: number } | undefined {
  const [, address = '', given] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version !== 4 && version !== 6) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = given === undefined ? most : Number(given);
  return bits > most ? undefined : { address, version, bits };
}

/** Permits requests to these addresses and networks, also by plain http. Replaces the earlier exceptions. */
export function permitAddresses(networks: readonly string[]) {
  permitted = networkList(networks);
}

/** Throws for a text that is neither an address nor a network. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const parsed = parseNetwork(network);
    if (parsed === undefined) throw new Error(`${network} is not a network.`);
    list.addSubnet(parsed.address, parsed.bits, `ipv${parsed.version}`);
  }
  return list;
}

const isIn = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Whether the address is one of the public internet. Of IPv6, only the global unicast range counts: forms that embed an IPv4
 * address (mapped, NAT64, 6to4, Teredo) could lead to a private one.
 */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_IPV6) : address !== AZURE_METADATA;
}

/** Returns a sentence if the rules forbid a connection to this address of the host. */
function refusalOf(
  host: string,
  address: string,
  { protocol, allowLoopback, permitted: own }: AddressRules,
): Sentence | undefined {
  if (isIn(own ?? permitted, address)) return undefined;
  if (allowLoopback && isLoopback(host) && ipaddr.parse(address).range() === 'loopback') return undefined;
  if (!isPublic(address)) return outboundSentences.address_not_public({ host, address });
  return protocol === 'https:' ? undefined : withoutHttps(host);
}

const withoutHttps = (host: string) => outboundSentences.host_without_https({ host });

/** Throws OutboundRefusal if the host of an address is an IP address that the rules forbid. */
export function checkLiteral(host: string, rules: AddressRules) {
  const address = host.replace(/^\[|\]$/g, '');
  const refusal = isIP(address) === 0 ? undefined : refusalOf(host, address, rules);
  if (refusal !== undefined) throw new OutboundRefusal(refusal);
}

/** Resolves names for connections, and fails with OutboundRefusal if one of their addresses is forbidden. */
export const checkedLookup =
  (rules: AddressRules): LookupFunction =>
  (hostname, { all }, done) => {
    resolveChecked(hostname, rules).then(
      (found) => (all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)),
      (error: Error) => done(error, []),
    );
  };

/** The time for a name that only the proxy may know. */
const PROXIED_NAME_MS = 2000;

/**
 * Returns the addresses of a host that is reached through the proxy, which resolves the name again. A name that does not resolve
 * here has none: the operator of the proxy is responsible for where it leads (D84). Throws OutboundRefusal.
 */
export async function checkProxied(hostname: string, rules: AddressRules): Promise<LookupAddress[]> {
  checkLiteral(hostname, rules);
  const name = hostname.replace(/^\[|\]$/g, '');
  const found = await resolveChecked(name, rules, PROXIED_NAME_MS).catch((error: unknown) => {
    if (error instanceof OutboundRefusal) throw error;
    return [];
  });
  // Plain http could show what is behind a name that nobody has checked.
  if (found.length === 0 && rules.protocol !== 'https:') throw new OutboundRefusal(withoutHttps(hostname));
  return found;
}

/** Throws OutboundRefusal if the rules forbid one of the addresses of the name. */
export async function resolveChecked(
  hostname: string,
  rules: AddressRules,
  deadlineMs?: number,
): Promise<LookupAddress[]> {
  const found = await resolveName(hostname, deadlineMs);
  const refusal = found.map(({ address }) => refusalOf(hostname, address, rules)).find(Boolean);
  if (refusal !== undefined) throw new OutboundRefusal(refusal);
  return found;
}
