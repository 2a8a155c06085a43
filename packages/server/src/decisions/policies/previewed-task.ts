import { PersonEmail } from '../../directory/people/reference.ts';
import { AppReference, appReference } from '../../inventory/apps/reference.ts';
import { Component, MapOf, Nullable, Timestamp } from '../../kit/http/schemas.ts';
import { AccountEmail, Action, RefChanges } from '../../work/provisioning/routes/schemas.ts';
import type { PlannedTask } from './plan.ts';

/** A task that a policy would create, as the API shows it. */
export const PreviewedTask = Component('PreviewedTask', {
  action: Action,
  app: AppReference,
  user: Nullable(PersonEmail),
  account: Nullable(AccountEmail),
  changes: MapOf(RefChanges),
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
