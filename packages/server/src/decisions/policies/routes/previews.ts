import { Type } from 'typebox';
import { UndecidedView, undecidedView } from '../../../directory/people/undecided.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import type { Jobs } from '../../../kit/jobs/jobs.ts';
import { PlanCounts } from '../../../work/provisioning/plan-counts.ts';
import { previewPolicy } from '../policies.ts';
import { readPreview, startPreview } from '../preview.ts';
import { PreviewedTask, previewedTasks } from '../previewed-task.ts';
import type { PreviewState } from '../queries/previews.ts';
import { knownPolicy, PolicyParams, reading, tags } from './schemas.ts';

const Preview = Component('PolicyPreview', {
  count: Type.Integer(),
  counts: PlanCounts,
  needs_confirmation: Type.Boolean({
    description:
      'Whether a firing of this size would be held for confirmation, or its tasks because they exceed the daily budget of an app.',
  }),
  tasks: Type.Array(PreviewedTask, { description: 'The first 200 tasks.' }),
  undecided: UndecidedView,
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
    async (request) => {
      const call = callOf(db, request);
      const preview = await previewPolicy(call, request.params.policy_id);
      const { tasks, undecided } = preview;
      return { ...preview, tasks: await previewedTasks(call, tasks), undecided: undecidedView(undecided) };
    },
  );
}

const State = Component('PolicyPlan', {
  plan_id: Uuid,
  status: Type.Enum(['running', 'completed', 'failed']),
  counts: PlanCounts,
  created_at: Timestamp,
  undecided: Nullable(UndecidedView),
});

const List = Component('PolicyPlanTasks', { ...State.properties, ...envelope(PreviewedTask).properties });

const stateOf = ({ id, status, counts, created_at, undecided }: PreviewState) => ({
  plan_id: id,
  status,
  counts,
  created_at,
  undecided: undecided && undecidedView(undecided),
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
    async (request, reply) => {
      reply.code(202);
      return stateOf(await startPreview({ db, jobs }, callOf(db, request), request.params.policy_id));
    },
  );
  http.get(
    '/api/policies/:policy_id/plans/:plan_id/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Get a plan of a policy',
        description:
          'The counts and the results grow until `status` is completed. Then `undecided` is set, too.',
        params: Type.Object({ ...PolicyParams.properties, plan_id: Uuid }),
        querystring: Type.Object(pageQuery),
        response: { 200: List },
      },
    },
    async (request) => {
      const { params } = request;
      const page = pageOf(request.query);
      const preview = await readPreview(callOf(db, request), params.policy_id, params.plan_id, page);
      const { count, results } = preview;
      return { ...stateOf(preview), ...listReply(request, origin(request), page, { count, results }) };
    },
  );
}
