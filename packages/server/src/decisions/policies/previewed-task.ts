import { Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { AppReference, appReference } from '#inventory/apps/reference.ts';
import type { OrgDb } from '#kit/database.ts';
import { Component, MapOf, Nullable, Timestamp } from '#kit/schemas.ts';
import { AccountEmail, Action, RefChanges } from '#work/provisioning/task-schemas.ts';
import { expectedUserNames } from '#work/provisioning/user-names/preview.ts';
import type { PlannedTask } from './planned.ts';

/** A task that a policy would create, as the API shows it. */
export const PreviewedTask = Component('PreviewedTask', {
  action: Action,
  app: AppReference,
  user: Nullable(PersonEmail),
  account: Nullable(AccountEmail),
  username: Type.Optional(
    Nullable(
      Type.String({
        description: 'For create_account: the user name that the account would get now. Nothing is reserved.',
      }),
    ),
  ),
  changes: MapOf(RefChanges),
  execute_after: Timestamp,
});
export type PreviewedTask = ReturnType<typeof previewedTask>;

/** Shows planned tasks, with the user names that new accounts would get. */
export async function previewedTasks(db: OrgDb, tasks: readonly PlannedTask[]): Promise<PreviewedTask[]> {
  const created = tasks.filter(({ action }) => action === 'create_account');
  const names = new Map<string, Map<string, string>>();
  for (const [appId, own] of Map.groupBy(created, ({ app }) => app.id))
    names.set(
      appId,
      await expectedUserNames(db, appId, [...new Set(own.flatMap(({ user }) => user?.id ?? []))]),
    );
  return tasks.map((task) => {
    const isCreation = task.action === 'create_account';
    return previewedTask(
      task,
      isCreation ? (names.get(task.app.id)?.get(task.user?.id ?? '') ?? null) : null,
    );
  });
}

const previewedTask = (
  { action, app, user, account, add, remove, executeAfter }: PlannedTask,
  username: string | null,
) => ({
  action,
  username,
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
