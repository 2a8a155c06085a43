/** Encodes the password modify request of RFC 3062 (DN and new password) in BER. */
export function passwordModification(dn: string, password: string): { oid: string; value: Buffer } {
  const identity = element(0x80, Buffer.from(dn, 'utf8'));
  const fresh = element(0x82, Buffer.from(password, 'utf8'));
  return { oid: '1.3.6.1.4.1.4203.1.11.1', value: element(0x30, Buffer.concat([identity, fresh])) };
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** The form of a password in `unicodePwd` of Active Directory: quoted, in UTF-16 (MS-ADTS 3.1.1.3.1.5). */
export const quoted = (password: string): Buffer => Buffer.from(`"${password}"`, 'utf16le');
