import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { deleteChannel } from '../channels.ts';
import { knownChannel } from './known-channel.ts';
import { ChannelParams, managing, type NotificationTools, tags } from './schemas.ts';

export function deleteChannelRoute(http: Http, { db }: NotificationTools) {
  http.delete(
    '/api/notifications/channels/:channel_id/',
    {
      config: managing,
      onRequest: knownChannel(db),
      schema: { tags, summary: 'Delete channel', params: ChannelParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { principal, params } = request;
      await deleteChannel(db, principal, causeOf(request), params.channel_id);
      reply.code(204);
      return null;
    },
  );
}
