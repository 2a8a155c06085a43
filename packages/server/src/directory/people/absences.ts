import { recordMeans } from '#directory/access/means.ts';
import { type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type CallTx, type RequestCause, requireAllApps } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { instantForSql } from '#kit/instants.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { changedFields } from '#log/events/changes.ts';
import { recordEvents } from '#log/events/record.ts';
import { type Person, personOf } from './people.ts';
import type { AbsenceRow } from './queries/absences.ts';
import * as queries from './queries/absences.ts';
import { findPerson, lockPerson } from './queries/people.ts';
import type { Absence } from './schemas.ts';
import { personRefusals } from './sentences.ts';

/** An absence as a request describes it. The deputy is a person's id or email. */
export interface AbsenceRequest {
  deputy?: string;
  deputyEmail?: string;
  /** ISO 8601. */
  startsAt: string;
  endsAt: string;
}

const LONGEST_DAYS = 366;
const ONE_DAY = 24 * 3600 * 1000;

export const listAbsences = (db: OrgDb, userId: string, page: Page): Promise<Slice<Absence>> =>
  queries.listAbsences(db, userId, page);

async function absenceOf(db: OrgDb, userId: string, absenceId: string): Promise<Absence> {
  const absence = isUuid(absenceId) ? await queries.findAbsence(db, userId, absenceId) : undefined;
  if (absence === undefined) throw notFound('Absence');
  return absence;
}

/** Returns an absence that the caller may want to change. Throws 404 or 403 as personOf does. */
export async function changeableAbsence(call: Call, userId: string, absenceId: string): Promise<Absence> {
  await personOf(call, userId);
  requireAllApps(call.principal, 'changing absences');
  return absenceOf(call, userId, absenceId);
}

/** Sets an absence. 409 if it overlaps another absence of the person, or if the deputy cannot decide. */
export async function createAbsence(call: Call, userId: string, request: AbsenceRequest): Promise<Absence> {
  const id = await transaction(call, async (tx) => {
    const person = await lockAbsentee(tx, userId);
    const row = await validRow(tx, person, request, null);
    const created = await queries.insertAbsence(tx, person.id, call.principal.userId, row);
    await recordMeans(tx, 'deputy', row.deputyId);
    const absence = await absenceOf(tx, person.id, created);
    await recordEvents(tx, [
      { ...about(person, call.cause), type: 'absence.created', payload: payloadOf(absence) },
    ]);
    return created;
  });
  return absenceOf(call, userId, id);
}

/** Changes an absence that has not ended. */
export async function changeAbsence(
  call: Call,
  userId: string,
  absenceId: string,
  change: Partial<AbsenceRequest>,
): Promise<Absence> {
  await transaction(call, async (tx) => {
    const person = await lockAbsentee(tx, userId);
    const before = await absenceOf(tx, person.id, absenceId);
    requireOpen(before);
    const request = {
      startsAt: before.starts_at.toISOString(),
      endsAt: before.ends_at.toISOString(),
      ...(change.deputyEmail === undefined ? { deputy: before.deputy.external_uuid } : {}),
      ...change,
    };
    const row = await validRow(tx, person, request, absenceId);
    await queries.updateAbsence(tx, absenceId, row);
    await recordMeans(tx, 'deputy', row.deputyId);
    const after = await absenceOf(tx, person.id, absenceId);
    const changes = changedFields(payloadOf(before), payloadOf(after), ['deputy_id', 'starts_at', 'ends_at']);
    if (changes.length > 0)
      await recordEvents(tx, [
        { ...about(person, call.cause), type: 'absence.updated', payload: { ...payloadOf(after), changes } },
      ]);
  });
  return absenceOf(call, userId, absenceId);
}

/** Removes an absence that has not ended. From then on, the person decides alone again. */
export async function deleteAbsence(call: Call, userId: string, absenceId: string): Promise<void> {
  await transaction(call, async (tx) => {
    const person = await lockAbsentee(tx, userId);
    const absence = await absenceOf(tx, person.id, absenceId);
    requireOpen(absence);
    await queries.deleteAbsence(tx, absenceId);
    await recordEvents(tx, [
      { ...about(person, call.cause), type: 'absence.deleted', payload: payloadOf(absence) },
    ]);
  });
}

/** Locks the person, so that their absences are checked one at a time. Members may lock only themselves. */
async function lockAbsentee(tx: CallTx, userId: string): Promise<Person> {
  requireAllApps(tx.principal, 'changing absences');
  if (tx.principal.role === 'member' && userId.toLowerCase() !== tx.principal.userId)
    throw personRefusals.absence_of_another();
  const person = await lockPerson(tx, userId);
  if (person === undefined) throw notFound('Person');
  return person;
}

function requireOpen({ ends_at }: Absence) {
  if (ends_at.getTime() <= Date.now()) throw personRefusals.absence_ended();
}

async function validRow(
  tx: CallTx,
  person: Person,
  request: AbsenceRequest,
  absenceId: string | null,
): Promise<AbsenceRow> {
  const [startsAt, endsAt] = [instantForSql(request.startsAt), instantForSql(request.endsAt)];
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)];
  if (end <= start) throw personRefusals.absence_order();
  if (end <= Date.now()) throw personRefusals.absence_end_past();
  if (end - start > LONGEST_DAYS * ONE_DAY) throw personRefusals.absence_too_long({ most: LONGEST_DAYS });
  const deputyId = await requireDeputy(tx, person, request);
  const other = await queries.overlapping(tx, person.id, {
    startsAt,
    endsAt,
    except: absenceId,
  });
  if (other !== undefined)
    throw personRefusals.absence_overlaps({
      starts_at: other.starts_at.toISOString(),
      ends_at: other.ends_at.toISOString(),
    });
  return { deputyId, startsAt, endsAt };
}

/**
 * Returns the deputy's id. Members learn nothing about people whom they cannot name: an unknown person, a deactivated one and an
 * auditor get the same response.
 */
async function requireDeputy(
  tx: CallTx,
  person: Person,
  { deputy, deputyEmail }: Pick<AbsenceRequest, 'deputy' | 'deputyEmail'>,
): Promise<string> {
  if (deputy === undefined && deputyEmail === undefined) throw personRefusals.deputy_missing();
  const id = deputy ?? (await queries.findIdByEmail(tx, deputyEmail as string));
  const found = id === undefined ? undefined : await findPerson(tx, id);
  const canDecide = found?.status === 'active' && found.role !== 'auditor';
  if (found === undefined || (tx.principal.role === 'member' && !canDecide)) throw notFound('Deputy');
  if (found.id === person.id) throw personRefusals.deputy_is_self();
  if (found.status !== 'active') throw personRefusals.deputy_deactivated({ email: found.email });
  if (found.role === 'auditor') throw personRefusals.deputy_is_auditor({ email: found.email });
  return found.id;
}

const about = ({ id }: Person, { actor, source }: RequestCause) => ({
  actor,
  subject: { type: 'platform_user' as const, uuid: id },
  source,
});

const payloadOf = ({ external_uuid, user, deputy, starts_at, ends_at }: Absence) => ({
  user_id: user.external_uuid,
  email: user.email,
  absence_id: external_uuid,
  deputy_id: deputy.external_uuid,
  starts_at: starts_at.toISOString(),
  ends_at: ends_at.toISOString(),
});
