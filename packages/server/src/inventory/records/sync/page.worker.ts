import { readJson } from '../../../kit/http/json.ts';
import { parsePage, type RecordKind, storableOf } from './record.ts';

const MOST_VALUES = 3_000_000;

/** Reads a large page in a worker thread. It comes back as a few texts, which are cheap to pass on. */
export function run({ slug, kind, bytes }: { slug: string; kind: RecordKind; bytes: Uint8Array }) {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return storableOf(parsePage(slug, kind, readJson(json, MOST_VALUES)));
}
