import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns one spelling for each address, so that equal addresses compare equal: an IPv4 address inside IPv6 as IPv4,
 * other IPv6 addresses as in RFC 5952. Other text stays as it is.
 */
export const canonicalIp = (text: string): string => (isIPv6(text) ? ipaddr.process(text).toString() : text);
