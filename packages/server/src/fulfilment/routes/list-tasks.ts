import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listFulfilment } from '../tasks.ts';
import { ListedItem, listedItem, reading, tags } from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  mine: Type.Optional(Type.Boolean({ default: false, description: 'Only tasks assigned to the caller.' })),
  state: Type.Optional(Type.Enum(['open', 'ended'], { default: 'open' })),
  app: Type.Optional(Uuid),
});

export function listFulfilmentRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/fulfilment/tasks/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List tasks that people carry out',
        description:
          'Open tasks by due date, or ended tasks from the newest. Members see their own tasks and those of the apps that they own.',
        querystring: Filters,
        response: { 200: longEnvelope(ListedItem) },
      },
    },
    async (request) => {
      const { mine = false, state = 'open', app = null } = request.query;
      const page = pageOf(request.query);
      const slice = await listFulfilment(db, request.principal, { mine, state, app }, page);
      const { results, ...counts } = slice;
      return listReply(request, origin(request), page, { ...counts, results: results.map(listedItem) });
    },
  );
}
