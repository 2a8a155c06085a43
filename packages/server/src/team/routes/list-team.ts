import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listTeam } from '../team.ts';
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
      const { count, results } = await listTeam(db, request.principal, request.query.q?.trim() || null, page);
      return listReply(request, origin(request), page, { count, results: results.map(teamMemberItem) });
    },
  );
}
