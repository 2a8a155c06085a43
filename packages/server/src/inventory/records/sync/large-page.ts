import { checkText } from '#kit/http/json.ts';
import { JsonReader } from '#kit/http/json-reader.ts';
import { LargeRecords, MOST_VALUES } from './large-records.ts';

/** One more than a page may have. */
const SOME_RECORDS = 101;

/**
 * Returns the body of a large page. It is checked as a whole, but its records are parsed one by one as they are read, so that they never
 * take more memory than the largest of them. Unknown fields of a large record take none.
 */
export function readLargePage(bytes: Buffer): unknown {
  checkText(bytes, MOST_VALUES);
  const reader = new JsonReader(bytes);
  if (!reader.isObject()) {
    const body = reader.read('scalar');
    reader.end();
    return body;
  }
  let records: unknown;
  reader.object((name) => {
    if (name !== 'records') reader.skip();
    else records = reader.isList() ? recordsIn(bytes, reader) : reader.read('scalar');
  });
  reader.end();
  return { records };
}

function recordsIn(bytes: Buffer, reader: JsonReader): LargeRecords {
  const places: [start: number, end: number][] = [];
  const length = reader.list((index) => {
    const start = reader.at;
    reader.skip();
    if (index < SOME_RECORDS) places.push([start, reader.at]);
  });
  return new LargeRecords(bytes, places, length);
}
