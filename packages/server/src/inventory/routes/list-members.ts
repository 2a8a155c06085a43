import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { membersOf } from '../resources.ts';
import { AccountStatus } from './schemas.ts';

const Member = Type.Object({
  external_uuid: Uuid,
  email: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  status: AccountStatus,
  user: Nullable(Uuid),
  granted_at: Timestamp,
});

export function listMembersRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/resources/:resource_id/members/',
    {
      config: {
        access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
        reads: 'replica',
      },
      onRequest: withApp(db),
      schema: {
        tags: ['Apps'],
        summary: 'List the accounts that hold a group or license',
        params: Type.Object({ app_id: Uuid, resource_id: Uuid }),
        querystring: Type.Object(longPageQuery),
        response: { 200: longEnvelope(Member) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { orgId } = request.principal;
      const slice = await membersOf(db, orgId, request.bridgeApp.id, request.params.resource_id, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
