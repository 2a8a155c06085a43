import { recordRefusals } from '../sentences.ts';
import type { NamedSlugs, RecordPage } from './record-page.ts';
import type { Refs } from './record-refs.ts';

/** A page as it is stored. Its lists are array literals of PostgreSQL: the driver takes three times as long to write them. */
export interface StorablePage extends NamedSlugs {
  /** JSON list of the records. */
  records: string;
  /** Number of records. */
  total: number;
  ids: string;
  digests: string;
  details: { texts: string; digests: string };
  refs: Record<keyof Refs, string>;
}

/** The most characters of a page as it is stored, where each reference repeats the slug of its resource type. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** No resource type has a longer slug. A page with one is refused, so what is written for it does not matter. */
const LONGEST_SLUG = 64;

export const storableOf = (page: RecordPage): StorablePage => {
  const columns = new PageColumns();
  columns.add(page);
  return columns.finish(page);
};

/** Collects the columns of a page as texts, so that the references of its records need not be in memory as objects at the same time. */
export class PageColumns {
  #total = 0;
  #size = 0;
  readonly #records: string[] = [];
  readonly #ids: string[] = [];
  readonly #digests: string[] = [];
  readonly #details = { texts: new OptionalColumn(), digests: new OptionalColumn() };
  readonly #refs = { records: [] as string[], types: [] as string[], ids: [] as string[] };
  readonly #optional = {
    names: new OptionalColumn(),
    viaTypes: new OptionalColumn(),
    viaIds: new OptionalColumn(),
  };

  /** Adds records of a page. Throws 413 if the page is too large to be stored. */
  add({ ids, records, digests, details, refs }: RecordPage) {
    const known = refs.types.some((type) => type.length > LONGEST_SLUG)
      ? refs.types.map((type) => (type.length > LONGEST_SLUG ? '' : type))
      : refs.types;
    this.#total += ids.length;
    this.#append(this.#records, records.slice(1, -1));
    this.#append(this.#ids, elementsOf(ids));
    this.#append(this.#digests, digests.join(','));
    this.#append(this.#refs.records, refs.records.join(','));
    this.#append(this.#refs.types, elementsOf(known));
    this.#append(this.#refs.ids, elementsOf(refs.ids));
    if (digests.length > 0 && details.texts.length === 0) {
      this.#details.texts.skip(ids.length);
      this.#details.digests.skip(ids.length);
    } else {
      this.#size += this.#details.texts.add(details.texts, elementsOf(details.texts));
      this.#size += this.#details.digests.add(
        details.digests,
        details.digests.map((digest) => digest ?? 'NULL').join(','),
      );
    }
    for (const name of ['names', 'viaTypes', 'viaIds'] as const)
      this.#size += this.#optional[name].addList(refs[name]);
    if (this.#size > MOST_CHARACTERS) throw recordRefusals.page_too_large_to_store();
  }

  finish({ membershipSlugs, assignmentSlugs, viaSlugs }: NamedSlugs): StorablePage {
    return {
      membershipSlugs,
      assignmentSlugs,
      viaSlugs,
      total: this.#total,
      records: `[${this.#records.join(',')}]`,
      ids: literalOf(this.#ids),
      digests: literalOf(this.#digests),
      details: { texts: this.#details.texts.literal(), digests: this.#details.digests.literal() },
      refs: {
        records: literalOf(this.#refs.records),
        types: literalOf(this.#refs.types),
        ids: literalOf(this.#refs.ids),
        names: this.#optional.names.literal(),
        viaTypes: this.#optional.viaTypes.literal(),
        viaIds: this.#optional.viaIds.literal(),
      },
    };
  }

  #append(pieces: string[], piece: string) {
    if (piece === '') return;
    pieces.push(piece);
    this.#size += piece.length;
  }
}

/** Most pages name no giver, and no name of a group: a column without any value is empty. */
class OptionalColumn {
  #missing = 0;
  #pieces: string[] | undefined;

  skip(count: number) {
    if (this.#pieces === undefined) this.#missing += count;
    else if (count > 0) this.#pieces.push(nulls(count));
  }

  addList(list: (string | null)[]): number {
    return list.every((text) => text === null) ? this.add(list, '') : this.add(list, elementsOf(list));
  }

  /** Adds a list with its elements as text. Returns the number of characters that it takes. */
  add(list: (string | null)[], elements: string): number {
    if (list.every((text) => text === null)) {
      this.skip(list.length);
      return 0;
    }
    this.#pieces ??= this.#missing === 0 ? [] : [nulls(this.#missing)];
    this.#pieces.push(elements);
    return elements.length;
  }

  literal = () => literalOf(this.#pieces ?? []);
}

const nulls = (count: number) => 'NULL,'.repeat(count).slice(0, -1);

const literalOf = (pieces: string[]) => `{${pieces.join(',')}}`;

/** Looks for characters to escape once for the whole list, and joins a plain one without a text for each element. */
function elementsOf(list: (string | null)[]): string {
  if (list.length === 0) return '';
  const isPlain = !/["\\]/.test(list.join(''));
  if (isPlain && !list.includes(null)) return `"${list.join('","')}"`;
  const quoted = list.map((text) =>
    text === null ? 'NULL' : isPlain ? `"${text}"` : `"${text.replaceAll(/["\\]/g, '\\$&')}"`,
  );
  return quoted.join(',');
}
