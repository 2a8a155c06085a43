import { readLargePage } from './large-page.ts';
import { parseRecordByRecord, type RecordKind } from './record.ts';

/** Reads a large page in a worker thread. It comes back as a few texts, which are cheap to pass on. */
export function run({ slug, kind, bytes }: { slug: string; kind: RecordKind; bytes: Uint8Array }) {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return parseRecordByRecord(slug, kind, readLargePage(json));
}
