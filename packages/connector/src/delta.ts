import { choose } from './candidates.ts';
import { typesOf } from './define.ts';
import { Exit, Failure, reason, SupersededError } from './errors.ts';
import { type AnyRecord, pageSize, problemsOf, slugsOf } from './records.ts';
import { type Run, registerTypes } from './sync.ts';

/** Records by the slug of their resource type. */
export type Delta = Readonly<Record<string, AnyRecord[]>>;

/**
 * Pushes some records without changing others: starts a session, pushes, and abandons it, which keeps the pushed records
 * and removes nothing (protocol 1.2). Must not run during a full sync, because its start would cancel that sync.
 */
export async function pushDelta(run: Run, delta: Delta): Promise<Record<string, number>> {
  checkDelta(run, delta);
  const lock = run.state.lock('sync');
  try {
    await registerTypes(run);
    return await send(run, delta);
  } finally {
    lock.release();
  }
}

async function send({ service, app, connector, state }: Run, delta: Delta): Promise<Record<string, number>> {
  const session = await service.startSync(app);
  const pushed: Record<string, number> = {};
  let failure: unknown;
  try {
    for (const { slug } of typesOf(connector)) {
      const records = (delta[slug] ?? []).map((record) => choose(record, (id) => state.chosen(slug, id)));
      for (let at = 0; at < records.length; at += pageSize) {
        await service.pushPage(app, session, slug, records.slice(at, at + pageSize));
      }
      if (records.length > 0) pushed[slug] = records.length;
    }
  } catch (error) {
    failure = error;
  }
  const ours = await service.abandonSync(app, session).catch((error) => {
    throw failure ?? error;
  });
  if (!ours) throw await whatBecameOf(service, app, session, failure);
  if (failure !== undefined) throw failure;
  for (const [slug, records] of Object.entries(delta))
    for (const { id } of records) state.introduce(slug, id);
  return pushed;
}

async function whatBecameOf(
  service: Run['service'],
  app: string,
  session: string,
  failure: unknown,
): Promise<unknown> {
  const view = await service.syncStatus(app, session).catch(() => undefined);
  return view?.status === 'abandoned'
    ? new SupersededError(session, view.superseded_by, failure)
    : (failure ?? new Failure('the session has already ended'));
}

/** Checks every record before a session is started. Throws a Failure that lists the problems. */
function checkDelta({ connector }: Run, delta: Delta): void {
  const kinds = new Map(typesOf(connector).map(({ slug, kind }) => [slug, kind]));
  const problems: string[] = [];
  for (const [slug, records] of Object.entries(delta)) {
    const kind = kinds.get(slug);
    if (!kind) {
      problems.push(`unknown resource type '${slug}'`);
      continue;
    }
    const ids = new Set<unknown>();
    for (const record of records) {
      const found = problemsOf(kind, record, slugsOf(connector));
      if (found.length === 0 && ids.has(record.id)) found.push('occurs twice');
      ids.add(record?.id);
      if (found.length > 0) problems.push(`${slug} ${JSON.stringify(record?.id)}: ${found.join('; ')}`);
    }
  }
  if (problems.length > 0)
    throw new Failure(`nothing was pushed: ${problems.slice(0, 20).join('. ')}`, Exit.failed);
}

/** Returns true if the delta was pushed, false if a full sync is running and the caller has to wait. */
export async function tryPushDelta(run: Run, delta: Delta): Promise<boolean> {
  try {
    await pushDelta(run, delta);
    return true;
  } catch (error) {
    run.progress.info(`the account will be pushed later (${reason(error)})`);
    return false;
  }
}
