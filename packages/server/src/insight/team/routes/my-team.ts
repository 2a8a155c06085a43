import { Type } from 'typebox';
import { ManagedAccount, managedAccount } from '../../../inventory/records/routes/schemas.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { listTeam, teamMember } from '../team.ts';
import { reading, TeamMemberItem, tags, teamMemberItem } from './schemas.ts';

export function listTeamRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/my-team/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List the people who report to you',
        description: 'The direct reports of the caller: active people first, then by name.',
        querystring: Type.Object({
          ...pageQuery,
          q: Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'Part of the name or the email, compared without case.',
            }),
          ),
        }),
        response: { 200: envelope(TeamMemberItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { count, results } = await listTeam(callOf(db, request), request.query.q?.trim() || null, page);
      return listReply(request, origin(request), page, { count, results: results.map(teamMemberItem) });
    },
  );
}

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
          200: Component('TeamMemberDetails', {
            ...TeamMemberItem.properties,
            accounts: Type.Array(ManagedAccount),
          }),
        },
      },
    },
    async (request) => {
      const { accounts, ...member } = await teamMember(
        callOf(db, request),
        request.params.report_id.toLowerCase(),
      );
      return { ...teamMemberItem(member), accounts: accounts.map(managedAccount) };
    },
  );
}
