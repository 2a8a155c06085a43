import type { Http } from '../../platform/http/server.ts';
import { preferencesOf } from '../preferences.ts';
import { type NotificationTools, own, Preferences, tags } from './schemas.ts';

export function getPreferencesRoute(http: Http, { db, mailer }: NotificationTools) {
  http.get(
    '/api/notifications/preferences/',
    {
      config: own,
      schema: { tags, summary: 'Get your notification preferences', response: { 200: Preferences } },
    },
    async ({ principal }) => ({
      ...(await preferencesOf(db, principal)),
      email_enabled: mailer !== undefined,
    }),
  );
}
