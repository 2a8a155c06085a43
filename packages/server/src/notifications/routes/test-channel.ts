import type { Http } from '../../platform/http/server.ts';
import { testChannel } from '../channels.ts';
import { knownChannel } from './known-channel.ts';
import { ChannelParams, managing, type NotificationTools, TestResult, tags } from './schemas.ts';

export function testChannelRoute(http: Http, tools: NotificationTools) {
  http.post(
    '/api/notifications/channels/:channel_id/test/',
    {
      config: managing,
      onRequest: knownChannel(tools.db),
      schema: {
        tags,
        summary: 'Send a test message to a channel',
        params: ChannelParams,
        response: { 200: TestResult },
      },
    },
    async ({ principal, params }) => testChannel(tools, principal, params.channel_id),
  );
}
