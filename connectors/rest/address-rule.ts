import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/**
 * Decides which addresses a connector may connect to. This is the one place that every connection passes, also that for a
 * token. A connector that its administrator runs may call any address. A service that runs other people's definitions sets
 * `GATEHOUSE_CONNECTOR_ALLOW_PRIVATE=false`, which refuses private, loopback and link-local addresses. The rule checks the
 * address that a name resolves to, and the connection uses that same address, so the name cannot change in between.
 */
export type AddressRule = {
  /** Throws if the host of a URL is a forbidden address. */
  check(url: URL): void;
  /** Resolves names for a connection. Undefined if every address is allowed. */
  lookup: LookupFunction | undefined;
  /** Throws if the name of a URL has a forbidden address. A name that does not resolve here passes. */
  checkName(url: URL): Promise<void>;
};

export function addressRule(env: Readonly<Record<string, string | undefined>> = process.env): AddressRule {
  const allowed = env.GATEHOUSE_CONNECTOR_ALLOW_PRIVATE ?? 'true';
  if (allowed !== 'false' && allowed !== '0')
    return { check: () => {}, lookup: undefined, checkName: async () => {} };
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      if (!error && addresses.some(isPrivate))
        callback(Object.assign(new Error(refusal(hostname)), { code: 'EACCES' }), '', 4);
      else callback(error, found, family);
    });
  };
  return {
    check: (url) => {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) && isPrivate(host)) throw new Error(refusal(host));
    },
    lookup,
    checkName: ({ hostname }) =>
      new Promise((done, refuse) => {
        lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }, (error) =>
          error?.code === 'EACCES' ? refuse(error) : done(),
        );
      }),
  };
}

const refusal = (host: string) =>
  `${host} is a private address, which the operator does not allow (GATEHOUSE_CONNECTOR_ALLOW_PRIVATE)`;

const privateAddresses = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateAddresses.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  privateAddresses.addSubnet(network, bits, 'ipv6');

/** An IPv6 address that wraps an IPv4 address counts as that address: `BlockList` unwraps it. */
function isPrivate(address: string): boolean {
  return privateAddresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
