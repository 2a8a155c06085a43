import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listLeavers } from '../leavers.ts';
import { AccountStatus } from './schemas.ts';

const LeaverView = Type.Object({
  external_uuid: Uuid,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  status: Type.Enum(['active', 'deactivated']),
  end_date: Nullable(Type.String({ format: 'date' })),
  inactive_since: Nullable({
    ...Timestamp,
    description: 'When the user was deactivated. null: active and past the end date, or not on record.',
  }),
  accounts: Type.Array(
    Type.Object({
      external_uuid: Uuid,
      email: Type.String(),
      username: Type.String(),
      status: AccountStatus,
      app: Type.Object({ external_uuid: Uuid, name: Type.String() }),
    }),
    { description: 'At most 50 accounts that are INVITED, ACTIVE or SUSPENDED.' },
  ),
});

export function listLeaversRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/users/leavers/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      schema: {
        tags: ['People'],
        summary: 'List leavers with access',
        description:
          'Users who are deactivated or past their end date (UTC), and still have accounts that are INVITED, ACTIVE or SUSPENDED.',
        querystring: Type.Object({
          ...longPageQuery,
          user: Type.Optional({ ...Uuid, description: 'Only this user.' }),
        }),
        response: { 200: longEnvelope(LeaverView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { user = null } = request.query;
      const slice = await listLeavers(request.reads.db, request.principal.orgId, user, page);
      const results = slice.results.map(({ id, ...person }) => ({ external_uuid: id, ...person }));
      return listReply(request, origin(request), page, { ...slice, results });
    },
  );
}
