import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getPolicy } from '../policies.ts';
import { PolicyItem, PolicyParams, policyItem, reading, tags } from './schemas.ts';

export function getPolicyRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/policies/:policy_id/',
    {
      config: reading,
      schema: { tags, summary: 'Get policy', params: PolicyParams, response: { 200: PolicyItem } },
    },
    async ({ principal, params }) => policyItem(await getPolicy(db, principal, params.policy_id)),
  );
}
