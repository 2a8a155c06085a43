import { chosenIn } from './candidates.ts';
import { type TypeEntry, typesOf } from './define.ts';
import { countFields } from './fields.ts';
import { type Problems, readList } from './listing.ts';
import type { LookAlikes } from './look-alikes.ts';
import { type AnyRecord, countRefs, isActive, slugsOf } from './records.ts';
import type { Run } from './run.ts';
import { sendSideBySide } from './side-by-side.ts';
import type { Checkpoint } from './state.ts';
import type { Unseen } from './unseen.ts';
import { checkedUnseen } from './unseen-entries.ts';

/** How many pages are sent at the same time. While other organizations send requests, a server works on two of them (D72). */
const PAGES_AT_A_TIME = 4;

/** The list of a resource type in a run, and what has been read of it so far. */
export type ListRun = {
  run: Run;
  entry: TypeEntry;
  /** The checkpoint behind all that is confirmed. */
  at: Checkpoint;
  problems: Problems;
  names: LookAlikes;
  tally: Tally;
};

/** The records read so far, also of earlier types. */
export type Tally = { read: number; active: number; refs: number; fields: Map<string, number>; mark: number };

type Reading = {
  from: string | undefined;
  /** Takes the id of a record that the list has twice. */
  repeat(id: string): void;
  /** Whether a record is pushed. */
  isNew(record: AnyRecord): boolean;
  /** Whether a run that is interrupted can resume in this reading. */
  isResumable: boolean;
};

/** Reads a list and pushes its new records. Keeps a checkpoint at each place from which the list can go on. */
export async function pushList(list: ListRun, { from, repeat, isNew, isResumable }: Reading): Promise<void> {
  const { run, entry, at, problems } = list;
  const { state, service, app, system, progress, signal } = run;
  const types = typesOf(run.connector);
  if (from === undefined) state.forgetUnseenBy(entry.slug);
  await sendSideBySide(PAGES_AT_A_TIME, async (pages) => {
    const until = AbortSignal.any([signal, pages.signal]);
    const slugs = slugsOf(run.connector);
    const report = {
      unseen: (what: Unseen) => state.setUnseen(checkedUnseen(types, what), entry.slug),
      mayShift: () => remember(list, 'shifts'),
    };
    const reading = { entry, system, slugs, state, problems, progress, signal: until, from, repeat, report };
    for await (const { records: listed, token } of readList(reading)) {
      const records = state.transaction(() => listed.filter(isNew));
      const { length } = records;
      if (length > 0)
        await pages.add(
          () => service.pushPage(app, at.session, entry.slug, records, until),
          () => progress.advance(length),
        );
      if (token === undefined || !isResumable) continue;
      const reached = checkpointOf(list, token);
      pages.whenConfirmed(() => save(list, reached));
    }
  });
}

/** Counts a record, unless this session has already seen it. Returns whether it is new. */
export function see(
  { run: { state }, entry: { slug, kind }, tally, names }: ListRun,
  record: AnyRecord,
): boolean {
  const hasAccess = kind !== 'account' || isActive(record);
  if (!state.see(slug, record.id, tally.mark, hasAccess, chosenIn(record))) return false;
  countFields(tally.fields, slug, record);
  tally.read++;
  if (kind === 'account') tally.refs += countRefs(record);
  if (kind === 'account' && hasAccess) tally.active++;
  if (kind !== 'account' && 'name' in record) names.add(slug, record.name);
  return true;
}

/** Returns the checkpoint behind all that has been read, and begins a new mark. It counts when all of that is confirmed. */
export function checkpointOf({ entry: { slug }, at, problems, tally }: ListRun, token: string | undefined) {
  tally.mark++;
  const { read, active, refs, mark, fields } = tally;
  const pushed = { ...at.pushed, [slug]: read };
  const reached: Partial<Checkpoint> = { slug, token, mark, pushed, active, refs, problems: problems.count };
  return { ...reached, fields: Object.fromEntries(fields) };
}

export function save({ run: { state }, at }: ListRun, reached: Partial<Checkpoint>): void {
  Object.assign(at, reached);
  state.saveCheckpoint(at);
}

/** Notes in the checkpoint what is known of the list. A run that resumes in its last page would not learn it. */
export function remember(list: ListRun, what: 'shifts' | 'repeated'): void {
  const { slug } = list.entry;
  const noted = list.at[what] ?? [];
  if (!noted.includes(slug)) save(list, { [what]: [...noted, slug] });
}
