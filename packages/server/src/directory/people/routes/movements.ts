import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { Component, Nullable } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { listMovements } from '../movements.ts';
import { tags } from './schemas.ts';

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

export function listMovementsRoute(http: Http) {
  http.get(
    '/api/users/movements/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      schema: {
        tags,
        summary: 'Count joiners, movers and leavers of a month',
        description:
          'Users who became active, changed their department or stopped being active between the beginning and the end of a month (UTC), grouped by department. The current month ends now.',
        querystring: Type.Object({
          month: Type.Optional(
            Type.String({
              pattern: '^(19|20)\\d\\d-(0[1-9]|1[0-2])$',
              description: 'For example 2026-11. The default is the current month.',
            }),
          ),
        }),
        response: { 200: Movements },
      },
    },
    ({ reads: { db }, principal: { orgId }, query }) => listMovements(within(db, orgId), query.month),
  );
}
