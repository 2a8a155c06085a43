import { Type } from 'typebox';
import { Excluded } from '#directory/access/excluded.ts';
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

const NotStarted = Type.Integer({
  description: 'How many people of these tasks have not started: their `start_date` lies ahead.',
});

const Preview = Component('PolicyPreview', {
  count: Type.Integer(),
  counts: PlanCounts,
  needs_confirmation: Type.Boolean({
    description:
      'Whether a firing of this size would be held for confirmation, or its tasks because they exceed the daily budget of an app.',
  }),
  tasks: Type.Array(PreviewedTask, { description: 'The first 200 tasks.' }),
  undecided: UndecidedView,
  excluded: Type.Array(Excluded, {
    description:
      'The people behind the policy, whose tasks wait until somebody else confirms them. They are not among the tasks.',
  }),
  not_started: NotStarted,
  missing: Missing,
  contradicts: Contradicts,
});

const State = Component('PolicyPlan', {
  plan_id: Uuid,
  status: Type.Enum(['running', 'completed', 'failed']),
  counts: PlanCounts,
  created_at: Timestamp,
  undecided: Nullable(UndecidedView),
  not_started: Nullable(NotStarted),
  missing: Nullable(Missing),
});

const List = Component('PolicyPlanTasks', { ...State.properties, ...envelope(PreviewedTask).properties });

const stateOf = ({ id, undecided, ...state }: PreviewState) => ({
  plan_id: id,
  ...state,
  undecided: undecided && undecidedView(undecided),
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
      const { tasks, undecided, missing, contradicts, ...rest } = await previewPolicy(call, found);
      return {
        ...rest,
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
