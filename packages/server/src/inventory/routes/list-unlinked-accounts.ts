import { Type } from 'typebox';
import { AppReference, appReference } from '../../apps/reference.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listUnlinked, SUGGESTION_REASONS } from '../suggestions.ts';
import { AccountStatus } from './schemas.ts';

const UnlinkedView = Type.Object({
  external_uuid: Uuid,
  app: AppReference,
  external_id: Nullable(Type.String()),
  email: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  status: AccountStatus,
  created_at: Timestamp,
  suggestions: Type.Array(
    Type.Object({
      user: Type.Object({
        external_uuid: Uuid,
        email: Type.String(),
        first_name: Type.String(),
        last_name: Type.String(),
        status: Type.Enum(['active', 'deactivated']),
      }),
      score: Type.Integer({ minimum: 0, maximum: 100 }),
      reason: Type.Enum([...SUGGESTION_REASONS], {
        description: 'The same email, username, part of the email before the @, or a name that is alike.',
      }),
    }),
    { description: 'At most 5 users, the likeliest first.' },
  ),
});

export function listUnlinkedAccountsRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/accounts/unlinked/',
    {
      config: {
        access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] },
        reads: 'replica',
      },
      schema: {
        tags: ['Accounts'],
        summary: 'List unlinked accounts with suggestions',
        description:
          'Accounts that belong to nobody and have no owner, oldest first, each with the users to whom it may belong.',
        querystring: Type.Object({ ...pageQuery, app: Type.Optional(Uuid) }),
        response: { 200: envelope(UnlinkedView) },
      },
    },
    async (request) => {
      const { query, principal } = request;
      const page = pageOf(query);
      const { count, results } = await listUnlinked(
        request.reads.db,
        principal.orgId,
        query.app ?? null,
        page,
      );
      const accounts = results.map(({ id, app_id, app_name, suggestions, ...account }) => ({
        ...account,
        external_uuid: id,
        status: account.status as 'ACTIVE',
        app: appReference(app_id, app_name),
        suggestions: suggestions.map(({ score, reason, user_id, ...user }) => ({
          user: { external_uuid: user_id, ...user },
          score,
          reason,
        })),
      }));
      return listReply(request, origin(request), page, { count, results: accounts });
    },
  );
}
