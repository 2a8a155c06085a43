import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listWebhooks } from '../webhooks.ts';
import { allApps, reading, tags, WebhookItem, webhookItem } from './schemas.ts';

export function listWebhooksRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/webhooks/',
    {
      config: reading,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'List webhooks',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(WebhookItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { count, results } = await listWebhooks(db, request.principal, page);
      return listReply(request, origin(request), page, { count, results: results.map(webhookItem) });
    },
  );
}
