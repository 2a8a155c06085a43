import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { createChannel } from '../channels.ts';
import {
  ChannelItem,
  ChannelType,
  channelFields,
  managing,
  type NotificationTools,
  tags,
} from './schemas.ts';

export function createChannelRoute(http: Http, tools: NotificationTools) {
  http.post(
    '/api/notifications/channels/',
    {
      config: managing,
      schema: {
        tags,
        summary: 'Create channel',
        body: Type.Object({ type: ChannelType, ...channelFields }),
        response: { 201: ChannelItem },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      reply.code(201);
      return createChannel(tools, principal, causeOf(request), body);
    },
  );
}
