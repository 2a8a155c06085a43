import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { confirmFiring } from '../policies.ts';
import { knownPolicy, managing, PolicyItem, PolicyParams, policyItem, tags } from './schemas.ts';

export function confirmFiringRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/policies/:policy_id/confirm/',
    {
      config: managing,
      onRequest: knownPolicy(db),
      schema: {
        tags,
        summary: 'Confirm held actions',
        description: 'Creates the held tasks, batch by batch.',
        params: PolicyParams,
        response: { 200: PolicyItem },
      },
    },
    async (request) =>
      policyItem(await confirmFiring(db, request.principal, request.params.policy_id, causeOf(request))),
  );
}
