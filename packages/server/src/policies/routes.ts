import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { AppReference, appReference } from '../apps/reference.ts';
import { causeOf } from '../identity/cause.ts';
import { requireAllApps } from '../identity/principal.ts';
import { compileCondition } from '../platform/cel.ts';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';

import { ACTIONS } from '../provisioning/task.ts';
import type { Held, PlannedTask } from './plan.ts';
import * as policies from './policies.ts';
import { EFFECTS, type Effect, TRIGGERS, VARIABLES } from './policy.ts';

const Refs = Type.Record(
  Type.String(),
  Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 }),
);
const EffectBody = Type.Object({
  do: Type.Enum([...EFFECTS]),
  app: Type.Union([Type.Literal('all'), Uuid], {
    description: 'One app; or "all": each where the person has an account, for a grant each that there is.',
  }),
  memberships: Type.Optional(Nullable(Refs)),
  assignments: Type.Optional(Nullable(Refs)),
});
const fields = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  trigger: Type.Enum([...TRIGGERS]),
  condition: Type.String({ description: 'CEL over user, account, app and today.', examples: ['true'] }),
  effects: Type.Array(EffectBody, { minItems: 1, maxItems: 20 }),
  delay: Type.Optional(
    Nullable(
      Type.String({ description: 'ISO 8601 duration from the firing to the tasks.', examples: ['P30D'] }),
    ),
  ),
  enabled: Type.Optional(Type.Boolean()),
};
const NewPolicy = Type.Object(fields);
const PolicyChange = Type.Partial(Type.Object(fields));

const PolicyItem = Type.Object({
  external_uuid: Uuid,
  name: Type.String(),
  trigger: Type.Enum([...TRIGGERS]),
  condition: Type.String(),
  effects: Type.Array(
    Type.Object({ do: Type.Enum([...EFFECTS]), app: Type.String(), memberships: Refs, assignments: Refs }),
  ),
  delay: Nullable(Type.String()),
  enabled: Type.Boolean(),
  pending_confirmation: Nullable(
    Type.Object(
      {
        status: Type.Enum(['held', 'releasing']),
        count: Type.Integer({ description: 'The tasks that it stood for when it was held.' }),
        created: Type.Integer(),
        held_at: Type.String({ format: 'date-time' }),
      },
      { description: 'A firing of more tasks than the limit: it waits for confirm/ or discard/.' },
    ),
  ),
  last_fired_at: Nullable(Timestamp),
  last_fired_count: Nullable(Type.Integer({ description: 'The tasks of that firing, created or held.' })),
  created_by: Nullable(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const EntitlementRefs = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));
const Preview = Type.Object({
  count: Type.Integer(),
  needs_confirmation: Type.Boolean({ description: 'More than the limit: such a firing would be held.' }),
  tasks: Type.Array(
    Type.Object({
      action: Type.Enum([...ACTIONS]),
      app: AppReference,
      user: Nullable(Type.Object({ external_uuid: Uuid, email: Type.String() })),
      account: Nullable(Type.Object({ external_uuid: Uuid, email: Type.String() })),
      changes: Type.Record(Type.String(), Type.Object({ added: EntitlementRefs, removed: EntitlementRefs })),
      execute_after: Timestamp,
    }),
    { description: 'The first 200 of them.' },
  ),
});
const Settings = Type.Object({
  task_limit: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'What one firing of a policy may create without a confirmation.',
  }),
});

const Params = Type.Object({ policy_id: Uuid });
const Filters = Type.Object({
  ...pageQuery,
  trigger: Type.Optional(Type.Enum([...TRIGGERS])),
  enabled: Type.Optional(Type.Boolean()),
});

const reading = { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } } as const;
const managing = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
const tags = ['Policies'];

const view = ({ id, ...policy }: policies.PolicyView) => ({ external_uuid: id, ...policy });

const effectsOf = (effects: Static<typeof EffectBody>[]): Effect[] =>
  effects.map(({ do: kind, app, memberships, assignments }) => ({
    do: kind,
    app: app.toLowerCase(),
    memberships: memberships ?? {},
    assignments: assignments ?? {},
  }));

const planned = ({ action, app, user, account, add, remove, executeAfter }: PlannedTask) => ({
  action,
  app: appReference(app.id, app.name),
  user: reference(user),
  account: reference(account),
  changes: changesOf(add, remove),
  execute_after: executeAfter,
});

const reference = (of: { id: string; email: string } | null) =>
  of === null ? null : { external_uuid: of.id, email: of.email };

function changesOf(add: Held[], remove: Held[]) {
  const slugs = new Set([...add, ...remove].map(({ slug }) => slug));
  const refs = (held: Held[], slug: string) =>
    held.filter((one) => one.slug === slug).map(({ id, name }) => ({ id, name }));
  return Object.fromEntries(
    [...slugs].map((slug) => [slug, { added: refs(add, slug), removed: refs(remove, slug) }]),
  );
}

/** Policies (governance.md "Policies"). Owners and admins manage them, auditors read them (Roles). */
export function policyRoutes(http: Http, { db, origin }: RouteTools) {
  /** Before the body is looked at (D6). */
  const onAll = async ({ principal }: FastifyRequest) => requireAllApps(principal, 'policies');
  const onPolicy = async (request: FastifyRequest) => {
    await policies.policyOf(db, request.principal, (request.params as { policy_id: string }).policy_id);
  };

  http.get(
    '/api/policies/',
    {
      config: reading,
      onRequest: onAll,
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
      const { count, results } = await policies.listPolicies(
        db,
        request.principal,
        { trigger, enabled },
        page,
      );
      return listReply(request, origin(request), page, { count, results: results.map(view) });
    },
  );

  http.post(
    '/api/policies/',
    {
      config: managing,
      onRequest: onAll,
      schema: { tags, summary: 'Create policy', body: NewPolicy, response: { 201: PolicyItem } },
    },
    async ({ principal, body }, reply) => {
      const { delay = null, enabled = true } = body;
      const spec = { ...body, effects: effectsOf(body.effects), delay, enabled };
      reply.code(201);
      return view(await policies.createPolicy(db, principal, spec));
    },
  );

  http.post(
    '/api/policies/check/',
    {
      config: { access: managing.access },
      onRequest: onAll,
      schema: {
        tags,
        summary: 'Check a condition',
        description:
          'Stores nothing. What is wrong is 400, with the line and the column in its detail, as saving it would answer.',
        body: Type.Object({
          condition: Type.String(),
          of: Type.Optional(
            Type.Enum(['policy', 'review'], {
              default: 'policy',
              description: "A policy's condition, or the people of an access review's scope.",
            }),
          ),
        }),
        response: { 200: Type.Object({ ok: Type.Literal(true) }) },
      },
    },
    async ({ body: { condition, of = 'policy' } }) => {
      compileCondition(condition, of === 'policy' ? VARIABLES : ['user']);
      return { ok: true as const };
    },
  );

  http.get(
    '/api/policies/settings/',
    {
      config: reading,
      onRequest: onAll,
      schema: { tags, summary: 'Get the limit of policies', response: { 200: Settings } },
    },
    async ({ principal }) => ({ task_limit: await policies.taskLimit(db, principal) }),
  );

  http.patch(
    '/api/policies/settings/',
    {
      config: managing,
      onRequest: onAll,
      schema: { tags, summary: 'Change the limit of policies', body: Settings, response: { 200: Settings } },
    },
    async ({ principal, body }) => {
      await policies.setTaskLimit(db, principal, body.task_limit);
      return { task_limit: body.task_limit };
    },
  );

  http.get(
    '/api/policies/:policy_id/',
    {
      config: reading,
      schema: { tags, summary: 'Get policy', params: Params, response: { 200: PolicyItem } },
    },
    async ({ principal, params }) => view(await policies.policyOf(db, principal, params.policy_id)),
  );

  http.patch(
    '/api/policies/:policy_id/',
    {
      config: managing,
      onRequest: onPolicy,
      schema: {
        tags,
        summary: 'Change policy',
        params: Params,
        body: PolicyChange,
        response: { 200: PolicyItem },
      },
    },
    async ({ principal, params, body: { effects, ...rest } }) => {
      const change = effects === undefined ? rest : { ...rest, effects: effectsOf(effects) };
      return view(await policies.changePolicy(db, principal, params.policy_id, change));
    },
  );

  http.delete(
    '/api/policies/:policy_id/',
    {
      config: managing,
      onRequest: onPolicy,
      schema: {
        tags,
        summary: 'Delete policy',
        params: Params,
        querystring: Type.Object({
          cancel_tasks: Type.Optional(
            Type.Boolean({ default: false, description: 'Cancel what is still open of its tasks, too.' }),
          ),
        }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, query } = request;
      const cancels = query.cancel_tasks ?? false;
      await policies.deletePolicy(db, principal, params.policy_id, cancels, causeOf(request));
      reply.code(204);
      return null;
    },
  );

  http.post(
    '/api/policies/:policy_id/preview/',
    {
      config: reading,
      onRequest: onPolicy,
      schema: {
        tags,
        summary: 'Preview policy: what it would create now, without creating it',
        params: Params,
        response: { 200: Preview },
      },
    },
    async ({ principal, params }) => {
      const preview = await policies.previewPolicy(db, principal, params.policy_id);
      return { ...preview, tasks: preview.tasks.map(planned) };
    },
  );

  for (const [verb, summary, decide] of [
    ['confirm', 'Confirm the firing that is held', policies.confirmFiring],
    ['discard', 'Discard the firing that is held', policies.discardFiring],
  ] as const) {
    http.post(
      `/api/policies/:policy_id/${verb}/`,
      {
        config: managing,
        onRequest: onPolicy,
        schema: { tags, summary, params: Params, response: { 200: PolicyItem } },
      },
      async ({ principal, params }) =>
        view(await decide(db, principal, (params as { policy_id: string }).policy_id)),
    );
  }
}
