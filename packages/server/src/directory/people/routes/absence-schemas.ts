import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { Component, Instant, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { RouteTools } from '../../../kit/http/server.ts';
import { requireAllApps } from '../../../kit/identity/principal.ts';
import { type AbsenceRequest, absenceOf } from '../absences.ts';
import type { Absence } from '../queries/absences.ts';
import { PersonEmail } from '../reference.ts';
import { requirePerson } from './tools.ts';

/** People set their own absences, and administrators everybody's. */
export const settingAbsences = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'member'], personal: true },
} as const;

export const AbsenceParams = Type.Object({ user_id: Uuid, absence_id: Uuid });

export const AbsenceView = Component('Absence', {
  external_uuid: Uuid,
  user: PersonEmail,
  deputy: PersonEmail,
  starts_at: Timestamp,
  ends_at: Timestamp,
  created_by: Uuid,
  created_at: Timestamp,
});

const deputy = {
  deputy: Type.Optional(Uuid),
  deputy_email: Type.Optional(Type.String({ maxLength: 320, description: 'Instead of `deputy`.' })),
};
export const NewAbsence = Component('NewAbsence', { ...deputy, starts_at: Instant, ends_at: Instant });
export const AbsenceChange = Component('AbsenceChange', {
  ...deputy,
  starts_at: Type.Optional(Instant),
  ends_at: Type.Optional(Instant),
});

export const absenceView = ({ id, ...absence }: Absence) => ({ external_uuid: id, ...absence });

export const newAbsenceIn = (body: Static<typeof NewAbsence>): AbsenceRequest => ({
  ...absenceIn(body),
  startsAt: body.starts_at,
  endsAt: body.ends_at,
});

/** Returns the fields that a body names. */
export const absenceIn = (body: Static<typeof AbsenceChange>): Partial<AbsenceRequest> => ({
  ...(body.deputy === undefined ? {} : { deputy: body.deputy }),
  ...(body.deputy_email === undefined ? {} : { deputyEmail: body.deputy_email }),
  ...(body.starts_at === undefined ? {} : { startsAt: body.starts_at }),
  ...(body.ends_at === undefined ? {} : { endsAt: body.ends_at }),
});

/** Runs before the body is validated, so that 404 and 403 come before 400 (D6). */
export const knownAbsence = (tools: RouteTools) => [
  requirePerson(tools),
  async (request: FastifyRequest) => {
    requireAllApps(request.principal, 'changing absences');
    const { user_id, absence_id } = request.params as { user_id: string; absence_id: string };
    await absenceOf(within(tools.db, request.principal.orgId), user_id, absence_id);
  },
];
