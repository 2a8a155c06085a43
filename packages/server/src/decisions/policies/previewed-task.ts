import { Type } from 'typebox';
import { AppReference, appReference } from '../../inventory/apps/reference.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../kit/http/schemas.ts';
import { ACTIONS } from '../../work/provisioning/task.ts';
import type { PlannedTask } from './plan.ts';

const Reference = Type.Object({ external_uuid: Uuid, email: Type.String() });
const EntitlementRefs = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));

/** A task that a policy would create, as the API shows it. */
export const PreviewedTask = Component('PreviewedTask', {
  action: Type.Enum([...ACTIONS]),
  app: AppReference,
  user: Nullable(Reference),
  account: Nullable(Reference),
  changes: Type.Record(Type.String(), Type.Object({ added: EntitlementRefs, removed: EntitlementRefs })),
  execute_after: Timestamp,
});
export type PreviewedTask = ReturnType<typeof previewedTask>;

export const previewedTask = ({ action, app, user, account, add, remove, executeAfter }: PlannedTask) => ({
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
