import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { createPolicy } from '../policies.ts';
import { allApps, effectsIn, managing, PolicyItem, policyFields, policyItem, tags } from './schemas.ts';

export function createPolicyRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/policies/',
    {
      config: managing,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'Create policy',
        body: Type.Object(policyFields),
        response: { 201: PolicyItem },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const { delay = null, enabled = true } = body;
      const spec = { ...body, effects: effectsIn(body.effects), delay, enabled };
      const policy = await createPolicy(db, principal, spec, causeOf(request));
      reply.code(201);
      return policyItem(policy);
    },
  );
}
