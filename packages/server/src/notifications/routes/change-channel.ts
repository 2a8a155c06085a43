import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { changeChannel } from '../channels.ts';
import { knownChannel } from './known-channel.ts';
import {
  ChannelItem,
  ChannelParams,
  channelFields,
  managing,
  type NotificationTools,
  tags,
} from './schemas.ts';

export function changeChannelRoute(http: Http, tools: NotificationTools) {
  http.patch(
    '/api/notifications/channels/:channel_id/',
    {
      config: managing,
      onRequest: knownChannel(tools.db),
      schema: {
        tags,
        summary: 'Change channel',
        params: ChannelParams,
        body: Type.Partial(Type.Object(channelFields)),
        response: { 200: ChannelItem },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      return changeChannel(tools, principal, causeOf(request), params.channel_id, body);
    },
  );
}
