import { readJson } from '#kit/http/json.ts';
import { JsonReader, type Shape } from '#kit/http/json-reader.ts';
import { fieldsOf, RECORD_FIELDS, type RecordField } from '../../../../../protocol/src/records.ts';
import type { Records } from './record-page.ts';

export const MOST_VALUES = 3_000_000;
/** A smaller record is parsed whole, which is faster. */
const LARGE_RECORD_BYTES = 1024 * 1024;
/** One more than a list may have, so that those that are too long can be told from the others. */
const SOME_REFS = 101;
/** More than a record may have. */
const MOST_FIELDS = 10_000;

const REF: Shape = {
  fields: { id: 'scalar', name: 'scalar', via: { fields: { slug: 'scalar', id: 'scalar' } } },
};
const RELATION: Shape = { map: { list: REF, most: SOME_REFS }, most: MOST_FIELDS };
const shapeOf = ({ type }: RecordField): Shape =>
  type === 'attributes' ? { map: 'scalar', most: MOST_FIELDS } : 'scalar';
/** The fields that Gatehouse knows of records of any kind. */
const RECORD: Shape = {
  fields: {
    ...Object.fromEntries(
      Object.values(RECORD_FIELDS)
        .flatMap(fieldsOf)
        .map(([name, field]) => [name, shapeOf(field)]),
    ),
    memberships: RELATION,
    assignments: RELATION,
  },
};

/** The records of a page. Each is parsed when it is read, and again if it is read again. */
export class LargeRecords implements Records {
  readonly #bytes: Buffer;
  readonly #places: readonly [start: number, end: number][];
  readonly length: number;

  constructor(bytes: Buffer, places: readonly [start: number, end: number][], length: number) {
    this.#bytes = bytes;
    this.#places = places;
    this.length = length;
  }

  *entries(): Generator<[number, unknown]> {
    for (const [index, [start, end]] of this.#places.entries())
      yield [
        index,
        end - start < LARGE_RECORD_BYTES
          ? readJson(this.#bytes.subarray(start, end), MOST_VALUES)
          : new JsonReader(this.#bytes, start).read(RECORD),
      ];
  }
}

/** Whether the records of a body are those of a large page. */
export const isLargeRecords = (records: unknown): records is Records => records instanceof LargeRecords;
