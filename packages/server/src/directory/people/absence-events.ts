import type { Cause } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Absence } from './schemas.ts';

/* Events of absences. The reason of a leave is in none of them: more people read the log. */

const about = ({ id }: { id: string }, { actor, source }: Cause) => ({
  actor,
  subject: { type: 'platform_user' as const, uuid: id },
  source,
});

const payloadOf = ({ external_uuid, user, kind, deputy, starts_at, ends_at }: Absence) => ({
  user_id: user.external_uuid,
  email: user.email,
  absence_id: external_uuid,
  kind,
  deputy_id: deputy?.external_uuid ?? null,
  starts_at: starts_at.toISOString(),
  ends_at: ends_at?.toISOString() ?? null,
});

export const absenceCreated = (person: { id: string }, cause: Cause, absence: Absence): NewEvent => ({
  type: 'absence.created',
  ...about(person, cause),
  payload: payloadOf(absence),
});

/** Returns no event if nothing differs. */
export function absenceUpdated(
  person: { id: string },
  cause: Cause,
  before: Absence,
  after: Absence,
): NewEvent[] {
  const changes = changedFields(payloadOf(before), payloadOf(after), ['deputy_id', 'starts_at', 'ends_at']);
  return changes.length === 0
    ? []
    : [
        {
          type: 'absence.updated',
          ...about(person, cause),
          payload: { ...payloadOf(after), changes },
        },
      ];
}

export const absenceDeleted = (person: { id: string }, cause: Cause, absence: Absence): NewEvent => ({
  type: 'absence.deleted',
  ...about(person, cause),
  payload: payloadOf(absence),
});

/** A leave as its beginning and its end are told. */
export interface ToldLeave {
  absence_id: string;
  user_id: string;
  email: string;
}

export const leaveTold = (
  type: 'absence.leave_started' | 'absence.leave_ended',
  leave: ToldLeave,
  cause: Cause,
): NewEvent => ({ type, ...about({ id: leave.user_id }, cause), payload: { ...leave } });
