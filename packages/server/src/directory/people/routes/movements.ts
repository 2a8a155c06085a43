import { Type } from 'typebox';
import { Component, Nullable } from '#kit/schemas.ts';
import { listMovements } from '../movements.ts';
import { surveying } from '../schemas.ts';
import { people } from './users.ts';

const Place = Type.Enum(['outside', 'department', 'none', 'other'], {
  description:
    'outside: not active, before joining or after leaving. none: without a department. other: a department beyond the 15 with most movements.',
});

const Movements = Component('UserMovements', {
  month: Type.String(),
  results: Type.Array(
    Component('UserMovement', {
      from_place: Place,
      from_department: Nullable(Type.String()),
      to_place: Place,
      to_department: Nullable(Type.String()),
      people: Type.Integer(),
    }),
  ),
});

export const movementRoutes = [
  people.all.get(
    'movements/',
    'Count joiners, movers and leavers of a month',
    {
      config: surveying,
      description:
        'Users who became active, changed their department or stopped being active between the beginning and the end of a month (UTC), grouped by department. The current month ends now.',
      query: {
        month: Type.Optional(
          Type.String({
            pattern: '^(19|20)\\d\\d-(0[1-9]|1[0-2])$',
            description: 'For example 2026-11. The default is the current month.',
          }),
        ),
      },
      reply: Movements,
    },
    ({ call, query }) => listMovements(call, query.month),
  ),
];
