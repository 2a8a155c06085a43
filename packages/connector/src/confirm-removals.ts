import { counted } from './counted.ts';
import { Exit, Failure, reason } from './errors.ts';
import { unlessAborted } from './interrupt.ts';
import { LISTED_TWICE } from './listing.ts';
import { type ListRun, pushList, see } from './push-list.ts';
import { type AnyRecord, isActive } from './records.ts';
import type { Run } from './run.ts';

/** More reads of single records take longer than reading the list again: a page of it has 100 or more. */
const MOST_READS = 100;

/**
 * Confirms that the records which a list lacks are gone, if its records may move between pages (D81): reads each of them, or else the
 * list a second time, and pushes what only the second reading has. Throws if the list goes on changing: the session is then abandoned.
 */
export async function confirmRemovals(list: ListRun): Promise<void> {
  const { run, at, entry, problems } = list;
  const { state, progress } = run;
  const { slug } = entry;
  // A session that has skipped records is abandoned in any case.
  if (!at.shifts?.includes(slug) || problems.count > 0) return;
  const gone = new Set<string>();
  if (!at.repeated?.includes(slug) && (await isMemoryComplete(run))) {
    if (state.goneIds(slug, 1).length === 0) return;
    const left = await readMissing(list, gone);
    if (left !== 'unknown' && left.length === 0) return;
  }
  progress.info(`${slug}: records may have moved between the pages, so the list is read again`);
  await readAgain(list);
  if (problems.count > 0) return;
  const lost = state.lostAgain(slug);
  const left = await readMissing(list, gone, true);
  // A record that is gone in the meantime may have moved others out of the second reading, too.
  if (lost.count > 0 && (left === 'unknown' || left.length > 0))
    throw moved(
      slug,
      `read again, it lacked ${counted(lost.count, 'record')} that it had before, for example '${lost.id}'`,
    );
  state.takeOrder(slug);
  if (left !== 'unknown') refuseUnlisted(list, left);
}

/** Reads the list from its beginning and pushes the records that the first reading did not have. */
async function readAgain(list: ListRun): Promise<void> {
  const { run, entry, problems } = list;
  const { state } = run;
  // A list that has a record twice each time has it in the place of another one.
  const repeat = (id: string) => problems.report(entry.slug, id, LISTED_TWICE);
  state.beginAgain();
  await pushList(list, {
    from: undefined,
    isResumable: false,
    repeat,
    isNew(record) {
      if (state.seeAgain(entry.slug, record.id)) return see(list, record);
      repeat(record.id);
      return false;
    },
  });
}

/**
 * Whether the service has no records of the app that this state does not know. Another node or machine may have synced the app since.
 */
async function isMemoryComplete(run: Run): Promise<boolean> {
  const last = await lastSync(run);
  return last !== undefined && last === run.state.syncedAt();
}

/** Returns when the service completed the last sync of the app; null if there was none, and undefined if it does not say. */
export const lastSync = ({ service, app, signal }: Run): Promise<string | null | undefined> =>
  service.getApp(app).then(
    ({ last_synced_at }) => last_synced_at,
    () => {
      signal.throwIfAborted();
      return undefined;
    },
  );

/**
 * Reads the records that the list lacks, and adds to `gone` the ids of those that do not exist. Returns the others: the first one, or
 * `all`. Returns 'unknown' if they cannot be read, or are too many.
 */
async function readMissing(
  { run: { state, system, signal, progress }, entry: { slug, type } }: ListRun,
  gone: Set<string>,
  all = false,
): Promise<AnyRecord[] | 'unknown'> {
  const missing = state.goneIds(slug, MOST_READS + 1);
  if (!type.get || missing.length > MOST_READS) return 'unknown';
  const left: AnyRecord[] = [];
  for (const id of missing) {
    if (gone.has(id)) continue;
    try {
      const record = await unlessAborted(type.get(system, id, { entitlements: [] }), signal);
      if (record) left.push(record);
      else gone.add(id);
    } catch (error) {
      signal.throwIfAborted();
      progress.info(`${slug} '${id}' is not in the list, and could not be read (${reason(error)})`);
      return 'unknown';
    }
    if (left.length > 0 && !all) break;
  }
  return left;
}

/**
 * Throws if records exist that two readings lack. If two runs in a row find the same, the list leaves them out on purpose, for example
 * because of a filter. So it does with accounts that have no access: many applications list only active ones.
 */
function refuseUnlisted({ run: { state }, entry: { slug, kind } }: ListRun, left: AnyRecord[]): void {
  const ids = left.filter((record) => kind !== 'account' || isActive(record)).map(({ id }) => id);
  const before = state.unlisted(slug);
  state.noteUnlisted(slug, ids);
  const unexpected = ids.filter((id) => !before.includes(id));
  if (unexpected.length === 0) return;
  throw moved(
    slug,
    `${counted(unexpected.length, 'record')} that it lacks can be read alone, for example '${unexpected[0]}'. If the next sync finds the same, the list leaves them out on purpose, and they are removed`,
  );
}

const moved = (slug: string, how: string): Failure =>
  new Failure(`the list of ${slug} changes while it is read: ${how}. Nothing was removed`, Exit.abandoned);
