import { Type } from 'typebox';
import { ManagedAccount, managedAccount } from '../../inventory/routes/schemas.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { teamMember } from '../team.ts';
import { reading, TeamMemberItem, tags, teamMemberItem } from './schemas.ts';

export function getTeamMemberRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/my-team/:report_id/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Get a person who reports to you',
        description: 'With their accounts, newest first, up to 200. 404 for everybody else.',
        params: Type.Object({ report_id: Uuid }),
        response: {
          200: Type.Object({ ...TeamMemberItem.properties, accounts: Type.Array(ManagedAccount) }),
        },
      },
    },
    async ({ principal, params }) => {
      const { accounts, ...member } = await teamMember(db, principal, params.report_id.toLowerCase());
      return { ...teamMemberItem(member), accounts: accounts.map(managedAccount) };
    },
  );
}
