import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { follow } from '#kit/loops/follow.ts';
import { readLog } from '#log/events/follow.ts';
import { recordEvents } from '#log/events/record.ts';
import { findingChanged } from './events.ts';
import { KIND_NAMES, type KindName } from './finding.ts';
import * as cursor from './queries/cursor.ts';
import {
  type Changed,
  count,
  endAcceptances,
  open,
  recount,
  resolve,
  type Scope,
} from './queries/evaluate.ts';
import { KINDS } from './queries/kinds/index.ts';
import { namedIds } from './queries/touched.ts';
import { TOUCHING_TYPES, touchedBy } from './touched.ts';

const EVENTS_AT_ONCE = 5000;
/** Findings that one transaction changes when all are looked for. */
const BATCH = 5000;
/** Before all ids. */
const NIL = '00000000-0000-0000-0000-000000000000';

export interface Difference {
  opened: number;
  resolved: number;
}

/**
 * Brings the findings of a kind about these subjects up to date: opens what is found, opens again what has come back, and resolves what
 * is over. The caller has the lock of the cursor.
 */
async function evaluate(tx: OrgTx, kind: KindName, scope: Scope): Promise<void> {
  if (Array.isArray(scope) && scope.length === 0) return;
  await keep(tx, [...(await open(tx, kind, scope)), ...(await resolve(tx, kind, scope))]);
}

async function keep(tx: OrgTx, changes: readonly Changed[]): Promise<void> {
  await count(tx, changes);
  await record(tx, changes);
}

const record = (tx: OrgTx, changes: readonly Omit<Changed, 'day'>[]) =>
  recordEvents(
    tx,
    changes.flatMap(({ change, ...finding }) => (change === 'same' ? [] : findingChanged(change, finding))),
  );

/** Follows the log of an organization, and the clock. Returns whether more is left to do now. */
export async function watch(db: OrgDb): Promise<boolean> {
  await cursor.askForNewKinds(db);
  const asked = await cursor.askedAt(db);
  if (asked) {
    for (const kind of KIND_NAMES) await evaluateAll(db, kind);
    await cursor.endAsked(db, asked);
  }
  await checkClock(db, false);
  return readNext(db);
}

/** Evaluates what the next events concern. Returns whether more is left. */
export const readNext = (db: OrgDb): Promise<boolean> =>
  follow(db, {
    place: cursor.place,
    read: async (reading, after) => readLog(reading, { after }, TOUCHING_TYPES, EVENTS_AT_ONCE),
    handle: async (tx, { entries, hasMore }) => {
      if (entries.length === 0) return false;
      const touched = await touchedBy(tx, entries);
      if (touched === null) await cursor.askForAll(tx);
      else for (const [kind, ids] of touched) await evaluate(tx, kind, ids);
      return touched === null || hasMore;
    },
  });

/** Looks, every 10 minutes or `now`, for what time alone changes: acceptances that end, and findings by the clock. */
export const checkClock = (db: OrgDb, now: boolean): Promise<void> =>
  transaction(db, async (tx) => {
    const passed = await cursor.beginCheck(tx, now);
    if (passed === undefined) return;
    for (const kind of KIND_NAMES) {
      const { byClock } = KINDS[kind];
      if (byClock === 'always') await evaluate(tx, kind, null);
      else if (typeof byClock === 'function')
        await evaluate(tx, kind, await namedIds(tx, byClock(tx, passed.from, passed.to)));
    }
    await record(tx, await endAcceptances(tx));
  });

/** Evaluates all subjects of a kind, in several transactions. Returns the differences that it found. */
export async function evaluateAll(db: OrgDb, kind: KindName): Promise<Difference> {
  const changes: Changed['change'][] = [];
  for (const step of [open, resolve])
    for (let after: string | undefined = NIL; after !== undefined; ) {
      const batch: Changed[] = await transaction(db, async (tx) => {
        await cursor.lockCursor(tx);
        const changed = await step(tx, kind, { after: after ?? NIL, limit: BATCH });
        await keep(tx, changed);
        return changed;
      });
      changes.push(...batch.map(({ change }) => change));
      after =
        batch.length < BATCH
          ? undefined
          : batch
              .map((one) => one.subject_id)
              .sort()
              .at(-1);
    }
  const resolved = changes.filter((change) => change === 'resolved').length;
  const same = changes.filter((change) => change === 'same').length;
  return { opened: changes.length - resolved - same, resolved };
}

/** Corrects the counts by day. */
export const countAll = (db: OrgDb): Promise<void> =>
  transaction(db, async (tx) => {
    await cursor.lockCursor(tx);
    await recount(tx);
  });
