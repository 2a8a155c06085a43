import { isIP } from 'node:net';

/**
 * One spelling for each address, so that equal ones compare equal: IPv4 inside IPv6 as IPv4, IPv6 as RFC 5952
 * writes it. Text that is no address stays as it is.
 */
export function canonicalIp(text: string): string {
  if (isIP(text) !== 6) return text;
  const zone = text.indexOf('%');
  if (zone !== -1) return text.toLowerCase();
  const address = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
  if (mapped === null) return address;
  const bytes = Buffer.from(`${mapped[1]?.padStart(4, '0')}${mapped[2]?.padStart(4, '0')}`, 'hex');
  return bytes.join('.');
}
