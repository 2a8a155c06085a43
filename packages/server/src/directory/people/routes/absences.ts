import { type Static, Type } from 'typebox';
import { resource } from '#kit/http.ts';
import { Component, Instant, Nullable, Uuid } from '#kit/schemas.ts';
import {
  type AbsenceRequest,
  changeAbsence,
  changeableAbsence,
  createAbsence,
  deleteAbsence,
  listAbsences,
} from '../absences.ts';
import { type Absence, AbsenceKind, AbsenceView, reading, tag } from '../schemas.ts';
import { people } from './users.ts';

/** People set their own absences, and administrators everybody's. */
const setting = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'member'], personal: true },
} as const;

const fields = {
  deputy: Type.Optional(Nullable({ ...Uuid, description: 'Required unless `kind` is leave.' })),
  deputy_email: Type.Optional(Type.String({ maxLength: 320, description: 'Instead of `deputy`.' })),
  ends_at: Type.Optional(
    Nullable({ ...Instant, description: 'Null, or absent: a leave without a known end.' }),
  ),
  reason: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 1000,
        description: 'Owners, administrators and the user see it, and nobody else.',
      }),
    ),
  ),
};
const NewAbsence = Component('NewAbsence', {
  kind: Type.Optional(Type.Enum(AbsenceKind.enum, { default: 'away' })),
  ...fields,
  starts_at: Instant,
});
const AbsenceChange = Component('AbsenceChange', { ...fields, starts_at: Type.Optional(Instant) });

/** Returns the fields that a body names. */
const absenceIn = (body: Static<typeof AbsenceChange>): Partial<AbsenceRequest> => ({
  ...(body.deputy === undefined ? {} : { deputy: body.deputy }),
  ...(body.deputy_email === undefined ? {} : { deputyEmail: body.deputy_email }),
  ...(body.starts_at === undefined ? {} : { startsAt: body.starts_at }),
  ...(body.ends_at === undefined ? {} : { endsAt: body.ends_at }),
  ...(body.reason === undefined ? {} : { reason: body.reason }),
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
      description:
        'While the user is away or on leave, the deputy decides requests and reviews for them. Without a deputy, the next in line decides.',
      config: setting,
      body: NewAbsence,
      reply: AbsenceView,
      status: 201,
    },
    ({ call, found, body }) => {
      const { kind = 'away', starts_at: startsAt, ends_at: endsAt = null } = body;
      return createAbsence(call, found.id, { ...absenceIn(body), kind, startsAt, endsAt });
    },
  ),
  absences.change('Change an absence', { body: AbsenceChange }, ({ call, found, body }) =>
    changeAbsence(call, found.user.external_uuid, found.external_uuid, absenceIn(body)),
  ),
  absences.remove('Remove an absence', {}, ({ call, found }) =>
    deleteAbsence(call, found.user.external_uuid, found.external_uuid),
  ),
];
