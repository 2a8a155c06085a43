import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { decideItems } from '../decide.ts';
import { CycleView, cycleView } from './cycle-schemas.ts';
import { accessibleCycle, Comment, CycleParams, Decision, deciding, tags } from './schemas.ts';

const Decisions = Type.Object({
  items: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }),
  decision: Nullable(Decision),
  comment: Comment,
  only_own: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether to return 409, and change nothing, unless the caller made the current decision of every item. For undoing decisions. Undecided items do not matter if `decision` is null.',
    }),
  ),
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
        description:
          'Decides all named items, or none. The decision null makes items of an open cycle undecided again.',
        params: CycleParams,
        body: Decisions,
        response: { 200: CycleView },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const { items, decision, comment = null, only_own: onlyOwn = false } = body;
      const wanted = { items, decision, comment, onlyOwn };
      return cycleView(await decideItems(db, principal, params.cycle_id, wanted, causeOf(request)));
    },
  );
}
