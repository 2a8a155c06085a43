import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listTasks } from '../list.ts';
import { Action, ErrorCode, TaskItem, TaskStatus, taskItem, WaitsFor } from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  app: Type.Optional(Uuid),
  account: Type.Optional(Uuid),
  status: Type.Optional(TaskStatus),
  action: Type.Optional(Action),
  user: Type.Optional({ ...Uuid, description: 'Tasks of the accounts of this user.' }),
  source: Type.Optional({ ...Uuid, description: 'The ticket, review item or policy that created the task.' }),
  error_code: Type.Optional(ErrorCode),
  waits_for: Type.Optional(WaitsFor),
  email: Type.Optional(Type.String({ description: "Part of the account's email, compared without case." })),
});

/** Protocol 4.15. */
export function listTasksRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/tasks/',
    {
      config: { access: { scope: 'read', apps: 'listed' }, reads: 'replica' },
      schema: {
        tags: ['Tasks'],
        summary: 'List tasks',
        querystring: Filters,
        response: { 200: longEnvelope(TaskItem) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { app = null, account = null, status = null, action = null } = request.query;
      const {
        user = null,
        source = null,
        error_code: errorCode = null,
        waits_for: waitsFor = null,
      } = request.query;
      const email = request.query.email || null;
      const filter = { app, account, status, action, user, source, errorCode, email, waitsFor };
      const { results, ...counts } = await listTasks(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { ...counts, results: results.map(taskItem) });
    },
  );
}
