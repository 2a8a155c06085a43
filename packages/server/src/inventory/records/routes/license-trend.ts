import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { withApp } from '../../apps/with-app.ts';
import { licenseTrend } from '../license-trend.ts';

const Count = Type.Integer();

export function licenseTrendRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/apps/:app_id/license-trend/',
    {
      config: {
        access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
        reads: 'replica',
      },
      onRequest: withApp(db),
      schema: {
        tags: ['Apps'],
        summary: 'Show how many licenses of an app were assigned in the last 12 months',
        description:
          'Up to 24 times, evenly spaced from the first completed sync or 12 months ago until now. Counts the existing licenses with a limited number of seats, or all if there is none. The number of seats at earlier times is not on record.',
        params: Type.Object({ app_id: Uuid }),
        querystring: Type.Object({
          resource_id: Type.Optional({ ...Uuid, description: 'Only this license.' }),
        }),
        response: {
          200: Component('LicenseTrend', {
            licenses: Type.Integer({ description: 'The number of licenses that are counted.' }),
            left_out: Type.Integer({ description: 'The number of licenses without a limit of seats.' }),
            seats: Nullable(Type.Integer({ description: 'Their seats today. Null if not limited.' })),
            results: Type.Array(Type.Object({ as_of: Timestamp, assigned: Count }), {
              description: 'Oldest first. Empty before the first completed sync.',
            }),
          }),
        },
      },
    },
    async ({ principal, bridgeApp, reads, query }) =>
      licenseTrend(within(reads.db, principal.orgId), bridgeApp.id, query.resource_id ?? null),
  );
}
