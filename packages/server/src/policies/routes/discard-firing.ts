import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { discardFiring } from '../policies.ts';
import { knownPolicy, managing, PolicyItem, PolicyParams, policyItem, tags } from './schemas.ts';

export function discardFiringRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/policies/:policy_id/discard/',
    {
      config: managing,
      onRequest: knownPolicy(db),
      schema: {
        tags,
        summary: 'Discard held actions',
        description: 'Creates none of the held tasks.',
        params: PolicyParams,
        response: { 200: PolicyItem },
      },
    },
    async (request) =>
      policyItem(await discardFiring(db, request.principal, request.params.policy_id, causeOf(request))),
  );
}
