import type { Coverage } from '#inventory/records/history/as-of-schemas.ts';
import { coverageOf, timesOf } from '#inventory/records/history/moment.ts';
import { type Cell, csvOf } from '#kit/csv.ts';
import type { Call } from '#kit/identity.ts';
import { recordExport } from '#log/events/exports.ts';
import type { Change, Counts } from './changes.ts';
import type { Difference } from './period-schemas.ts';
import { cursorOf, placeOf } from './place.ts';
import { countDifferences } from './queries/difference-counts.ts';
import * as queries from './queries/differences.ts';
import { questionOf, type Subject } from './scope.ts';
import { historyRefusals } from './sentences.ts';
import { slicesOf } from './slices.ts';

export interface CompareQuery extends Subject {
  from?: string;
  to?: string;
  known_at?: string;
  change?: Change;
}

/** Returns what a caller asks for, after checking the parameters and what they may see. */
async function open(call: Call, query: CompareQuery) {
  const question = await questionOf(call, query);
  const times = await timesOf(call.db, { from: query.from, to: query.to, known_at: query.known_at });
  const to = times.to ?? times.now;
  const from = times.from ?? weekBefore(to);
  if (to < from) throw historyRefusals.range_backwards();
  if (times.known_at !== undefined && times.known_at < to) throw historyRefusals.known_before_to();
  const knownAt = times.known_at ?? 'infinity';
  const apps = 'app' in question.scope ? [question.scope.app] : question.apps;
  const before = await coverageOf(call, apps, { at: from, knownAt });
  const after = await coverageOf(call, apps, { at: to, knownAt });
  return {
    filter: { ...question, from, to, knownAt },
    coverage: coverageBetween(before, after),
    shownKnownAt: times.known_at ?? times.now,
  };
}

/** Returns a reader of the differences that a caller asks for. */
async function openList(call: Call, query: CompareQuery) {
  const { filter, coverage } = await open(call, query);
  const unknown = new Set(coverage.filter(({ known }) => !known).map(({ app }) => app.id));
  const listed = { ...filter, change: query.change ?? null };
  const read = async (place: queries.Place | null, limit: number) => {
    const found = await queries.listDifferences(call, listed, place, limit);
    return { ...found, results: found.results.map((one) => withUnknownPast(one, unknown)) };
  };
  return { from: filter.from, to: filter.to, coverage, read };
}

const EARLIEST = '0001-01-01T00:00:00Z';

function weekBefore(time: string): string {
  const before = new Date(Date.parse(time) - 7 * 86_400_000).toISOString();
  return before < EARLIEST ? EARLIEST : before;
}

/** Nothing is known of an app before its first sync, so that what seems to be added may have been there. */
const withUnknownPast = (difference: Difference, unknown: ReadonlySet<string>): Difference =>
  difference.before === null && unknown.has(difference.app.id)
    ? { ...difference, certainty: 'possible' }
    : difference;

/** For each app, the last sync before the earlier time and the first one after the later time. */
const coverageBetween = (before: Coverage[], after: Coverage[]): Coverage[] =>
  before.map((one) => ({
    ...one,
    sync_after: after.find(({ app }) => app.id === one.app.id)?.sync_after ?? null,
  }));

/** Lists what differs between two times, and counts it. */
export async function compare(call: Call, query: CompareQuery, cursor: string | undefined, limit: number) {
  const { read, ...head } = await openList(call, query);
  const place = cursor === undefined ? null : (placeOf(cursor, 2) as queries.Place);
  const { counts, complete, results, next } = await read(place, limit);
  const counts_more = next !== null && !complete;
  return { ...head, counts, counts_more, results, next_cursor: next === null ? null : cursorOf(next) };
}

/** The largest number of accounts that are compared for the counts: about 10 seconds of work for the database. */
const MOST_ACCOUNTS = 100_000;

/** Counts what differs between two times, all of it, by app and type. */
export async function countChanges(call: Call, query: Omit<CompareQuery, 'change'>, most = MOST_ACCOUNTS) {
  const { filter, coverage, shownKnownAt } = await open(call, query);
  const groups = await countDifferences(call, filter, most);
  if (groups === null) throw historyRefusals.too_many_changes({ most: most.toLocaleString('en-US') });
  const counts: Counts = { added: 0, removed: 0, changed: 0 };
  for (const { added, removed, changed } of groups) {
    counts.added += added;
    counts.removed += removed;
    counts.changed += changed;
  }
  return { from: filter.from, to: filter.to, known_at: shownKnownAt, coverage, counts, groups };
}

/** Yields all differences that the caller asks for as CSV text, after recording the export. */
export async function exportComparison(call: Call, query: CompareQuery): Promise<AsyncGenerator<string>> {
  const { read } = await openList(call, query);
  await recordExport(call, 'access_comparison', query.app ?? null);
  return csvOf(COLUMNS, slicesOf(read));
}

const COLUMNS: Record<string, (difference: Difference) => Cell> = {
  change: ({ change }) => change,
  certainty: ({ certainty }) => certainty,
  type: ({ type }) => type,
  app: ({ app }) => app.name,
  account: ({ account }) => account.email || account.display_name,
  account_id: ({ account }) => account.id,
  external_id: ({ account }) => account.external_id,
  user: ({ user }) => user,
  resource_type: ({ resource }) => resource?.slug,
  resource_id: ({ resource }) => resource?.id,
  resource_name: ({ resource }) => resource?.name,
  status_before: ({ before }) => before?.status,
  status_after: ({ after }) => after?.status,
  email_before: ({ before }) => before?.email,
  email_after: ({ after }) => after?.email,
};
