import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { causeOf } from '../../identity/cause.ts';
import type { Db } from '../../platform/database/open.ts';
import { neighbors, pageOf } from '../../platform/http/lists.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listForConnector } from '../list.ts';
import { BridgeTask, bridgeTask } from './bridge-schemas.ts';

const DEFAULT_LIMIT = 200;
const LARGEST_LIMIT = 1000;

/** D10. */
const Filters = Type.Object({
  status: Type.Optional(Type.Enum(['pending', 'scheduled', 'completed', 'failed'])),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: DEFAULT_LIMIT,
      description: `Results per list page. Values above ${LARGEST_LIMIT} are reduced to ${LARGEST_LIMIT}.`,
    }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
});

export interface ListTools extends RouteTools {
  /** Whether people carry out the tasks of an app. Fulfilment is a higher feature, so app.ts passes this in. */
  isFulfilledByPeople(db: Db, orgId: string, appId: string): Promise<boolean>;
}

/** Protocol 4.9. */
export function listBridgeTasksRoute(http: Http, { db, origin, isFulfilledByPeople }: ListTools) {
  http.get(
    '/api/v1/bridge/apps/:app_id/tasks/',
    {
      config: { access: { scope: 'bridge', apps: 'listed' } },
      onRequest: withApp(db),
      schema: {
        tags: ['Bridge: tasks'],
        summary: 'List tasks of an app',
        description: 'Without the pending tasks of an app whose tasks people carry out.',
        params: Type.Object({ app_id: Uuid }),
        querystring: Filters,
        response: {
          200: Type.Object({
            tasks: Type.Array(BridgeTask),
            count: Type.Integer(),
            next: Nullable(Type.String()),
            previous: Nullable(Type.String()),
          }),
        },
      },
    },
    async (request) => {
      const { query, bridgeApp, principal } = request;
      const { orgId, keyId } = principal;
      const page = pageOf({ ...query, limit: query.limit ?? DEFAULT_LIMIT }, LARGEST_LIMIT);
      const filter = {
        status: query.status ?? null,
        withPending: !(await isFulfilledByPeople(db, orgId, bridgeApp.id)),
      };
      const slice = await listForConnector(db, orgId, bridgeApp.id, filter, page, causeOf(request), keyId);
      const { count, results } = slice;
      return { tasks: results.map(bridgeTask), count, ...neighbors(request, origin(request), page, count) };
    },
  );
}
