import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { deletePolicy } from '../policies.ts';
import { knownPolicy, managing, PolicyParams, tags } from './schemas.ts';

const Query = Type.Object({
  cancel_tasks: Type.Optional(
    Type.Boolean({ default: false, description: 'true: also cancel its open tasks.' }),
  ),
});

export function deletePolicyRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/policies/:policy_id/',
    {
      config: managing,
      onRequest: knownPolicy(db),
      schema: {
        tags,
        summary: 'Delete policy',
        params: PolicyParams,
        querystring: Query,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, query } = request;
      await deletePolicy(db, principal, params.policy_id, query.cancel_tasks ?? false, causeOf(request));
      reply.code(204);
      return null;
    },
  );
}
