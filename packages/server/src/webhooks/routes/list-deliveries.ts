import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { DELIVERY_OUTCOMES } from '../webhook.ts';
import { listDeliveries } from '../webhooks.ts';
import { knownWebhook, reading, tags, WebhookParams } from './schemas.ts';

const Outcome = Type.Enum([...DELIVERY_OUTCOMES]);

const Query = Type.Object({
  ...longPageQuery,
  outcome: Type.Optional(Outcome),
  event_id: Type.Optional(Uuid),
});

const Delivery = Type.Object({
  id: Uuid,
  event_id: Nullable(Uuid),
  event_type: Nullable(Type.String()),
  attempt: Type.Integer({ description: 'Counts from 1 for each event.' }),
  outcome: Outcome,
  status: Nullable(Type.Integer({ description: 'The HTTP status of the response.' })),
  duration_ms: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  response: Nullable(Type.String({ description: 'The first 1,024 bytes of the response body.' })),
  at: Timestamp,
});

export function listDeliveriesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/webhooks/:webhook_id/deliveries/',
    {
      config: reading,
      onRequest: knownWebhook(db),
      schema: {
        tags,
        summary: 'List deliveries of webhook',
        description: 'The attempts of the last 30 days, newest first.',
        params: WebhookParams,
        querystring: Query,
        response: { 200: longEnvelope(Delivery) },
      },
    },
    async (request) => {
      const { principal, params, query } = request;
      const page = pageOf(query);
      const filter = { outcome: query.outcome ?? null, eventId: query.event_id ?? null };
      const slice = await listDeliveries(db, principal, params.webhook_id, filter, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
