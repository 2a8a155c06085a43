import { choose } from './candidates.ts';
import { itemsOf, type ListContext, type Page, type TypeEntry } from './define.ts';
import { Failure } from './errors.ts';
import type { Progress } from './progress.ts';
import { type AnyRecord, pageSize, problemsOf, refsOf, type Slugs } from './records.ts';
import type { State } from './state.ts';

/** Records ready to be pushed. `token` is set if the listing can resume after them. */
export type Batch = { records: AnyRecord[]; token: string | undefined };

/** Records that exist but cannot be pushed. A single one prevents the completion of the session. */
export type Problems = {
  count: number;
  first?: string;
  report(slug: string, id: string, why: string): void;
};

export const LISTED_TWICE = 'its id was already listed';

const maxShown = 20;
const maxSkipped = 1000;

export function countProblems(progress: Progress, already = 0): Problems {
  return {
    count: already,
    report(slug, id, why) {
      this.count++;
      this.first ??= `${slug} '${id}': ${why}`;
      if (this.count <= maxShown) progress.warn(`skipped ${slug} '${id}': ${why}`);
      if (this.count === maxShown) progress.warn('further skipped records are only counted');
      if (this.count > maxSkipped)
        throw new Failure(
          `more than ${maxSkipped} records were skipped; the last one: ${slug} '${id}': ${why}`,
        );
    },
  };
}

export type Reading = {
  entry: TypeEntry;
  system: unknown;
  slugs: Slugs;
  state: State;
  problems: Problems;
  progress: Progress;
  signal: AbortSignal;
  from: string | undefined;
  /** Takes the id of a record that occurs twice in a batch. The batch has the first one. */
  repeat(id: string): void;
  /** Takes what the listing reports about itself. */
  report: Pick<ListContext, 'unseen' | 'mayShift'>;
};

/**
 * Reads one listing of a connector in batches of at most 100 records. Skips records that are invalid (protocol 2.5), or
 * refer to an unknown group or license. Rethrows errors of the listing, so that the caller abandons the session.
 */
export async function* readList(reading: Reading): AsyncGenerator<Batch> {
  const { entry, system, state, problems, progress, signal, from } = reading;
  const { slug, type } = entry;
  const skip = (id: string, why: string) => problems.report(slug, id, why);
  const tokens = new Set(from === undefined ? [] : [from]);
  let buffer = new Map<string, AnyRecord>();
  const flush = (token?: string): Batch => {
    const records = [...buffer.values()];
    buffer = new Map();
    return { records, token };
  };

  const problemsWith = (record: AnyRecord): string[] => {
    const found = problemsOf(entry.kind, record, reading.slugs);
    if (found.length > 0) return found;
    return entry.kind === 'account' ? danglingRefs(record, state) : [];
  };

  const context = { from, signal, log: progress, skip, ...reading.report };
  for await (const item of itemsOf(type, system, context)) {
    const page: Page<AnyRecord> = isPage(item) ? item : { records: [item] };
    for (const listed of page.records) {
      const record = choose(listed, (id) => state.chosen(slug, id));
      const found = problemsWith(record);
      if (found.length > 0) skip(idOf(record), found.join('; '));
      else if (buffer.has(record.id)) reading.repeat(record.id);
      else buffer.set(record.id, record);
      if (buffer.size === pageSize) yield flush();
    }
    if (typeof page.next !== 'string') continue;
    // A repeated token means that the listing would never end.
    if (tokens.has(page.next))
      throw new Failure(`the listing of ${slug} returned the page token '${page.next}' twice`);
    tokens.add(page.next);
    yield flush(page.next);
  }
  if (buffer.size > 0) yield flush();
}

/** Returns references to unlisted groups or licenses without a name. With a name, the service creates them (protocol 2.5). */
function danglingRefs(record: AnyRecord, state: State): string[] {
  const problems: string[] = [];
  for (const { slug, id, named } of refsOf(record)) {
    if (!named && !state.hasSeen(slug, id))
      problems.push(`refers to ${slug} '${id}', which was not listed and has no name`);
  }
  return problems;
}

function isPage(item: AnyRecord | Page<AnyRecord>): item is Page<AnyRecord> {
  return typeof item === 'object' && item !== null && 'records' in item && Array.isArray(item.records);
}

function idOf(record: unknown): string {
  const id = (record as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : '(no id)';
}
