import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listKeys } from '../keys.ts';
import { ApiKey, manageKeys, tags } from './schemas.ts';

const Filters = Type.Object({
  ...pageQuery,
  user: Type.Optional(Uuid),
  live: Type.Optional(
    Type.Boolean({ description: 'true: only keys that work. false: only keys that do not.' }),
  ),
});

export function listApiKeysRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/api-keys/',
    {
      config: { access: manageKeys },
      schema: {
        tags,
        summary: 'List API keys',
        description: 'Newest first. An API key sees only keys that do not exceed its own scopes and apps.',
        querystring: Filters,
        response: { 200: envelope(ApiKey) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { user = null, live = null } = request.query;
      const keys = await listKeys(db, request.principal, { user, live }, page);
      return listReply(request, origin(request), page, keys);
    },
  );
}
