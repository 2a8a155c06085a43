import { confirmRemovals } from './confirm-removals.ts';
import { typesOf } from './define.ts';
import { LISTED_TWICE, type Problems } from './listing.ts';
import { lookAlikes } from './look-alikes.ts';
import { checkpointOf, type ListRun, pushList, remember, save, see, type Tally } from './push-list.ts';
import type { AnyRecord } from './records.ts';
import type { Run } from './run.ts';
import type { Checkpoint } from './state.ts';

/** Pushes groups, licenses and accounts (protocol 4.5), each from the checkpoint on. */
export async function pushEverything(run: Run, at: Checkpoint, problems: Problems): Promise<void> {
  run.state.forgetLooks();
  const names = lookAlikes(run.state.firstWithLook);
  for (const entry of typesOf(run.connector)) {
    if (!at.done.includes(entry.slug)) await pushType({ run, at, problems, names, entry });
  }
  names.say(run.progress);
}

async function pushType(parts: Omit<ListRun, 'tally'>): Promise<void> {
  const { run, at, problems, entry } = parts;
  const { state, system, progress } = run;
  const { slug, type } = entry;
  const from = at.slug === slug ? at.token : undefined;
  state.forget(slug, from === undefined ? 0 : at.mark);
  const tally: Tally = {
    read: from === undefined ? 0 : (at.pushed[slug] ?? 0),
    active: at.active,
    refs: at.refs,
    fields: new Map(Object.entries(at.fields)),
    mark: at.mark,
  };
  const list: ListRun = { ...parts, tally };
  progress.start(type.name, await type.count?.(system));
  progress.advance(tally.read);
  // A record that moved to a later page was listed before, and none is missing because of it.
  const repeat = (id: string) => {
    if (at.shifts?.includes(slug)) remember(list, 'repeated');
    else problems.report(slug, id, LISTED_TWICE);
  };
  const isNew = (record: AnyRecord) => {
    if (see(list, record)) return true;
    repeat(record.id);
    return false;
  };
  await pushList(list, { from, repeat, isNew, isResumable: true });
  await confirmRemovals(list);
  // Pages of the next type are sent only after those of this one, which they may refer to.
  save(list, { ...checkpointOf(list, undefined), done: [...at.done, slug] });
  progress.finish();
}
