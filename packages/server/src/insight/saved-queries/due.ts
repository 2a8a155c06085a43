import type { Logger } from 'pino';
import { isDataError, isStatementTimeout, type OrgDb, transaction } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import { findIdentity, localTime } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { checkQuery, type Definition, type Question } from './definition.ts';
import { queryRan, queryStopped } from './events.ts';
import { limits } from './limits.ts';
import * as queries from './queries/due.ts';
import { countRows } from './queries/rows.ts';
import { readersAmong } from './queries/saved.ts';
import { runLimited } from './run.ts';
import { nextRun } from './schedule.ts';
import type { StopReason } from './schemas.ts';

/**
 * Runs a saved query whose time has come, with the rights that its owner has now. The event of the run and the time of the next one commit
 * together, so that a process that dies before repeats the run, and none is announced twice. Runs that were missed count as one.
 * A count that fails or takes too long stops the schedule.
 */
export async function runDue(db: OrgDb, id: string, logger: Pick<Logger, 'warn'>): Promise<void> {
  const due = await queries.findDue(db, id);
  if (due === undefined) return;
  const question = validQuestion(due.definition);
  const readers = await readersAmong(db, due.recipients);
  const recipients = readers.flatMap((one) => (one.may_read ? [one.id] : []));
  const reason = (await reasonOfOwner(db, due.owner_id)) ?? reasonOfRun(question, recipients);
  if (question === undefined || reason !== null) return stop(db, due, reason ?? 'query_invalid');
  const count = await countOf(db, question, (err) =>
    logger.warn({ err, orgId: db.orgId, queryId: id }, 'a scheduled query failed'),
  );
  if (typeof count === 'string') return stop(db, due, count);
  const { now, timeZone } = await localTime(db);
  const next = nextRun(due, timeZone, now);
  await transaction(db, async (tx) => {
    if (!(await queries.endRun(tx, due, { next, count }))) return;
    await recordEvents(tx, [queryRan(due, { count, previous: due.last_count, recipients })]);
  });
}

/** Returns the number of rows, or why there is none. An error that may go away is thrown, and the loop runs the query again. */
async function countOf(
  db: OrgDb,
  question: Question,
  onFailure: (error: unknown) => void,
): Promise<number | StopReason> {
  try {
    return await runLimited(db, limits.scheduledSeconds, (tx) => countRows(tx, null, question));
  } catch (error) {
    if (isStatementTimeout(error)) return 'too_slow';
    if (!isDataError(error)) throw error;
    onFailure(error);
    return 'failed';
  }
}

const stop = (db: OrgDb, due: queries.DueQuery, reason: StopReason): Promise<void> =>
  transaction(db, async (tx) => {
    if (await queries.stop(tx, due, reason))
      await recordEvents(tx, [queryStopped(due, due.owner_id, reason)]);
  });

async function reasonOfOwner(db: OrgDb, ownerId: string): Promise<StopReason | null> {
  const owner = await findIdentity(db, ownerId);
  if (owner?.status !== 'active') return 'owner_left';
  return owner.role === 'member' ? 'owner_may_not' : null;
}

function reasonOfRun(question: Question | undefined, recipients: readonly string[]): StopReason | null {
  if (question === undefined) return 'query_invalid';
  return recipients.length === 0 ? 'no_recipients' : null;
}

/** Undefined for a query of an earlier release whose fields no longer exist. */
function validQuestion(definition: Definition): Question | undefined {
  try {
    return checkQuery(definition);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
