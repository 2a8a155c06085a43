import { Type } from 'typebox';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { markRead } from '../inbox.ts';
import { type NotificationTools, own, tags } from './schemas.ts';

const Body = Type.Object({
  ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 1000 })),
  all: Type.Optional(Type.Literal(true)),
});

export function markReadRoute(http: Http, { db }: NotificationTools) {
  http.post(
    '/api/notifications/read/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Mark your notifications as read',
        description: 'Give either `ids` or `all`. Ids of other people are ignored.',
        body: Body,
        response: {
          200: Type.Object({ unread: Type.Integer({ minimum: 0, description: 'The number that remains.' }) }),
        },
      },
    },
    async ({ principal, body }) => markRead(db, principal, body),
  );
}
