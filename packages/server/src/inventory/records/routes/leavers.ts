import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../../kit/http/lists.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { listLeaversWithRemovals, type ReadRemovals } from '../leavers.ts';
import { AccountStatus } from './schemas.ts';

export interface LeaverTools extends RouteTools {
  readRemovals: ReadRemovals;
}

const Removal = Component('OpenRemoval', {
  task: Uuid,
  action: Type.Enum(['delete_account', 'suspend_account']),
  status: Type.Enum(['scheduled', 'pending']),
  execute_after: Timestamp,
  waits_for: Nullable(Type.String({ description: 'As `waits_for` of the task.' })),
});

const LeaverView = Component('Leaver', {
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
    Component('LeaverAccount', {
      external_uuid: Uuid,
      email: Type.String(),
      username: Type.String(),
      status: AccountStatus,
      app: Type.Object({ external_uuid: Uuid, name: Type.String() }),
      removals: Type.Array(Removal, {
        description: 'The open tasks that delete or suspend the account, in order of creation.',
      }),
    }),
    { description: 'At most 50 accounts that are INVITED, ACTIVE or SUSPENDED.' },
  ),
});

export function listLeaversRoute(http: Http, { origin, readRemovals }: LeaverTools) {
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
      const db = within(request.reads.db, request.principal.orgId);
      const slice = await listLeaversWithRemovals(db, readRemovals, user, page);
      const results = slice.results.map(({ id, ...person }) => ({ external_uuid: id, ...person }));
      return listReply(request, origin(request), page, { ...slice, results });
    },
  );
}
