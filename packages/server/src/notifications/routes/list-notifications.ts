import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http } from '../../platform/http/server.ts';
import { listInbox } from '../inbox.ts';
import { NotificationItem, type NotificationTools, own, tags } from './schemas.ts';

const Filters = Type.Object({
  ...pageQuery,
  unread: Type.Optional(Type.Boolean({ description: 'true: only unread ones. false: only read ones.' })),
});

export function listNotificationsRoute(http: Http, { db, origin }: NotificationTools) {
  http.get(
    '/api/notifications/',
    {
      config: own,
      schema: {
        tags,
        summary: 'List your notifications',
        description: 'Newest first.',
        querystring: Filters,
        response: {
          200: Type.Object({
            ...envelope(NotificationItem).properties,
            unread: Type.Integer({ minimum: 0, description: 'The number of all your unread notifications.' }),
          }),
        },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { unread, ...slice } = await listInbox(db, request.principal, request.query.unread ?? null, page);
      return { ...listReply(request, origin(request), page, slice), unread };
    },
  );
}
