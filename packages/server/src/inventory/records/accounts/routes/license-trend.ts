import { Type } from 'typebox';
import { apps } from '#inventory/apps/routes/apps.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { licenseTrend } from '../license-trend.ts';

const Count = Type.Integer();

export const licenseTrendRoute = apps.one.get(
  'license-trend/',
  'Show how many licenses of an app were assigned in the last 12 months',
  {
    description:
      'Up to 24 times, evenly spaced from the first completed sync or 12 months ago until now. Counts the existing licenses with a limited number of seats, or all if there is none. The number of seats at earlier times is not on record.',
    config: {
      access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
      reads: 'replica',
    },
    query: { resource_id: Type.Optional({ ...Uuid, description: 'Only this license.' }) },
    reply: Component('LicenseTrend', {
      licenses: Type.Integer({ description: 'The number of licenses that are counted.' }),
      left_out: Type.Integer({ description: 'The number of licenses without a limit of seats.' }),
      seats: Nullable(Type.Integer({ description: 'Their seats today. Null if not limited.' })),
      results: Type.Array(Type.Object({ as_of: Timestamp, assigned: Count }), {
        description: 'Oldest first. Empty before the first completed sync.',
      }),
    }),
  },
  ({ call, found, query }) => licenseTrend(call, found.id, query.resource_id ?? null),
);
