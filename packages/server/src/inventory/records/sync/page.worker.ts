import { readLargePage } from './large-page.ts';
import { parseRecordByRecord, type RecordKind } from './record.ts';

/** Reads a large page in a worker thread. It comes back as a few texts, which are cheap to pass on. */
export function run({ slug, kind, blocks }: { slug: string; kind: RecordKind; blocks: Uint8Array[] }) {
  const json = Buffer.concat(blocks);
  // Their memory is needed no longer.
  blocks.length = 0;
  return parseRecordByRecord(slug, kind, readLargePage(json));
}
