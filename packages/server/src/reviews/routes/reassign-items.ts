import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { handOverItems } from '../hand-over.ts';
import { accessibleCycle, CycleParams, deciding, tags } from './schemas.ts';

const HandOver = Type.Object({
  items: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }),
  to: Type.Array(Uuid, { minItems: 1, maxItems: 20 }),
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
});

export function reassignItemsRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/reviews/cycles/:cycle_id/items/reassign/',
    {
      config: deciding,
      onRequest: accessibleCycle(db),
      schema: {
        tags,
        summary: 'Reassign undecided items of a cycle',
        description:
          'Hands over all named items, or none. An administrator replaces all reviewers of an item, a reviewer themselves.',
        params: CycleParams,
        body: HandOver,
        response: { 200: Type.Object({ reassigned: Type.Integer() }) },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      await handOverItems(db, principal, params.cycle_id, body, causeOf(request));
      return { reassigned: new Set(body.items.map((id) => id.toLowerCase())).size };
    },
  );
}
