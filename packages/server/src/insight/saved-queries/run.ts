import { appRefusals } from '#inventory/apps/sentences.ts';
import { appsOf } from '#inventory/records/accounts/as-of.ts';
import { type Cell, csvOf } from '#kit/csv.ts';
import { isStatementTimeout, type OrgDb, withTimeLimit } from '#kit/database.ts';
import { type Call, mayTouchApp, type Principal } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordExport } from '#log/events/exports.ts';
import { type Question, readQuery } from './definition.ts';
import { limits } from './limits.ts';
import * as rows from './queries/rows.ts';
import type { ResultRow } from './schemas.ts';
import { queryRefusals } from './sentences.ts';

/**
 * Reads the query of an address for the caller. Throws 400 with each wrong place, 403 for what the caller may not read, and 404 for ids that
 * name nothing.
 */
export async function askedBy(call: Call, text: string): Promise<Question> {
  const question = readQuery(text);
  await requireAllowed(call, question);
  return question;
}

export async function requireAllowed(call: Call, question: Question): Promise<void> {
  requireFields(call.principal, question);
  requireApps(call.principal, question);
  await requireIds(call, question);
}

/** A condition or an order shows a field as well as a column does. */
export function requireFields({ apps, scopes }: Principal, question: Question): void {
  const readsApps = scopes.has('govern');
  const readsPeople = readsApps && apps === 'all';
  if (question.subject === 'people' && !readsPeople) throw queryRefusals.query_people_forbidden();
  const used = [...question.conditions.map(({ field }) => field), ...question.columns, question.sort.field];
  for (const { name, needs } of used) {
    if (needs === 'people' && !readsPeople) throw queryRefusals.query_field_forbidden({ field: name });
    if (needs === 'apps' && !readsApps) throw queryRefusals.query_field_scope_missing({ field: name });
  }
}

const idsIn = ({ value }: Question['conditions'][number]) =>
  Array.isArray(value) ? (value as string[]) : [];

/** Asking for another app is 403, as in lists (D7). */
function requireApps(principal: Principal, { conditions }: Question): void {
  const others = conditions
    .filter(({ field }) => field.names === 'app')
    .flatMap(idsIn)
    .filter((id) => !mayTouchApp(principal, id));
  if (others.length > 0) throw appRefusals.key_without_app();
}

async function requireIds(db: OrgDb, { conditions }: Question): Promise<void> {
  for (const names of ['user', 'app'] as const) {
    const asking = conditions.filter(({ field }) => field.names === names);
    if (asking.length === 0) continue;
    const [id] = await rows.unknownIds(db, names, asking.flatMap(idsIn));
    const place = asking.find((one) => idsIn(one).includes(id ?? ''));
    if (id !== undefined) throw queryRefusals.query_id_unknown({ id, path: `${place?.path}.value` });
  }
}

/** Lists the rows that the caller may see: those of the apps of a key (D7). */
export const listRows = (call: Call, question: Question, page: Page): Promise<Slice<ResultRow>> =>
  inTime(call, (tx) => rows.listRows(tx, appsOf(call.principal, null), question, page));

/** Runs statements of a query. Throws an error of isStatementTimeout if one of them takes too long. */
export const runLimited = <T>(db: OrgDb, seconds: number, work: (tx: OrgDb) => Promise<T>): Promise<T> =>
  withTimeLimit(db, seconds, async (tx) => {
    await rows.preferIndexes(tx);
    return work(tx);
  });

/** Runs the statements of a request. Throws 400 if one of them takes too long. */
async function inTime<T>(call: Call, work: (tx: OrgDb) => Promise<T>): Promise<T> {
  try {
    return await runLimited(call, limits.seconds, work);
  } catch (error) {
    if (isStatementTimeout(error)) throw queryRefusals.query_too_slow({ seconds: limits.seconds });
    throw error;
  }
}

const SLICE = 500;

/**
 * Yields all rows that the caller may see as CSV text, in the order of ids, after recording the export. Nothing is sent of a query that
 * takes too long: before the first row, all its rows are counted, so that no later slice has more to search.
 */
export async function exportRows(call: Call, question: Question): Promise<AsyncGenerator<string>> {
  const apps = appsOf(call.principal, null);
  const sliceAfter = (db: OrgDb, after: string[] | null) => rows.rowsAfter(db, apps, question, after, SLICE);
  const first = await inTime(call, (tx) => sliceAfter(tx, null));
  if (first.length === SLICE) await inTime(call, (tx) => rows.countRows(tx, apps, question));
  await recordExport(call, 'query', null);
  async function* slices() {
    let slice = first;
    yield slice;
    while (slice.length === SLICE) {
      const after = slice.at(-1)?.place ?? null;
      // An error here breaks the connection, so that nobody takes a part for the whole.
      slice = await runLimited(call, limits.scheduledSeconds, (tx) => sliceAfter(tx, after));
      yield slice;
    }
  }
  const columns = question.columns.map(({ name }): [string, (row: ResultRow) => Cell] => [
    name,
    ({ fields }) => {
      const value = fields[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  ]);
  return csvOf(Object.fromEntries(columns), slices());
}
