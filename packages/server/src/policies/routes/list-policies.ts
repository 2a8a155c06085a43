import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listPolicies } from '../policies.ts';
import { allApps, PolicyItem, policyItem, reading, Trigger, tags } from './schemas.ts';

const Filters = Type.Object({
  ...pageQuery,
  trigger: Type.Optional(Trigger),
  enabled: Type.Optional(Type.Boolean()),
});

export function listPoliciesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/policies/',
    {
      config: reading,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'List policies',
        querystring: Filters,
        response: { 200: envelope(PolicyItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { trigger = null, enabled = null } = request.query;
      const { count, results } = await listPolicies(db, request.principal, { trigger, enabled }, page);
      return listReply(request, origin(request), page, { count, results: results.map(policyItem) });
    },
  );
}
