import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listKeys } from '../keys.ts';
import { ApiKey, manageKeys, tags } from './schemas.ts';

export function listApiKeysRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/api-keys/',
    {
      config: { access: manageKeys },
      schema: {
        tags,
        summary: 'List API keys',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ApiKey) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const keys = await listKeys(db, request.principal.orgId, page);
      return listReply(request, origin(request), page, keys);
    },
  );
}
