import type { App } from '#inventory/apps/app.ts';
import { setUserNameKind } from '#inventory/apps/user-names/kind.ts';
import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import type { RequestCause } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import type { UserNameKind } from '../../../../../protocol/src/user-names.ts';
import { type ClientId, clientOf } from '../sessions/client.ts';
import { discardSession } from '../sessions/discard.ts';
import { type Discards, discardsUntil, TOLD_AT } from '../sessions/discards.ts';
import { sessionDiscarded, sessionStarted, sessionsSuperseded } from '../sessions/events.ts';
import { clientsOf, previousSession, setDiscards } from '../sessions/queries/clients.ts';
import { cancelOpenSession, insertSession, setSupersededBy } from '../sessions/queries/transitions.ts';

interface StartOptions {
  runId?: string | null;
  /** The system whose user names the connector creates. Undefined: it does not say. */
  userNames?: UserNameKind | null | undefined;
}

/**
 * Starts a session. A session of the app that is still in progress is canceled and its pages are discarded. If other clients' sessions are
 * discarded in this way again and again, the event of the third one tells people (D21).
 */
export async function startSession(
  db: OrgDb,
  app: App,
  cause: RequestCause,
  { runId = null, userNames }: StartOptions = {},
): Promise<string> {
  return transaction(db, async (tx) => {
    if (userNames !== undefined) await setUserNameKind(tx, app.id, userNames);
    const client = clientOf(app.id, cause, runId);
    const { id, superseded } = await replaceOpenSession(tx, app.id, client, runId);
    const events: NewEvent[] = [];
    if (superseded !== undefined) {
      await setSupersededBy(tx, superseded, id);
      await discardSession(tx, superseded);
      const message = 'A newer session was started.';
      events.push(sessionDiscarded(app, superseded, 'superseded', { superseded_by: id, message }));
    }
    events.push(...(await countDiscards(tx, app, client, { id, superseded })));
    await recordEvents(tx, [...events, sessionStarted(app, id, cause)]);
    return id;
  });
}

/**
 * Cancels the open session and inserts a new one. The unique index on open sessions decides between starts that run at the
 * same time: each waits for the one before it and then cancels its session.
 */
async function replaceOpenSession(
  tx: OrgTx,
  appId: string,
  client: ClientId | null,
  runId: string | null,
): Promise<{ id: string; superseded: string | undefined }> {
  for (;;) {
    const superseded = await cancelOpenSession(tx, appId);
    const id = await insertSession(tx, appId, client, runId);
    if (id !== undefined) return { id, superseded };
  }
}

/** Stores the discards in a row with the new session. Returns the event of the one with which people are told. */
async function countDiscards(
  tx: OrgTx,
  app: App,
  client: ClientId | null,
  { id, superseded }: { id: string; superseded: string | undefined },
): Promise<NewEvent[]> {
  const previous = await previousSession(tx, app.id, { id, superseded });
  const discards = discardsUntil(previous, client);
  if (discards === null) return [];
  await setDiscards(tx, id, discards);
  const isNew = discards.count !== previous?.discards?.count;
  if (!isNew || discards.count !== TOLD_AT || superseded === undefined) return [];
  return [await supersededEvent(tx, app, superseded, discards)];
}

async function supersededEvent(
  tx: OrgTx,
  app: App,
  superseded: string,
  discards: Discards,
): Promise<NewEvent> {
  const [clients] = await clientsOf(tx, [superseded]);
  if (clients === undefined) throw new Error(`The clients of session ${superseded} are missing.`);
  return sessionsSuperseded(app, superseded, clients, discards);
}
