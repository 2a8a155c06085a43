import { type Static, Type } from 'typebox';
import { Component, Instant, MapOf, Nullable, Uuid } from '#kit/schemas.ts';
import { tasks } from '#work/provisioning/routes/resource.ts';
import { Action } from '#work/provisioning/task-schemas.ts';
import { createManualTask, type ManualRequest } from '../manual.ts';

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 });

const BySlug = Type.Optional(
  Nullable(
    MapOf(Ids, {
      title: 'EntitlementIds',
      maxProperties: 100,
      description: 'For create_account: external ids by resource type slug.',
    }),
  ),
);

const NewTask = Component('NewTask', {
  app: Uuid,
  action: Action,
  user: Type.Optional(
    Nullable(Type.String({ format: 'uuid', description: 'For create_account: who gets the account.' })),
  ),
  account: Type.Optional(
    Nullable(Type.String({ format: 'uuid', description: 'For all other actions: the account.' })),
  ),
  resource_type: Type.Optional(
    Nullable(
      Type.String({
        description: 'For create_account: the slug of the account type. By default the first registered one.',
      }),
    ),
  ),
  memberships: BySlug,
  assignments: BySlug,
  changes: Type.Optional(
    Nullable(
      MapOf(
        Component('EntitlementIdChanges', {
          added: Type.Optional(Nullable(Ids)),
          removed: Type.Optional(Nullable(Ids)),
        }),
        { maxProperties: 100, description: 'For update_account: external ids by resource type slug.' },
      ),
    ),
  ),
  execute_after: Type.Optional(
    Nullable({ ...Instant, description: 'From today to 10 years ahead. Null: now.' }),
  ),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  leaving: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'For suspend_account: the person leaves. Then a policy for users who are reactivated ends the suspension.',
    }),
  ),
  instead_of: Type.Optional(
    Nullable({
      ...Uuid,
      description:
        'For delete_account: the open task that deletes the account later, and that this one replaces. Without it, an account that a task already deletes is 409.',
    }),
  ),
});

const requestIn = (body: Static<typeof NewTask>): ManualRequest => ({
  app: body.app,
  action: body.action,
  user: body.user ?? null,
  account: body.account ?? null,
  resourceType: body.resource_type ?? null,
  memberships: body.memberships ?? {},
  assignments: body.assignments ?? {},
  changes: body.changes ?? {},
  executeAfter: body.execute_after ?? null,
  reason: body.reason ?? null,
  insteadOf: body.instead_of?.toLowerCase() ?? null,
  leaving: body.leaving ?? false,
});

/** Protocol 12. */
export const createTaskRoute = tasks.create('Create a task', { body: NewTask }, ({ call, body }) =>
  createManualTask(call, requestIn(body)),
);
