import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http } from '../../platform/http/server.ts';
import { listChannels } from '../channels.ts';
import { ChannelItem, type NotificationTools, reading, tags } from './schemas.ts';

export function listChannelsRoute(http: Http, { db, origin }: NotificationTools) {
  http.get(
    '/api/notifications/channels/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List channels',
        description: 'The incoming webhooks of Slack and Microsoft Teams that get notifications.',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ChannelItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listChannels(db, request.principal.orgId, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
