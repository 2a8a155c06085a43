import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { listDeliveries } from '../deliveries.ts';
import {
  DELIVERY_STATES,
  Delivery,
  KindName,
  MEDIA,
  type NotificationTools,
  reading,
  tags,
} from './schemas.ts';

const Filters = Type.Object({
  ...longPageQuery,
  user: Type.Optional({ ...Uuid, description: 'The recipient.' }),
  channel: Type.Optional({ ...Uuid, description: 'The channel in Slack or Microsoft Teams.' }),
  kind: Type.Optional(KindName),
  medium: Type.Optional(Type.Enum([...MEDIA])),
  state: Type.Optional(Type.Enum([...DELIVERY_STATES])),
});

export function listDeliveriesRoute(http: Http, { db, origin }: NotificationTools) {
  http.get(
    '/api/notifications/deliveries/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List deliveries of notifications',
        description:
          'The deliveries to people and channels, with the reason of each that was not sent. Newest first. Kept for 90 days.',
        querystring: Filters,
        response: { 200: longEnvelope(Delivery) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { user = null, channel = null, kind = null, medium = null, state = null } = request.query;
      const filter = { user, channel, kind, medium, state };
      const slice = await listDeliveries(db, request.principal.orgId, filter, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
