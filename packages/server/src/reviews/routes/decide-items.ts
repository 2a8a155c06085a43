import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { decideItems } from '../decide.ts';
import { CycleView, cycleView } from './cycle-schemas.ts';
import { accessibleCycle, Comment, CycleParams, Decision, deciding, tags } from './schemas.ts';

const Decisions = Type.Object({
  items: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }),
  decision: Decision,
  comment: Comment,
});

export function decideItemsRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/reviews/cycles/:cycle_id/decisions/',
    {
      config: deciding,
      onRequest: accessibleCycle(db),
      schema: {
        tags,
        summary: 'Decide items of a cycle',
        description: 'Decides all named items, or none.',
        params: CycleParams,
        body: Decisions,
        response: { 200: CycleView },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const decision = { ...body, comment: body.comment ?? null };
      return cycleView(await decideItems(db, principal, params.cycle_id, decision, causeOf(request)));
    },
  );
}
