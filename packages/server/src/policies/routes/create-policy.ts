import { Type } from 'typebox';
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
    async ({ principal, body }, reply) => {
      const { delay = null, enabled = true } = body;
      const policy = await createPolicy(db, principal, {
        ...body,
        effects: effectsIn(body.effects),
        delay,
        enabled,
      });
      reply.code(201);
      return policyItem(policy);
    },
  );
}
