import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { DECISIONS, KINDS } from '../cycle.ts';
import { listItems } from '../cycles.ts';
import { ItemView, itemView } from './item-schemas.ts';
import { accessibleCycle, CycleParams, reviewing, tags } from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  mine: Type.Optional(Type.Boolean({ description: 'true: only items that you review.' })),
  decision: Type.Optional(Type.Enum([...DECISIONS, 'none'], { description: 'none: not decided yet.' })),
  kind: Type.Optional(Type.Enum([...KINDS])),
  app: Type.Optional(Uuid),
  user: Type.Optional(Uuid),
  reviewer: Type.Optional(Uuid),
  q: Type.Optional(
    Type.String({
      maxLength: 320,
      description:
        'Part of the name or email of the person or account, or of the name of the group or license.',
    }),
  ),
  order: Type.Optional(
    Type.Enum(['account', 'access'], {
      default: 'account',
      description: 'account: all items of an account together. access: all items of a group or license.',
    }),
  ),
});

export function listItemsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/items/',
    {
      config: { ...reviewing, reads: 'replica' },
      onRequest: accessibleCycle(db),
      schema: {
        tags,
        summary: 'List items of a cycle',
        params: CycleParams,
        querystring: Filters,
        response: { 200: longEnvelope(ItemView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { mine = false, decision = null, kind = null, app = null, user = null } = request.query;
      const { reviewer: assignee = null, q = '', order = 'account' } = request.query;
      const text = q.trim() === '' ? null : q.trim();
      const filter = { mine, decision, kind, app, user, assignee, q: text, order };
      const { cycle_id } = request.params;
      const slice = await listItems(db, request.principal, cycle_id, filter, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(itemView) });
    },
  );
}
