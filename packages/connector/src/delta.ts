import { typesOf } from './define.ts';
import { Exit, Failure, reason, SupersededError } from './errors.ts';
import { type AnyRecord, pageSize, problemsOf } from './records.ts';
import { type Run, registerTypes, slugsOf } from './sync.ts';

/** Records by the slug of their resource type. */
export type Delta = Readonly<Record<string, AnyRecord[]>>;

/**
 * Tells the service about some records without touching the others: a session that starts, pushes and is abandoned,
 * which keeps what was pushed and removes nothing (contract 1.2). Never beside a full sync, which its start would cancel.
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

async function send({ service, app, connector }: Run, delta: Delta): Promise<Record<string, number>> {
  const session = await service.startSync(app);
  const pushed: Record<string, number> = {};
  let failure: unknown;
  try {
    for (const { slug } of typesOf(connector)) {
      const records = delta[slug] ?? [];
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
    ? new SupersededError(session, view.superseded_by)
    : (failure ?? new Failure('the session had ended'));
}

/** All that is wrong with it, before a session is started. */
function checkDelta({ connector }: Run, delta: Delta): void {
  const kinds = new Map(typesOf(connector).map(({ slug, kind }) => [slug, kind]));
  const problems: string[] = [];
  for (const [slug, records] of Object.entries(delta)) {
    const kind = kinds.get(slug);
    if (!kind) {
      problems.push(`there is no resource type '${slug}'`);
      continue;
    }
    const ids = new Set<unknown>();
    for (const record of records) {
      const found = problemsOf(kind, record, slugsOf(connector));
      if (found.length === 0 && ids.has(record.id)) found.push('is there twice');
      ids.add(record?.id);
      if (found.length > 0) problems.push(`${slug} ${JSON.stringify(record?.id)}: ${found.join('; ')}`);
    }
  }
  if (problems.length > 0)
    throw new Failure(`nothing was pushed: ${problems.slice(0, 20).join('. ')}`, Exit.failed);
}

/** For callers that can wait: true when the delta could be pushed now, false when a full sync has the floor. */
export async function tryPushDelta(run: Run, delta: Delta): Promise<boolean> {
  try {
    await pushDelta(run, delta);
    return true;
  } catch (error) {
    run.progress.info(`the account will be made known later (${reason(error)})`);
    return false;
  }
}
