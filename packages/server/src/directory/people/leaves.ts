import type { Logger } from 'pino';
import { type Db, type OrgDb, type OrgTx, transaction, within } from '#kit/database.ts';
import { BY_THE_CLOCK, type Cause, localTime } from '#kit/identity.ts';
import { momentIn } from '#kit/instants.ts';
import { createLoop, type Loop } from '#kit/loops/loop.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { absenceCreated, absenceDeleted, absenceUpdated, leaveTold } from './absence-events.ts';
import { changesOf, type Draft, LEAVE_DAYS } from './person.ts';
import * as queries from './queries/absences.ts';
import { lockPerson } from './queries/people.ts';
import type { Absence } from './schemas.ts';

/*
 * A leave is an absence that is told when it begins and ends. Nothing else happens by itself: it is not an end of the employment (D85).
 *
 *   ahead ──starts_at──> begun (on_leave) ──ends_at──> ended
 *     ^───postponed────────┘
 */

/** Returns the events of the removal of absences. A leave that had begun ends with it. */
export async function removeAbsences(
  tx: OrgTx,
  person: { id: string },
  cause: Cause,
  absences: readonly Absence[],
): Promise<NewEvent[]> {
  if (absences.length === 0) return [];
  const removed = await queries.deleteAbsences(
    tx,
    absences.map(({ external_uuid }) => external_uuid),
  );
  const begun = new Set(removed.filter(({ had_begun }) => had_begun).map(({ id }) => id));
  return absences.flatMap((absence) => [
    absenceDeleted(person, cause, absence),
    ...(begun.has(absence.external_uuid) ? [leaveTold('absence.leave_ended', told(absence), cause)] : []),
  ]);
}

const told = ({ external_uuid, user }: Absence) => ({
  absence_id: external_uuid,
  user_id: user.external_uuid,
  email: user.email,
});

/** Returns the events of changed leaves that had begun and lie ahead now. They begin once more. */
export async function endPostponed(tx: OrgTx, absences: readonly Absence[]): Promise<NewEvent[]> {
  const ids = absences.map(({ external_uuid }) => external_uuid);
  const postponed = await queries.unbeginLeaves(tx, ids);
  return postponed.map((leave) => leaveTold('absence.leave_ended', leave, BY_THE_CLOCK));
}

/**
 * Sets the leaves of people whose drafts name other days, from an import, a provider or a request. Days are those of the organization's time
 * zone. A leave takes the place of the absences in its time. Returns the events.
 */
export async function saveLeaves(tx: OrgTx, cause: Cause, drafts: readonly Draft[]): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  const changed = drafts.filter(({ before, after }) =>
    before === undefined
      ? after.leave_from != null
      : changesOf({ before, after }).some(({ field }) => LEAVE_DAYS.includes(field)),
  );
  if (changed.length === 0) return events;
  const { timeZone, now } = await localTime(tx);
  for (const { after: person } of changed) {
    await lockPerson(tx, person.id);
    const before = await queries.presentLeave(tx, person.id);
    if (person.leave_from == null) {
      if (before !== undefined) events.push(...(await endLeave(tx, person, cause, { leave: before, now })));
      continue;
    }
    const times = {
      startsAt: momentIn(person.leave_from, timeZone, 'start'),
      endsAt: person.leave_until == null ? queries.FOREVER : momentIn(person.leave_until, timeZone, 'end'),
    };
    // Over by now: whoever named it is late.
    if (before === undefined && times.endsAt !== queries.FOREVER && Date.parse(times.endsAt) <= now.getTime())
      continue;
    const except = before?.external_uuid ?? null;
    const others = await queries.absencesWithin(tx, person.id, { ...times, except });
    events.push(...(await removeAbsences(tx, person, cause, others)));
    events.push(...(await setLeave(tx, person, cause, { before, times })));
  }
  return events;
}

async function endLeave(
  tx: OrgTx,
  person: { id: string },
  cause: Cause,
  { leave, now }: { leave: Absence; now: Date },
): Promise<NewEvent[]> {
  if (leave.starts_at >= now) return removeAbsences(tx, person, cause, [leave]);
  await queries.endLeave(tx, leave.external_uuid);
  return absenceUpdated(person, cause, leave, { ...leave, ends_at: now });
}

async function setLeave(
  tx: OrgTx,
  person: { id: string },
  cause: Cause,
  { before, times }: { before: Absence | undefined; times: { startsAt: string; endsAt: string } },
): Promise<NewEvent[]> {
  const row = { deputyId: before?.deputy?.external_uuid ?? null, reason: before?.reason ?? null, ...times };
  const by = cause.actor.uuid ?? person.id;
  const id =
    before?.external_uuid ?? (await queries.insertAbsence(tx, person.id, by, { kind: 'leave', ...row }));
  if (before !== undefined) await queries.updateAbsence(tx, id, row);
  const after = (await queries.findAbsence(tx, person.id, id)) as Absence;
  if (before === undefined) return [absenceCreated(person, cause, after)];
  return [...absenceUpdated(person, cause, before, after), ...(await endPostponed(tx, [after]))];
}

/** Records which leaves have begun and ended. One that was missed has both events. */
const tellLeaves = (db: OrgDb): Promise<boolean> =>
  transaction(db, async (tx) => {
    const begun = await queries.beginLeaves(tx);
    const ended = await queries.endLeaves(tx);
    await recordEvents(tx, [
      ...begun.map((leave) => leaveTold('absence.leave_started', leave, BY_THE_CLOCK)),
      ...ended.map((leave) => leaveTold('absence.leave_ended', leave, BY_THE_CLOCK)),
    ]);
    return false;
  });

/** Records the beginnings and ends of leaves of all organizations. */
export const leaveLoop = (db: Db, logger: Logger): Loop =>
  createLoop({
    name: 'leaves',
    db,
    logger,
    wokenBy: ['events'],
    find: () => queries.organizationsWithLeaves(db),
    nextDue: () => queries.untilLeave(db),
    work: ({ org_id }) => tellLeaves(within(db, org_id)),
  });
