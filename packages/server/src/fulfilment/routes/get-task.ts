import type { Http, RouteTools } from '../../platform/http/server.ts';
import { DetailsItem, readDetails, reading, TaskParams, tags, visible } from './schemas.ts';

export function getFulfilmentRoute(http: Http, tools: RouteTools) {
  http.get(
    '/api/fulfilment/tasks/:task_id/',
    {
      config: reading,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Get a task that a person carries out',
        params: TaskParams,
        response: { 200: DetailsItem },
      },
    },
    async (request) => readDetails(tools.db, request),
  );
}
