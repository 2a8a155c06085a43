import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { findConnectorNetworks } from '#directory/access/organization-facts.ts';
import { createRunKey, extendRunKey, lastUseOfRunKey, revokeRunKeys } from '#directory/access/run-keys.ts';
import { type Db, type OrgTx, transaction, within } from '#kit/database.ts';
import { findIdentity } from '#kit/identity.ts';
import { nextSignal } from '#kit/loops/bell.ts';
import { shares } from '#kit/memory.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { bridgeVariables } from './bridge.ts';
import { type ChildRequest, runChild } from './child.ts';
import type { Connector, Kind } from './connector.ts';
import { purpose } from './connectors.ts';
import { definitionVariable } from './describe.ts';
import { folderOf } from './folders.ts';
import type { Gateway } from './gateway.ts';
import { CONNECTORS } from './isolation.ts';
import { endingOf, type Stopped } from './outcome.ts';
import { findConnector, readSecrets } from './queries/connectors.ts';
import * as queries from './queries/running.ts';
import { insertRun } from './queries/runs.ts';
import { nextAfter } from './schedule.ts';
import { findType } from './types.ts';

/** A node that has not renewed a run for this long has died. */
const LEASE_SECONDS = 60;
const RENEW_MS = 3000;
const TASKS_AGAIN_SECONDS = { succeeded: 5, failed: 60, lost: 3600 };
/** Those who may manage connectors. */
const MANAGERS: readonly string[] = ['owner', 'admin'];
/** A run that was lost this often in a row is not queued again by itself. */
const MOST_LOST = 3;

const MINUTE_MS = 60_000;
const LIMITS_MS: Record<Kind, number> = {
  sync: 240 * MINUTE_MS,
  tasks: 30 * MINUTE_MS,
  test: 2 * MINUTE_MS,
  preview: 5 * MINUTE_MS,
};
/** A sync that asks Gatehouse nothing for this long reads nothing new, and others wait for its place. */
const STALL_MS = 30 * MINUTE_MS;
const COMMANDS: Record<Kind, string[]> = {
  sync: ['sync', '--json'],
  tasks: ['tasks', '--execute', '--json'],
  test: ['test', '--json'],
  preview: ['preview', '--json'],
};

export interface RunnerTools {
  db: Db;
  secrets: Secrets;
  logger: Logger;
  /** This process, among the nodes. */
  node: string;
  /** Where connectors keep their state on this node. */
  folder: string;
  /** The address of an organization on this node. Undefined until the server listens. */
  baseUrl: (slug: string) => string | undefined;
  /** The addresses that the operator allows to organizations without a list of their own. */
  allowPrivateAddresses: readonly string[];
  /** The way to the operator's proxy. Undefined without one. */
  gateway?: Gateway | undefined;
  /** Shorter limits, for tests. */
  limits?: Partial<Record<Kind, number>> & { stall?: number };
  onStart?: (pid: number) => void;
}

/** Takes a queued run and carries it out, unless another node was faster. `shutdown` ends it. Returns whether it ran. */
export async function carryOut(
  tools: RunnerTools,
  queued: queries.QueuedRun,
  shutdown: AbortSignal,
): Promise<boolean> {
  const { db, node } = tools;
  const { org_id: orgId, id, app_id: appId, kind } = queued;
  const url = tools.baseUrl(queued.org_slug);
  if (url === undefined) return false;
  const claimed = await transaction(within(db, orgId), (tx) => queries.claimRun(tx, id, node, LEASE_SECONDS));
  if (!claimed) return false;
  let keyId: string | undefined;
  let ending: queries.Ending;
  try {
    const prepared = await prepare(tools, queued, url);
    if ('state' in prepared) ending = prepared;
    else {
      keyId = prepared.keyId;
      ending = await supervise(tools, queued, prepared, shutdown).finally(prepared.endPass);
    }
  } catch (error) {
    tools.logger.error({ err: error, orgId, run: id }, 'a run of a connector could not be carried out');
    ending = failed('Gatehouse could not carry out the run. The log of the server has the reason.');
  }
  const finish = (how: queries.Ending) =>
    transaction(within(db, orgId), async (tx) => {
      // Before the run: whoever queues the next sync locks them in this order.
      const plan = kind === 'sync' ? await queries.lockPlan(tx, appId) : undefined;
      if (keyId !== undefined) await revokeRunKeys(tx, [keyId]);
      const isOurs = await queries.finishRun(tx, id, node, how);
      if (isOurs && how.state === 'lost') await queueAgain(tx, queued, null);
      if (isOurs && plan !== undefined && hasResult(how)) {
        const failures = await queries.countFailures(tx, appId);
        const next = nextAfter(plan.schedule, failures, { planned: plan.next_sync_at, now: plan.now });
        await queries.setNextSync(tx, appId, next);
      }
      return isOurs;
    });
  const isOurs = await finish(ending).catch((error: unknown) => {
    // Without an end, the run would be lost, begin again, and be lost again.
    tools.logger.error({ err: error, orgId, run: id }, 'the result of a run could not be stored');
    return finish(
      failed('Gatehouse could not store the result of the run. The log of the server has the reason.'),
    );
  });
  if (isOurs && kind === 'sync' && ending.state === 'succeeded')
    await queries.setLastSuccess(within(db, orgId), appId);
  if (isOurs && kind === 'tasks' && ending.state !== 'lost')
    await queries.setNextTasks(within(db, orgId), appId, pauseAfter(ending));
  return true;
}

const hasResult = ({ state }: queries.Ending) => ['succeeded', 'failed', 'timed_out'].includes(state);

/** Queues a run again that its node did not finish, unless this has happened too often. */
export async function queueAgain(
  tx: OrgTx,
  { app_id: appId, kind }: Pick<queries.QueuedRun, 'app_id' | 'kind'>,
  requestedBy: string | null,
): Promise<void> {
  if (!(await queries.isOftenLost(tx, appId, kind, MOST_LOST))) await insertRun(tx, appId, kind, requestedBy);
  else if (kind === 'tasks') await queries.setNextTasks(tx, appId, TASKS_AGAIN_SECONDS.lost);
}

const failed = (error: string): queries.Ending => ({
  state: 'failed',
  error,
  counts: null,
  log: null,
  result: null,
  problem: null,
});

/** A batch that reported nothing would find the same tasks again. */
function pauseAfter({ state, counts }: queries.Ending): number {
  const { completed = 0, failed: refused = 0 } = (counts ?? {}) as { completed?: number; failed?: number };
  return state === 'succeeded' && completed + refused > 0
    ? TASKS_AGAIN_SECONDS.succeeded
    : TASKS_AGAIN_SECONDS.failed;
}

type Prepared = Omit<ChildRequest, 'signal' | 'limitMs' | 'memory'> & { keyId: string; endPass: () => void };

/** Returns what the process needs, or the end of a run that cannot have one. */
async function prepare(
  { db, secrets, folder, node, allowPrivateAddresses, gateway }: RunnerTools,
  { org_id: orgId, id, app_id: appId, kind, accepts_removals }: queries.QueuedRun,
  url: string,
): Promise<Prepared | queries.Ending> {
  const connector = await findConnector(within(db, orgId), appId);
  if (connector === undefined) return failed('The connector was deleted.');
  const type = findType(connector.type);
  if (type === undefined) return failed(`This release has no connector of the type ${connector.type}.`);
  const person = await findIdentity(within(db, orgId), connector.acts_for);
  if (person?.status !== 'active' || !MANAGERS.includes(person.role))
    return failed(
      'The person for whom the connector acts is no longer an active administrator. Save the connector again, so that it acts for you.',
    );
  const opened: Record<string, string> = {};
  for (const { name, sealed } of await readSecrets(within(db, orgId), appId))
    opened[name] = (await secrets.open(within(db, orgId), purpose(appId, name), sealed)).toString();
  const networks = (await findConnectorNetworks(db, orgId)) ?? allowPrivateAddresses;
  const home = join(folder, orgId);
  const own = folderOf(folder, orgId, appId);
  const definition = await definitionFile(connector, type.definition, own, kind);
  const held = kind === 'sync' ? { held: await queries.countHeld(within(db, orgId), appId) } : {};
  const pass = await gateway?.admit(networks);
  const created = await transaction(within(db, orgId), async (tx) => {
    // Locks the run, so that whoever takes it over or cancels it finds the key and revokes it.
    const state = await queries.renewRun(tx, id, node, LEASE_SECONDS);
    if (state !== 'goes_on') return state;
    const made = await createRunKey(tx, { appId, userId: connector.acts_for, runId: id }, LEASE_SECONDS);
    await queries.setKey(tx, id, made.id);
    return made;
  }).catch((error: unknown) => {
    pass?.end();
    throw error;
  });
  if (typeof created === 'string') {
    pass?.end();
    return { ...failed(''), state: created, error: null };
  }
  const { id: keyId, key } = created;
  return {
    keyId,
    endPass: () => pass?.end(),
    program: type.program,
    args: [...(COMMANDS[kind] ?? []), ...(accepts_removals ? ['--guard', 'off'] : []), '--secrets-stdin'],
    input: { ...connector.settings, ...opened, gatehouse: { apiKey: key, ...held } },
    env: {
      ...bridgeVariables(url),
      ...pass?.env,
      GATEHOUSE_APP: appId,
      GATEHOUSE_STATE_DIR: home,
      GATEHOUSE_ALLOW_PRIVATE_ADDRESSES: networks.join(','),
      ...(definition === undefined ? {} : definitionVariable(type, definition)),
    },
    folder: own,
    secrets: [...Object.values(opened), key, ...(pass === undefined ? [] : [pass.token])],
  };
}

/** Returns the file with the definition of the connector. A shipped one is part of the code. */
async function definitionFile(
  { definition }: Connector,
  shipped: string | null,
  folder: string,
  kind: Kind,
): Promise<string | undefined> {
  if (shipped === null) return undefined;
  if (shipped !== 'custom') return join(CONNECTORS, shipped);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A sync and a task batch run side by side.
  const file = `definition-${kind}.yml`;
  // A connector owns the folder: what it left under this name could be a link to a file of the server.
  await rm(join(folder, file), { force: true });
  await writeFile(join(folder, file), definition ?? '', { mode: 0o600, flag: 'wx' });
  // The process runs in the folder. Errors have the name, and must not show where the server keeps its data.
  return file;
}

/** Runs the process and renews the lease and the key, until it ends or must end. */
async function supervise(
  tools: RunnerTools,
  { org_id: orgId, id, kind }: queries.QueuedRun,
  { keyId, endPass: _, ...request }: Prepared,
  shutdown: AbortSignal,
): Promise<queries.Ending> {
  const { db, node } = tools;
  const stopping = new AbortController();
  const ended = new AbortController();
  let stopped: Stopped | undefined;
  const stop = (why: typeof stopped) => {
    stopped ??= why;
    stopping.abort();
  };
  const onShutdown = () => stop('shutdown');
  shutdown.addEventListener('abort', onShutdown, { once: true });
  if (shutdown.aborted) onShutdown();
  const limitMs = tools.limits?.[kind] ?? LIMITS_MS[kind];
  const stallMs = tools.limits?.stall ?? STALL_MS;
  const startedAt = Date.now();
  const isIdle = async () => {
    const usedAt = (await lastUseOfRunKey(within(db, orgId), keyId))?.getTime() ?? startedAt;
    return Date.now() - Math.max(startedAt, usedAt) > stallMs;
  };
  const renew = async () => {
    let renewedAt = Date.now();
    for (;;) {
      await nextSignal(db, ['runs'], RENEW_MS, ended.signal);
      if (ended.signal.aborted) return;
      try {
        const state = await queries.renewRun(within(db, orgId), id, node, LEASE_SECONDS);
        if (state === 'goes_on') await extendRunKey(within(db, orgId), keyId, LEASE_SECONDS);
        else stop(state === 'cancelled' ? 'cancelled' : 'shutdown');
        renewedAt = Date.now();
        if (await isIdle()) stop('stalled');
      } catch {
        // Another node takes the run over when the lease ends, so this one must have ended by then.
        if (Date.now() - renewedAt > (LEASE_SECONDS * 1000) / 2) stop('shutdown');
      }
    }
  };
  const renewing = renew();
  try {
    const outcome = await runChild({
      ...request,
      memory: shares().connector,
      limitMs,
      signal: stopping.signal,
      ...(tools.onStart ? { onStart: tools.onStart } : {}),
    });
    return endingOf(kind, outcome, { stopped, limitMs, stallMs });
  } finally {
    ended.abort();
    shutdown.removeEventListener('abort', onShutdown);
    await renewing;
  }
}
