import type { Page, TypeEntry } from './define.ts';
import { Failure } from './errors.ts';
import type { Progress } from './progress.ts';
import { type AnyRecord, pageSize, problemsOf, refsOf, type Slugs } from './records.ts';
import type { State } from './state.ts';

/** A page that is ready to be pushed. `token`: the list can be resumed behind it. */
export type Batch = { records: AnyRecord[]; token: string | undefined };

/** Records that exist but cannot be pushed. One is enough to keep the session from being completed. */
export type Problems = { count: number; report(slug: string, id: string, why: string): void };

const shown = 20;
const bearable = 1000;

export function countProblems(progress: Progress, already = 0): Problems {
  return {
    count: already,
    report(slug, id, why) {
      this.count++;
      if (this.count <= shown) progress.warn(`${slug} '${id}' is skipped: ${why}`);
      if (this.count === shown) progress.warn('further skipped records are counted, not shown');
      if (this.count > bearable)
        throw new Failure(
          `more than ${bearable} records had to be skipped; the last: ${slug} '${id}' ${why}`,
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
};

/**
 * Reads one list of a connector as pages of at most 100 records, each checked against contract 2.5, never seen before
 * in this session, and without a reference that dangles. Errors of the list pass through: the caller abandons.
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
    if (buffer.has(record.id) || state.hasSeen(slug, record.id)) return ['its id was listed before'];
    return entry.kind === 'account' ? danglingRefs(record, state) : [];
  };

  for await (const item of type.list(system, { from, signal, log: progress, skip })) {
    signal.throwIfAborted();
    const page: Page<AnyRecord> = isPage(item) ? item : { records: [item] };
    for (const record of page.records) {
      const found = problemsWith(record);
      if (found.length > 0) skip(idOf(record), found.join('; '));
      else buffer.set(record.id, record);
      if (buffer.size === pageSize) yield flush();
    }
    if (typeof page.next !== 'string') continue;
    // A token that comes back is a list that never ends.
    if (tokens.has(page.next))
      throw new Failure(`the list of ${slug} gave the page token '${page.next}' twice`);
    tokens.add(page.next);
    yield flush(page.next);
  }
  if (buffer.size > 0) yield flush();
}

/** A ref without a name must be to something pushed before (contract 2.5); one with a name may create it. */
function danglingRefs(record: AnyRecord, state: State): string[] {
  const problems: string[] = [];
  for (const { slug, id, named } of refsOf(record)) {
    if (!named && !state.hasSeen(slug, id))
      problems.push(`refers to ${slug} '${id}', which was not listed, without a name`);
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
