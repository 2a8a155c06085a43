import { Type } from 'typebox';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { PlanCounts } from '../../provisioning/plan-counts.ts';
import { previewPolicy } from '../policies.ts';
import { PreviewedTask, previewedTask } from '../previewed-task.ts';
import { knownPolicy, PolicyParams, reading, tags } from './schemas.ts';

const Preview = Type.Object({
  count: Type.Integer(),
  counts: PlanCounts,
  needs_confirmation: Type.Boolean({
    description:
      'Whether a firing of this size would be held for confirmation, or its tasks because they exceed the daily budget of an app.',
  }),
  tasks: Type.Array(PreviewedTask, { description: 'The first 200 tasks.' }),
});

export function previewPolicyRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/policies/:policy_id/preview/',
    {
      config: reading,
      onRequest: knownPolicy(db),
      schema: {
        tags,
        summary: 'Preview policy',
        description:
          'Returns the tasks that the policy would create now if its trigger fired for everyone it matches. Creates nothing. For the whole list, see `plans/`.',
        params: PolicyParams,
        response: { 200: Preview },
      },
    },
    async ({ principal, params }) => {
      const preview = await previewPolicy(db, principal, params.policy_id);
      return { ...preview, tasks: preview.tasks.map(previewedTask) };
    },
  );
}
