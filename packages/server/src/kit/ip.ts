import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns one spelling for each address, so that equal addresses compare equal: an IPv4 address inside IPv6 as IPv4,
 * other IPv6 addresses as in RFC 5952. Other text stays as it is.
 */
export const canonicalIp = (text: string): string => (isIPv6(text) ? ipaddr.process(text).toString() : text);

/**
 * Returns the addresses that one caller can choose from, for limits: an IPv4 address, or the /64 network of an IPv6
 * address, since a single machine usually has a whole /64.
 */
export function networkOf(text: string): string {
  if (!isIPv6(text)) return text;
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}
