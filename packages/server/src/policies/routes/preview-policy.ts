import { Type } from 'typebox';
import { AppReference, appReference } from '../../apps/reference.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { ACTIONS } from '../../provisioning/task.ts';
import type { PlannedTask } from '../plan.ts';
import { previewPolicy } from '../policies.ts';
import { knownPolicy, PolicyParams, reading, tags } from './schemas.ts';

const Reference = Type.Object({ external_uuid: Uuid, email: Type.String() });
const EntitlementRefs = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));
const Preview = Type.Object({
  count: Type.Integer(),
  needs_confirmation: Type.Boolean({
    description: 'Whether a firing of this size would be held for confirmation.',
  }),
  tasks: Type.Array(
    Type.Object({
      action: Type.Enum([...ACTIONS]),
      app: AppReference,
      user: Nullable(Reference),
      account: Nullable(Reference),
      changes: Type.Record(Type.String(), Type.Object({ added: EntitlementRefs, removed: EntitlementRefs })),
      execute_after: Timestamp,
    }),
    { description: 'The first 200 tasks.' },
  ),
});

const plannedTask = ({ action, app, user, account, add, remove, executeAfter }: PlannedTask) => ({
  action,
  app: appReference(app.id, app.name),
  user: reference(user),
  account: reference(account),
  changes: changesOf(add, remove),
  execute_after: executeAfter,
});

const reference = (of: { id: string; email: string } | null) =>
  of === null ? null : { external_uuid: of.id, email: of.email };

function changesOf(add: PlannedTask['add'], remove: PlannedTask['remove']) {
  const slugs = new Set([...add, ...remove].map(({ slug }) => slug));
  const refs = (entitlements: PlannedTask['add'], slug: string) =>
    entitlements.filter((one) => one.slug === slug).map(({ id, name }) => ({ id, name }));
  return Object.fromEntries(
    [...slugs].map((slug) => [slug, { added: refs(add, slug), removed: refs(remove, slug) }]),
  );
}

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
          'Returns the tasks that the policy would create now if its trigger fired for everyone it matches. Creates nothing.',
        params: PolicyParams,
        response: { 200: Preview },
      },
    },
    async ({ principal, params }) => {
      const preview = await previewPolicy(db, principal, params.policy_id);
      return { ...preview, tasks: preview.tasks.map(plannedTask) };
    },
  );
}
