import type { Static } from 'typebox';
import { Type } from 'typebox';
import { PersonReference, personReference } from '#directory/people/reference.ts';
import { UndecidedView, undecidedView } from '#directory/people/undecided.ts';
import { type Place, resource, settings } from '#kit/http.ts';
import { requireAllApps } from '#kit/identity.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { Contradicts, contradictsView } from '../contradictions.ts';
import { policyFilters, Trigger } from '../filters.ts';
import { peopleMatching } from '../matches.ts';
import {
  changePolicy,
  checkCondition,
  confirmFiring,
  createPolicy,
  deletePolicy,
  discardFiring,
  getPolicy,
  listPolicies,
  policyVersion,
  setTaskLimit,
  taskLimit,
  taskLimitVersion,
} from '../policies.ts';
import type { Effect, PolicyView } from '../policy.ts';
import { EffectBody, PolicyItem, PolicySettings, policyFields } from '../schemas.ts';

/** Owners and admins manage policies, auditors read them (protocol 16). */
const place = {
  tag: 'Policies',
  reading: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } },
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
  allow: ({ principal }) => requireAllApps(principal, 'policies'),
} satisfies Partial<Place>;

const effectsIn = (effects: Static<typeof EffectBody>[]): Effect[] =>
  effects.map(({ do: kind, app, memberships, assignments }) => ({
    do: kind,
    app: app.toLowerCase(),
    memberships: memberships ?? {},
    assignments: assignments ?? {},
  }));

const policyItem = ({ id, undecided, ...policy }: PolicyView) => ({
  external_uuid: id,
  ...policy,
  undecided: undecided && undecidedView(undecided),
});

export const policies = resource({
  ...place,
  path: '/api/policies/',
  id: 'policy_id',
  find: getPolicy,
  schema: PolicyItem,
  view: policyItem,
  version: policyVersion,
});

const taskLimits = settings({
  ...place,
  path: '/api/policies/settings/',
  schema: PolicySettings,
  load: async (call) => ({ task_limit: await taskLimit(call) }),
  version: ({ task_limit }) => taskLimitVersion(task_limit),
});

const Of = Type.Optional(
  Type.Enum(['policy', 'review'], {
    default: 'policy',
    description: 'Where the condition is used: in a policy, or in the scope of an access review.',
  }),
);

const ConditionCheck = Component('ConditionCheck', { condition: Type.String(), of: Of });

const ConditionQuestion = Component('ConditionQuestion', {
  condition: Type.String(),
  of: Of,
  trigger: Type.Optional(
    Type.Enum(Trigger.enum, {
      default: 'daily',
      description:
        'A policy for people who are created, deactivated or reactivated concerns only people with that status.',
    }),
  ),
  apps: Type.Optional(
    Type.Array(Uuid, {
      maxItems: 20,
      description: 'The apps in which a condition on accounts can match. Absent: all apps.',
    }),
  ),
  effects: Type.Optional(
    Type.Array(EffectBody, {
      maxItems: 20,
      description:
        'The effects of the policy that is written. Policies that would undo them are in contradicts.',
    }),
  ),
  policy: Type.Optional(
    Nullable({ ...Uuid, description: 'The policy that is changed. It does not contradict itself.' }),
  ),
});

const ConditionMatches = Component('ConditionMatches', {
  count: Type.Integer({ description: 'How many people match, among those counted in `of`.' }),
  of: Type.Integer(),
  more: Type.Boolean({
    description:
      'Whether there are more people. At most 10,000 are looked at. If the condition reads accounts or apps, at most 2,000, and fewer if there are many apps: it is evaluated at most 50,000 times.',
  }),
  people: Type.Array(PersonReference, { description: 'The first 10 people who match.' }),
  undecided: UndecidedView,
  contradicts: Contradicts,
});

const STORES_NOTHING =
  'Stores nothing. Returns 400 with the line and column of the error if the condition is not valid.';

export const policyRoutes = [
  policies.list('List policies', { query: policyFilters.query }, listPolicies),
  policies.create('Create policy', { body: Component('NewPolicy', policyFields) }, ({ call, body }) => {
    const { delay = null, recheck = true, enabled = true, offset_days = null } = body;
    return createPolicy(call, {
      ...body,
      effects: effectsIn(body.effects),
      delay,
      recheck,
      enabled,
      offset_days,
    });
  }),
  policies.all.post(
    'check/',
    'Check a condition',
    {
      description: STORES_NOTHING,
      body: ConditionCheck,
      reply: Component('ValidCondition', { ok: Type.Literal(true) }),
    },
    ({ body: { condition, of = 'policy' } }) => {
      checkCondition(condition, of);
      return { ok: true as const };
    },
  ),
  policies.all.post(
    'matches/',
    'Count the people whom a condition matches',
    {
      description: STORES_NOTHING,
      body: ConditionQuestion,
      reply: ConditionMatches,
      config: policies.reading,
    },
    async ({ call, body, request }) => {
      const { condition, of = 'policy', trigger = 'daily', apps = null, effects = [], policy = null } = body;
      const isWanted = () => !request.raw.socket.destroyed;
      const question = { condition, of, trigger, apps, effects: effectsIn(effects), policy };
      const { people, undecided, contradicts, ...counts } = await peopleMatching(call, question, isWanted);
      return {
        ...counts,
        people: people.map(personReference),
        undecided: undecidedView(undecided),
        contradicts: contradictsView(contradicts),
      };
    },
  ),
  taskLimits.get('Get the task limit'),
  taskLimits.change('Change the task limit', { body: PolicySettings }, (call, { task_limit }, ifMatch) =>
    setTaskLimit(call, task_limit, ifMatch),
  ),
  policies.get('Get policy'),
  policies.change(
    'Change policy',
    { body: Type.Partial(Type.Object(policyFields), { title: 'PolicyChange' }) },
    ({ call, found, body: { effects, ...rest }, ifMatch }) => {
      const change = effects === undefined ? rest : { ...rest, effects: effectsIn(effects) };
      return changePolicy(call, found.id, change, ifMatch);
    },
  ),
  policies.remove(
    'Delete policy',
    {
      query: {
        cancel_tasks: Type.Optional(
          Type.Boolean({ default: false, description: 'true: also cancel its open tasks.' }),
        ),
      },
    },
    ({ call, found, query: { cancel_tasks = false } }) => deletePolicy(call, found.id, cancel_tasks),
  ),
  policies.act(
    'confirm/',
    'Confirm held actions',
    { description: 'Creates the held tasks, batch by batch.' },
    ({ call, found }) => confirmFiring(call, found.id),
  ),
  policies.act(
    'discard/',
    'Discard held actions',
    {
      description:
        'Creates none of the held tasks. 409 if the policy is held because a group was renamed or deleted, or contradicts another policy, since it would do the same again: another condition or trigger, or disabling the policy, ends that hold.',
    },
    ({ call, found }) => discardFiring(call, found.id),
  ),
];
