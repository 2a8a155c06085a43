import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { existingGroup, setGroupRole } from '../groups.ts';
import { GroupParams, GroupRoleName, PersonGroupView, tags } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

export function setGroupRoleRoute(http: Http, { db, onPeople }: PeopleTools) {
  http.put(
    '/api/person-groups/:group_id/role/',
    {
      config: { access: { scope: 'session', roles: ['owner'] } },
      onRequest: async ({ principal, params }) => {
        await existingGroup(db, principal.orgId, (params as { group_id: string }).group_id);
      },
      schema: {
        tags,
        summary: 'Set the role that a group gives',
        description:
          'Members get the highest role that their groups give, at once and whenever they join. Without such a group they become members again. Owners stay owners.',
        params: GroupParams,
        body: Type.Object({ role: Nullable(GroupRoleName) }),
        response: { 200: PersonGroupView },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      return setGroupRole(db, principal, causeOf(request), onPeople, params.group_id, body.role);
    },
  );
}
