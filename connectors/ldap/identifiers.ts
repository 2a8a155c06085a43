/** Writes an objectGUID as text. The first three groups are little-endian (MS-DTYP 2.3.4.2). */
export function guidText(guid: Buffer): string {
  const part = (from: number, to: number) => Buffer.from(guid.subarray(from, to));
  const reversed = [part(0, 4), part(4, 6), part(6, 8)].map((each) => each.reverse());
  return [...reversed, part(8, 10), part(10, 16)].map((each) => each.toString('hex')).join('-');
}

/** Returns the bytes of a GUID for a filter, or undefined if the text is not a GUID. */
export function guidBytes(text: string): Buffer | undefined {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return undefined;
  return Buffer.concat(
    text.split('-').map((part, n) => {
      const bytes = Buffer.from(part, 'hex');
      return n < 3 ? bytes.reverse() : bytes;
    }),
  );
}

/** Returns the SID of a group in the domain of an account: the account's SID with another relative id at its end. */
export function siblingSid(sid: Buffer, relativeId: number): Buffer {
  const sibling = Buffer.from(sid);
  sibling.writeUInt32LE(relativeId, sibling.length - 4);
  return sibling;
}

/** Returns the last part of a SID, which tells apart the accounts of a domain, or NaN. */
export const relativeIdOf = (sid: Buffer | undefined): number =>
  sid === undefined ? Number.NaN : sid.readUInt32LE(sid.length - 4);
