import { Type } from 'typebox';
import { PersonReference } from '../../../directory/people/reference.ts';
import { UndecidedView, undecidedView } from '../../../directory/people/undecided.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
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
} from '../policies.ts';
import {
  allApps,
  effectsIn,
  knownPolicy,
  managing,
  PolicyItem,
  PolicyParams,
  policyFields,
  policyItem,
  reading,
  Trigger,
  tags,
} from './schemas.ts';

const Filters = Type.Object({
  ...pageQuery,
  trigger: Type.Optional(Trigger),
  enabled: Type.Optional(Type.Boolean()),
});

export function listPoliciesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/policies/',
    {
      config: reading,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'List policies',
        querystring: Filters,
        response: { 200: envelope(PolicyItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { trigger = null, enabled = null } = request.query;
      const { count, results } = await listPolicies(callOf(db, request), { trigger, enabled }, page);
      return listReply(request, origin(request), page, { count, results: results.map(policyItem) });
    },
  );
}

export function createPolicyRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/policies/',
    {
      config: managing,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'Create policy',
        body: Component('NewPolicy', policyFields),
        response: { 201: PolicyItem },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { delay = null, enabled = true } = body;
      const spec = { ...body, effects: effectsIn(body.effects), delay, enabled };
      const policy = await createPolicy(callOf(db, request), spec);
      reply.code(201);
      return policyItem(policy);
    },
  );
}

const Check = Component('ConditionCheck', {
  condition: Type.String(),
  of: Type.Optional(
    Type.Enum(['policy', 'review'], {
      default: 'policy',
      description: 'Where the condition is used: in a policy, or in the scope of an access review.',
    }),
  ),
});

export function checkConditionRoute(http: Http) {
  http.post(
    '/api/policies/check/',
    {
      config: managing,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'Check a condition',
        description:
          'Stores nothing. Returns 400 with the line and column of the error if the condition is not valid.',
        body: Check,
        response: { 200: Component('ValidCondition', { ok: Type.Literal(true) }) },
      },
    },
    async ({ body: { condition, of = 'policy' } }) => {
      checkCondition(condition, of);
      return { ok: true as const };
    },
  );
}

const Question = Component('ConditionQuestion', {
  condition: Type.String(),
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
});

const Matches = Component('ConditionMatches', {
  count: Type.Integer({ description: 'How many people match, among those counted in `of`.' }),
  of: Type.Integer(),
  more: Type.Boolean({
    description:
      'Whether there are more people. At most 10,000 are looked at. If the condition reads accounts or apps, at most 2,000, and fewer if there are many apps: it is evaluated at most 50,000 times.',
  }),
  people: Type.Array(PersonReference, { description: 'The first 10 people who match.' }),
  undecided: UndecidedView,
});

export function matchPeopleRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/policies/matches/',
    {
      config: reading,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'Count the people whom a condition matches',
        description:
          'Stores nothing. Returns 400 with the line and column of the error if the condition is not valid.',
        body: Question,
        response: { 200: Matches },
      },
    },
    async (request) => {
      const { condition, trigger = 'daily', apps = null } = request.body;
      const isWanted = () => !request.raw.socket.destroyed;
      const { people, undecided, ...counts } = await peopleMatching(
        callOf(db, request),
        { condition, trigger, apps },
        isWanted,
      );
      return {
        ...counts,
        people: people.map(({ id, email, first_name, last_name }) => ({
          external_uuid: id,
          email,
          first_name,
          last_name,
        })),
        undecided: undecidedView(undecided),
      };
    },
  );
}

export function getPolicyRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/policies/:policy_id/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Get policy',
        params: PolicyParams,
        response: { 200: withVersion(PolicyItem) },
      },
    },
    async (request, reply) => {
      const policy = await getPolicy(callOf(db, request), request.params.policy_id);
      reply.header('ETag', policyVersion(policy));
      return policyItem(policy);
    },
  );
}

export function changePolicyRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/policies/:policy_id/',
    {
      config: managing,
      onRequest: knownPolicy(db),
      schema: {
        tags,
        summary: 'Change policy',
        params: PolicyParams,
        headers: IfMatchHeader,
        body: Type.Partial(Type.Object(policyFields), { title: 'PolicyChange' }),
        response: { 200: withVersion(PolicyItem) },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const { effects, ...rest } = body;
      const change = effects === undefined ? rest : { ...rest, effects: effectsIn(effects) };
      const policy = await changePolicy(callOf(db, request), params.policy_id, change, ifMatchOf(request));
      reply.header('ETag', policyVersion(policy));
      return policyItem(policy);
    },
  );
}

const Query = Type.Object({
  cancel_tasks: Type.Optional(
    Type.Boolean({ default: false, description: 'true: also cancel its open tasks.' }),
  ),
});

export function deletePolicyRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/policies/:policy_id/',
    {
      config: managing,
      onRequest: knownPolicy(db),
      schema: {
        tags,
        summary: 'Delete policy',
        params: PolicyParams,
        querystring: Query,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      await deletePolicy(callOf(db, request), params.policy_id, query.cancel_tasks ?? false);
      reply.code(204);
      return null;
    },
  );
}

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
    async (request) => policyItem(await confirmFiring(callOf(db, request), request.params.policy_id)),
  );
}

export function discardFiringRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/policies/:policy_id/discard/',
    {
      config: managing,
      onRequest: knownPolicy(db),
      schema: {
        tags,
        summary: 'Discard held actions',
        description:
          'Creates none of the held tasks. 409 if the policy is held because a group was renamed or deleted, since it would do the same again: another condition or trigger, or disabling the policy, ends that hold.',
        params: PolicyParams,
        response: { 200: PolicyItem },
      },
    },
    async (request) => policyItem(await discardFiring(callOf(db, request), request.params.policy_id)),
  );
}
