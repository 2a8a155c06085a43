import { readJson } from '../platform/http/json.ts';
import { literalsOf, parsePage, type RecordKind } from './record.ts';

const MOST_VALUES = 3_000_000;

/** Reads a large page in a worker thread. Its references come back as four texts, which are cheap to pass on. */
export function run({ slug, kind, bytes }: { slug: string; kind: RecordKind; bytes: Uint8Array }) {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const page = parsePage(slug, kind, readJson(json, MOST_VALUES));
  return { ...page, refs: literalsOf(page.refs) };
}
