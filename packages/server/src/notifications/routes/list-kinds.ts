import { Type } from 'typebox';
import type { Http } from '../../platform/http/server.ts';
import { KIND_NAMES, kindOf } from '../kinds.ts';
import { KindItem, type NotificationTools, own, tags } from './schemas.ts';

export function listKindsRoute(http: Http, { mailer }: NotificationTools) {
  http.get(
    '/api/notifications/kinds/',
    {
      config: own,
      schema: {
        tags,
        summary: 'List the kinds of notifications',
        response: {
          200: Type.Object({
            results: Type.Array(KindItem),
            email_enabled: Type.Boolean({ description: 'Whether Gatehouse can send emails.' }),
          }),
        },
      },
    },
    async () => ({
      results: KIND_NAMES.map((kind) => {
        const { title, audience, default: setting, security = false, channels = false } = kindOf(kind);
        return { kind, title, audience, default: setting, security, channels };
      }),
      email_enabled: mailer !== undefined,
    }),
  );
}
