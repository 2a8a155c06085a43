import { Type } from 'typebox';
import { UndecidedView, undecidedView } from '#directory/people/undecided.ts';
import { envelope, listReply, pageOf, pageQuery } from '#kit/http.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { PlanCounts } from '#work/provisioning/plan-counts.ts';
import { Contradicts, contradictsView } from '../contradictions.ts';
import { previewPolicy } from '../policies.ts';
import { readPreview, startPreview } from '../preview.ts';
import { PreviewedTask, previewedTasks } from '../previewed-task.ts';
import type { PreviewState } from '../queries/previews.ts';
import { Missing, missingView } from '../revoked.ts';
import { policies } from './policies.ts';

const Preview = Component('PolicyPreview', {
  count: Type.Integer(),
  counts: PlanCounts,
  needs_confirmation: Type.Boolean({
    description:
      'Whether a firing of this size would be held for confirmation, or its tasks because they exceed the daily budget of an app.',
  }),
  tasks: Type.Array(PreviewedTask, { description: 'The first 200 tasks.' }),
  undecided: UndecidedView,
  missing: Missing,
  contradicts: Contradicts,
});

const State = Component('PolicyPlan', {
  plan_id: Uuid,
  status: Type.Enum(['running', 'completed', 'failed']),
  counts: PlanCounts,
  created_at: Timestamp,
  undecided: Nullable(UndecidedView),
  missing: Nullable(Missing),
});

const List = Component('PolicyPlanTasks', { ...State.properties, ...envelope(PreviewedTask).properties });

const stateOf = ({ id, status, counts, created_at, undecided, missing }: PreviewState) => ({
  plan_id: id,
  status,
  counts,
  created_at,
  undecided: undecided && undecidedView(undecided),
  missing,
});

/** The plan of a policy: all tasks that it would create. A job writes it, and it expires after 24 hours. */
export const planRoutes = (jobs: Jobs) => [
  policies.one.post(
    'preview/',
    'Preview policy',
    {
      description:
        'Returns the tasks that the policy would create now if its trigger fired for everyone it matches. Creates nothing. For the whole list, see `plans/`.',
      config: policies.reading,
      reply: Preview,
    },
    async ({ call, found }) => {
      const preview = await previewPolicy(call, found);
      const { count, counts, needs_confirmation, tasks, undecided, missing, contradicts } = preview;
      return {
        count,
        counts,
        needs_confirmation,
        tasks: await previewedTasks(call, tasks),
        undecided: undecidedView(undecided),
        missing: missingView(missing),
        contradicts: contradictsView(contradicts),
      };
    },
  ),
  policies.one.post(
    'plans/',
    'Start a plan of a policy',
    {
      description:
        'Starts a job that lists all tasks that the policy would create now. It creates none of them. The plan expires after 24 hours.',
      config: policies.reading,
      reply: State,
      status: 202,
    },
    async ({ call, found, tools: { db } }) => stateOf(await startPreview({ db, jobs }, call, found.id)),
  ),
  policies.all.get(
    ':policy_id/plans/:plan_id/',
    'Get a plan of a policy',
    {
      description:
        'The counts and the results grow until `status` is completed. Then `undecided` and `missing` are set, too.',
      params: { policy_id: Uuid, plan_id: Uuid },
      query: pageQuery,
      reply: List,
    },
    async ({ call, params, query, request, tools }) => {
      const page = pageOf(query);
      const preview = await readPreview(call, params.policy_id, params.plan_id, page);
      const { count, results } = preview;
      return { ...stateOf(preview), ...listReply(request, tools.origin(request), page, { count, results }) };
    },
  ),
];
