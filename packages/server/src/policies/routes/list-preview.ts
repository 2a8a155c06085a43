import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import { Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { PlanCounts } from '../../provisioning/plan-counts.ts';
import { type PreviewState, readPreview, startPreview } from '../preview.ts';
import { PreviewedTask } from '../previewed-task.ts';
import { knownPolicy, PolicyParams, reading, tags } from './schemas.ts';

const State = Type.Object({
  plan_id: Uuid,
  status: Type.Enum(['running', 'completed', 'failed']),
  counts: PlanCounts,
  created_at: Timestamp,
});
const List = Type.Object({ ...State.properties, ...envelope(PreviewedTask).properties });

const stateOf = ({ id, status, counts, created_at }: PreviewState) => ({
  plan_id: id,
  status,
  counts,
  created_at,
});

/** The plan of a policy: all tasks that it would create. A job writes it, and it expires after 24 hours. */
export function listPreviewRoutes(http: Http, { db, jobs, origin }: RouteTools & { jobs: Jobs }) {
  http.post(
    '/api/policies/:policy_id/plans/',
    {
      config: reading,
      onRequest: knownPolicy(db),
      schema: {
        tags,
        summary: 'Start a plan of a policy',
        description:
          'Starts a job that lists all tasks that the policy would create now. It creates none of them. The plan expires after 24 hours.',
        params: PolicyParams,
        response: { 202: State },
      },
    },
    async ({ principal, params }, reply) => {
      reply.code(202);
      return stateOf(await startPreview({ db, jobs }, principal, params.policy_id));
    },
  );
  http.get(
    '/api/policies/:policy_id/plans/:plan_id/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Get a plan of a policy',
        description: 'The counts and the results grow until `status` is completed.',
        params: Type.Object({ ...PolicyParams.properties, plan_id: Uuid }),
        querystring: Type.Object(pageQuery),
        response: { 200: List },
      },
    },
    async (request) => {
      const { principal, params } = request;
      const page = pageOf(request.query);
      const preview = await readPreview(db, principal, params.policy_id, params.plan_id, page);
      const { count, results } = preview;
      return { ...stateOf(preview), ...listReply(request, origin(request), page, { count, results }) };
    },
  );
}
