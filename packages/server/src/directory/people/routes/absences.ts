import { type Static, Type } from 'typebox';
import { resource } from '#kit/http.ts';
import { Component, Instant, Uuid } from '#kit/schemas.ts';
import {
  type AbsenceRequest,
  changeAbsence,
  changeableAbsence,
  createAbsence,
  deleteAbsence,
  listAbsences,
} from '../absences.ts';
import { type Absence, AbsenceView, reading, tag } from '../schemas.ts';
import { people } from './users.ts';

/** People set their own absences, and administrators everybody's. */
const setting = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'member'], personal: true },
} as const;

const deputy = {
  deputy: Type.Optional(Uuid),
  deputy_email: Type.Optional(Type.String({ maxLength: 320, description: 'Instead of `deputy`.' })),
};
const NewAbsence = Component('NewAbsence', { ...deputy, starts_at: Instant, ends_at: Instant });
const AbsenceChange = Component('AbsenceChange', {
  ...deputy,
  starts_at: Type.Optional(Instant),
  ends_at: Type.Optional(Instant),
});

/** Returns the fields that a body names. */
const absenceIn = (body: Static<typeof AbsenceChange>): Partial<AbsenceRequest> => ({
  ...(body.deputy === undefined ? {} : { deputy: body.deputy }),
  ...(body.deputy_email === undefined ? {} : { deputyEmail: body.deputy_email }),
  ...(body.starts_at === undefined ? {} : { startsAt: body.starts_at }),
  ...(body.ends_at === undefined ? {} : { endsAt: body.ends_at }),
});

const absences = resource({
  path: '/api/users/:user_id/absences/',
  tag,
  reading,
  managing: setting,
  params: { user_id: Uuid },
  id: 'absence_id',
  find: (call, id, { user_id = '' }) => changeableAbsence(call, user_id, id),
  schema: AbsenceView,
  view: (absence: Absence) => absence,
});

export const absenceRoutes = [
  people.listOf(
    'absences/',
    "List a user's absences",
    { description: 'The absence that ends last comes first.', item: AbsenceView },
    ({ call, found }, page) => listAbsences(call, found.id, page),
  ),
  people.one.post(
    'absences/',
    'Set an absence',
    {
      description: 'While the user is away, the deputy decides requests and reviews for them.',
      config: setting,
      body: NewAbsence,
      reply: AbsenceView,
      status: 201,
    },
    ({ call, found, body }) => {
      const times = { startsAt: body.starts_at, endsAt: body.ends_at };
      return createAbsence(call, found.id, { ...absenceIn(body), ...times });
    },
  ),
  absences.change('Change an absence', { body: AbsenceChange }, ({ call, found, body }) =>
    changeAbsence(call, found.user.external_uuid, found.external_uuid, absenceIn(body)),
  ),
  absences.remove('Remove an absence', {}, ({ call, found }) =>
    deleteAbsence(call, found.user.external_uuid, found.external_uuid),
  ),
];
