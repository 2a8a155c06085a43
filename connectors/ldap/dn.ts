import { isUtf8 } from 'node:buffer';

/**
 * Distinguished names, as RFC 4514 writes them and RFC 4518 compares them. Also reads what RFC 2253 tells parsers to accept:
 * quoted values, semicolons between names, and "OID." before numbers.
 */

/** The types that RFC 4514 has short names for. Servers return them in either form. */
const shortNames: Record<string, string> = {
  '2.5.4.3': 'cn',
  '2.5.4.4': 'sn',
  '2.5.4.6': 'c',
  '2.5.4.7': 'l',
  '2.5.4.8': 'st',
  '2.5.4.9': 'street',
  '2.5.4.10': 'o',
  '2.5.4.11': 'ou',
  '0.9.2342.19200300.100.1.1': 'uid',
  '0.9.2342.19200300.100.1.25': 'dc',
  commonname: 'cn',
  surname: 'sn',
  countryname: 'c',
  localityname: 'l',
  stateorprovincename: 'st',
  streetaddress: 'street',
  organizationname: 'o',
  organizationalunitname: 'ou',
  userid: 'uid',
  domaincomponent: 'dc',
};

const type = /\s*(?:oid\.)?([a-z][a-z0-9-]*|\d+(?:\.\d+)*)\s*=\s*/iy;
const value =
  /(?:#((?:[0-9a-f]{2})+)|"((?:[^"\\]|\\[0-9a-f]{2}|\\[^0-9a-f])*)"|((?:[^,;+"\\<>]|\\[0-9a-f]{2}|\\[^0-9a-f])*))\s*(?=[,;+]|$)/iy;
/** Tags of BER: OCTET STRING, and the strings of characters that have the same bytes in UTF-8. */
const plainStrings = new Set([0x04, 0x0c, 0x12, 0x13, 0x16]);

type Pair = { type: string; value: string };

/** Returns the relative names of a DN, the innermost first, each with its pairs. Undefined if the text is not a DN. */
export function parseDn(dn: string): Pair[][] | undefined {
  if (dn.trim() === '') return [];
  const names: Pair[][] = [[]];
  for (let at = 0; ; at++) {
    type.lastIndex = at;
    const [, key] = type.exec(dn) ?? [];
    if (key === undefined) return undefined;
    value.lastIndex = type.lastIndex;
    const found = value.exec(dn);
    if (!found) return undefined;
    names.at(-1)?.push({ type: shortNames[key.toLowerCase()] ?? key.toLowerCase(), value: prepared(found) });
    at = value.lastIndex;
    if (at === dn.length) return names;
    if (dn[at] !== '+') names.push([]);
  }
}

/** Returns the text that equal DNs have in common. A text that is not a DN equals only itself. */
export function nameOf(dn: string): string {
  const names = parseDn(dn);
  if (!names) return `?${dn.toLowerCase()}`;
  return names
    .map((pairs) =>
      pairs
        .map((pair) => `${pair.type}=${encodeURIComponent(pair.value.toWellFormed())}`)
        .sort()
        .join('+'),
    )
    .join(',');
}

/** Whether an entry is `base` or below it. */
export const isBelow = (dn: string, base: string): boolean =>
  nameOf(base) === '' || `,${nameOf(dn)}`.endsWith(`,${nameOf(base)}`);

/** Returns the domain of a DN of Active Directory, whose last parts name it: that of a child domain is below that of its parent. */
export function domainOf(dn: string): string {
  const parts = parseDn(dn) ?? [];
  const first = parts.findLastIndex(([pair]) => pair?.type.toLowerCase() !== 'dc') + 1;
  return parts
    .slice(first)
    .map(([pair]) => pair?.value)
    .join('.');
}

/** Writes the DN of an entry that is directly below another one. */
export const dnBelow = (base: string, type: string, value: string): string =>
  `${type}=${value.replace(/^[ #]| $|["+,;<>=\\\0]/g, escaped)},${base}`;

const escaped = (character: string) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Returns a value in the form in which it is compared. Values that are not text become NUL and their digits. */
function prepared([, hex, quoted, plain = '']: RegExpExecArray): string {
  const text = quoted ?? plain;
  if (hex === undefined && !text.includes('\\')) return comparable(text);
  const bytes = hex === undefined ? unescaped(text) : contentOf(Buffer.from(hex, 'hex'));
  return bytes && isUtf8(bytes)
    ? comparable(bytes.toString())
    : `\0${hex?.toLowerCase() ?? bytes?.toString('hex')}`;
}

const unescaped = (text: string): Buffer =>
  Buffer.concat(
    [...text.matchAll(/\\([0-9a-f]{2})|\\(.)|([^\\]+)/gisu)].map(([, hex, character, plain = '']) =>
      hex === undefined ? Buffer.from(character ?? plain) : Buffer.from(hex, 'hex'),
    ),
  );

/** Returns the bytes of a string that is written as its BER encoding. */
function contentOf(ber: Buffer): Buffer | undefined {
  const [tag = 0, size = 0] = ber;
  // From 0x80 on, the length is in the following bytes, as many as the rest says.
  const content = ber.subarray(size < 0x80 ? 2 : 2 + (size & 0x7f));
  return plainStrings.has(tag) ? content : undefined;
}

/** Prepares a string as caseIgnoreMatch does (RFC 4518): case, width, invisible characters and repeated spaces do not count. */
export const comparable = (text: string): string =>
  text
    .replace(/[\t-\r\u0085]/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Variation_Selector}\u1806\uFFFC]|\u034F/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\p{Z}+/gu, ' ')
    .trim();
