import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { causeOf } from '../../identity/cause.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { confirmHeld, rejectHeld } from '../held.ts';

const Tasks = Type.Optional(
  Nullable(
    Type.Object({
      tasks: Type.Optional(
        Nullable(Type.Array(Uuid, { minItems: 1, maxItems: 1000, description: 'Only these. Default: all.' })),
      ),
    }),
  ),
);
const Decided = Type.Object({ count: Type.Integer({ description: 'The number of tasks.' }) });

const DECISIONS = [
  ['confirm', confirmHeld, 'Confirm held tasks', 'The tasks run as soon as it is their turn.'],
  ['reject', rejectHeld, 'Reject held tasks', 'Cancels the tasks.'],
] as const;

/** D46. A decision about a whole app's losses: keys for listed apps are refused. */
export function decideHeldTasksRoutes(http: Http, { db }: RouteTools) {
  for (const [verb, decide, summary, description] of DECISIONS) {
    http.post(
      `/api/apps/:app_id/held-tasks/${verb}/`,
      {
        config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
        onRequest: withApp(db),
        schema: {
          tags: ['Tasks'],
          summary,
          description: `${description} Returns 409 if none of them is held.`,
          params: Type.Object({ app_id: Uuid }),
          body: Tasks,
          response: { 200: Decided },
        },
      },
      async (request) => {
        const { bridgeApp, principal, body } = request;
        return { count: await decide(db, principal, bridgeApp, body?.tasks ?? null, causeOf(request)) };
      },
    );
  }
}
