import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type CallTx, localTime, requireAllApps, takeTurnsIn } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { type IfMatch, requireVersion, versionOf } from '#kit/versions.ts';
import { recordEvents } from '#log/events/record.ts';
import { checkQuery, type QueryDefinition, type Question } from './definition.ts';
import * as events from './events.ts';
import * as queries from './queries/saved.ts';
import { requireAllowed, requireFields } from './run.ts';
import type { SavedQuery, Settings } from './saved-query.ts';
import { nextRun } from './schedule.ts';
import type { Schedule } from './schemas.ts';
import { queryRefusals } from './sentences.ts';

const MOST_QUERIES = 1000;
const MOST_OWN_QUERIES = 100;

/** A saved query as requests send it. */
export interface Given {
  name: string;
  query: Static<typeof QueryDefinition>;
  shared?: boolean;
  schedule?: Schedule | null;
}

type Caller = Pick<Call, 'principal'>;

/** Owners and administrators of the organization look after what is shared, and after what others left behind. */
const looksAfterOthers = ({ principal: { role } }: Caller) => role === 'owner' || role === 'admin';
const viewer = (call: Call) => ({ userId: call.principal.userId, looksAfter: looksAfterOthers(call) });

/**
 * Lists the caller's queries, those that are shared, and those that are sent to the caller. Owners and administrators also see those that
 * were stopped, and those of inactive owners.
 */
export const listQueries = (call: Call, page: Page): Promise<Slice<SavedQuery>> =>
  queries.listQueries(call, viewer(call), page);

/** Returns a query that the caller may see. 404 for all others. */
export async function accessibleQuery(call: Call, id: string): Promise<SavedQuery> {
  requireAllApps(call.principal, 'saved queries');
  const query = isUuid(id) ? await queries.findQuery(call, id, viewer(call)) : undefined;
  if (query === undefined) throw notFound('Query');
  return query;
}

/** Returns what a saved query asks. An id in it may name nothing by now. */
export function questionOf(call: Call, { query }: SavedQuery): Question {
  const question = checkQuery(query);
  requireFields(call.principal, question);
  return question;
}

export const queryVersion = ({ name, query, shared, schedule }: Settings): string =>
  versionOf({ name, query, shared, schedule });

/** Whether the caller may change a query: their own, or a shared one that they look after. */
export const mayChange = (call: Caller, { owner, shared }: SavedQuery): boolean =>
  owner.external_uuid === call.principal.userId || (shared && looksAfterOthers(call));

/** Whether the caller may delete a query: one that they may change, or one that others left behind. */
export const mayDelete = (call: Caller, query: SavedQuery): boolean =>
  mayChange(call, query) || (query.is_abandoned && looksAfterOthers(call));

export async function createQuery(call: Call, given: Given): Promise<SavedQuery> {
  const id = randomUUIDv7();
  const { definition } = await allowedQuery(call, given.query);
  await transaction(call, async (tx) => {
    await takeTurnsIn(tx);
    const { total = 0, own = 0 } = (await queries.countQueries(tx, call.principal.userId)) ?? {};
    if (total >= MOST_QUERIES) throw queryRefusals.too_many_queries({ most: MOST_QUERIES });
    if (own >= MOST_OWN_QUERIES) throw queryRefusals.too_many_own_queries({ most: MOST_OWN_QUERIES });
    const schedule = await scheduleOf(tx, given.schedule ?? null);
    const settings = { name: given.name, query: definition, shared: given.shared ?? false, schedule };
    const nextRunAt = await firstRun(tx, schedule);
    await queries.insertQuery(tx, { id, ownerId: call.principal.userId, nextRunAt }, settings);
    await recordEvents(tx, [events.queryCreated({ id, name: given.name }, call.cause)]);
  });
  return accessibleQuery(call, id);
}

/** Changes the named fields, if `ifMatch` names their version. */
export async function changeQuery(
  call: Call,
  id: string,
  { query, schedule, ...change }: Partial<Given>,
  ifMatch: IfMatch,
): Promise<SavedQuery> {
  const asked = query === undefined ? {} : { query: (await allowedQuery(call, query)).definition };
  await whileLocked(call, id, mayChange, async (tx, before) => {
    requireVersion(ifMatch, queryVersion(before));
    const scheduled = schedule === undefined ? {} : { schedule: await scheduleOf(tx, schedule) };
    const after: Settings = { ...settingsOf(before), ...change, ...asked, ...scheduled };
    const isMoved = schedule !== undefined && !isDeepStrictEqual(after.schedule, before.schedule);
    await queries.updateQuery(tx, id, after, isMoved ? await firstRun(tx, after.schedule) : undefined);
    await recordEvents(tx, events.queryUpdated(id, settingsOf(before), after, call.cause));
  });
  return accessibleQuery(call, id);
}

export const deleteQuery = (call: Call, id: string): Promise<void> =>
  whileLocked(call, id, mayDelete, async (tx, query) => {
    await queries.deleteQuery(tx, id);
    await recordEvents(tx, [events.queryDeleted(query, call.cause)]);
  });

const settingsOf = ({ name, query, shared, schedule }: Settings): Settings => ({
  name,
  query,
  shared,
  schedule,
});

async function whileLocked(
  call: Call,
  id: string,
  isAllowed: (call: Caller, query: SavedQuery) => boolean,
  change: (tx: CallTx, query: SavedQuery) => Promise<void>,
): Promise<void> {
  await transaction(call, async (tx) => {
    await queries.lockQuery(tx, id);
    const query = await accessibleQuery(tx, id);
    if (!isAllowed(tx, query)) throw queryRefusals.query_of_another();
    await change(tx, query);
  });
}

async function allowedQuery(call: Call, given: unknown): Promise<Question> {
  const question = checkQuery(given);
  await requireAllowed(call, question);
  return question;
}

/** Checks a schedule. Its recipients exist and may read the results. */
async function scheduleOf(db: OrgDb, given: Schedule | null): Promise<Settings['schedule']> {
  if (given === null) return null;
  const { every, hour = 8, weekday = null, day = null } = given;
  if (weekday !== null && every !== 'weekly')
    throw queryRefusals.query_schedule_misplaced({ every: 'weekly', field: 'weekday' });
  if (day !== null && every !== 'monthly')
    throw queryRefusals.query_schedule_misplaced({ every: 'monthly', field: 'day' });
  const recipients = [...new Set(given.recipients)].sort();
  const readers = await queries.readersAmong(db, recipients);
  const known = new Set(readers.map(({ id }) => id));
  const unknown = recipients.find((id) => !known.has(id));
  if (unknown !== undefined) throw queryRefusals.query_recipient_unknown({ id: unknown });
  const excluded = readers.find(({ may_read }) => !may_read);
  if (excluded !== undefined) throw queryRefusals.query_recipient_may_not_read({ email: excluded.email });
  return {
    every,
    hour,
    weekday: every === 'weekly' ? (weekday ?? 1) : null,
    day: every === 'monthly' ? (day ?? 1) : null,
    recipients,
  };
}

async function firstRun(db: OrgDb, schedule: Settings['schedule']): Promise<Date | null> {
  if (schedule === null) return null;
  const { now, timeZone } = await localTime(db);
  return nextRun(schedule, timeZone, now);
}
