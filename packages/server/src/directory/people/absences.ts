import { recordMeans } from '#directory/means/means.ts';
import { type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type CallTx, findIdentityByEmail, requireAllApps } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { instantForSql } from '#kit/instants.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordEvents } from '#log/events/record.ts';
import { absenceCreated, absenceUpdated } from './absence-events.ts';
import { endPostponed, removeAbsences } from './leaves.ts';
import { type Person, personOf } from './people.ts';
import * as queries from './queries/absences.ts';
import { type AbsenceRow, FOREVER } from './queries/absences.ts';
import { findPerson, lockPerson } from './queries/people.ts';
import type { Absence } from './schemas.ts';
import { personRefusals } from './sentences.ts';

/** An absence as a request describes it. The deputy is a person's id or email. A leave can have none. */
export interface AbsenceRequest {
  deputy?: string | null;
  deputyEmail?: string;
  kind?: Absence['kind'];
  /** ISO 8601. */
  startsAt: string;
  /** Null: a leave without an end that anybody knows. */
  endsAt: string | null;
  reason?: string | null;
}

const LONGEST_DAYS = { away: 366, leave: 3653 };
const ONE_DAY = 24 * 3600 * 1000;

export async function listAbsences(call: Call, userId: string, page: Page): Promise<Slice<Absence>> {
  const { count, results } = await queries.listAbsences(call, userId, page);
  return { count, results: results.map((absence) => asSeenBy(call, absence)) };
}

/** Returns an absence without its reason, unless the caller is its person, an owner or an administrator. */
const asSeenBy = ({ principal }: Call, absence: Absence): Absence => {
  const isOwn = absence.user.external_uuid === principal.userId;
  return isOwn || principal.role === 'owner' || principal.role === 'admin'
    ? absence
    : { ...absence, reason: null };
};

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
    if (row.deputyId !== null) await recordMeans(tx, 'deputy', row.deputyId);
    const absence = await absenceOf(tx, person.id, created);
    await recordEvents(tx, [absenceCreated(person, call.cause, absence)]);
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
      endsAt: before.ends_at?.toISOString() ?? null,
      ...(change.deputyEmail === undefined ? { deputy: before.deputy?.external_uuid ?? null } : {}),
      reason: before.reason,
      ...change,
      kind: before.kind,
    };
    const row = await validRow(tx, person, request, absenceId);
    await queries.updateAbsence(tx, absenceId, row);
    if (row.deputyId !== null && row.deputyId !== before.deputy?.external_uuid)
      await recordMeans(tx, 'deputy', row.deputyId);
    const after = await absenceOf(tx, person.id, absenceId);
    await recordEvents(tx, [
      ...absenceUpdated(person, call.cause, before, after),
      ...(await endPostponed(tx, [after])),
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
    await recordEvents(tx, await removeAbsences(tx, person, call.cause, [absence]));
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
  if (ends_at !== null && ends_at.getTime() <= Date.now()) throw personRefusals.absence_ended();
}

async function validRow(
  tx: CallTx,
  person: Person,
  request: AbsenceRequest,
  absenceId: string | null,
): Promise<AbsenceRow> {
  const { kind = 'away', reason = null } = request;
  const startsAt = instantForSql(request.startsAt);
  if (request.endsAt === null && kind !== 'leave') throw personRefusals.absence_without_end();
  const endsAt = request.endsAt === null ? FOREVER : instantForSql(request.endsAt);
  const [start, end] = [Date.parse(startsAt), endsAt === FOREVER ? Infinity : Date.parse(endsAt)];
  const most = LONGEST_DAYS[kind];
  if (end <= start) throw personRefusals.absence_order();
  if (end <= Date.now()) throw personRefusals.absence_end_past();
  if (end < Infinity && end - start > most * ONE_DAY) throw personRefusals.absence_too_long({ most });
  const deputyId = await requireDeputy(tx, person, request);
  const other = await queries.overlapping(tx, person.id, {
    startsAt,
    endsAt,
    except: absenceId,
  });
  if (other !== undefined) {
    const starts_at = other.starts_at.toISOString();
    if (other.ends_at === null) throw personRefusals.absence_overlaps_leave({ starts_at });
    throw personRefusals.absence_overlaps({ starts_at, ends_at: other.ends_at.toISOString() });
  }
  return { kind, deputyId, startsAt, endsAt, reason: reason?.trim() || null };
}

/**
 * Returns the deputy's id, or null for a leave without one. Members learn nothing about people whom they cannot name: an unknown person, a deactivated one and an
 * auditor get the same response.
 */
async function requireDeputy(
  tx: CallTx,
  person: Person,
  { kind, deputy, deputyEmail }: Pick<AbsenceRequest, 'kind' | 'deputy' | 'deputyEmail'>,
): Promise<string | null> {
  if (deputy == null && deputyEmail === undefined) {
    if (kind === 'leave') return null;
    throw personRefusals.deputy_missing();
  }
  const id = deputy ?? (await findIdentityByEmail(tx, deputyEmail as string))?.id;
  const found = id === undefined ? undefined : await findPerson(tx, id);
  const canDecide = found?.status === 'active' && found.role !== 'auditor';
  if (found === undefined || (tx.principal.role === 'member' && !canDecide)) throw notFound('Deputy');
  if (found.id === person.id) throw personRefusals.deputy_is_self();
  if (found.status !== 'active') throw personRefusals.deputy_deactivated({ email: found.email });
  if (found.role === 'auditor') throw personRefusals.deputy_is_auditor({ email: found.email });
  return found.id;
}
