import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Instant, Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { createManualTask } from '../manual.ts';
import { Action, TaskItem, taskItem } from './schemas.ts';

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 });
const BySlug = Type.Optional(
  Nullable(
    Type.Record(Type.String(), Ids, {
      maxProperties: 100,
      description: 'For create_account: external ids by resource type slug.',
    }),
  ),
);
const NewTask = Type.Object({
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
      Type.Record(
        Type.String(),
        Type.Object({ added: Type.Optional(Nullable(Ids)), removed: Type.Optional(Nullable(Ids)) }),
        { maxProperties: 100, description: 'For update_account: external ids by resource type slug.' },
      ),
    ),
  ),
  execute_after: Type.Optional(Nullable(Instant)),
  reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

/** Protocol 12. */
export function createTaskRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/tasks/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      schema: { tags: ['Tasks'], summary: 'Create a task', body: NewTask, response: { 201: TaskItem } },
    },
    async (request, reply) => {
      const { body, principal } = request;
      const wanted = {
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
      };
      const task = await createManualTask(db, principal, wanted, causeOf(request));
      reply.code(201);
      return taskItem(task);
    },
  );
}
