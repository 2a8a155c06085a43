import type { Http } from '../../platform/http/server.ts';
import { changePreferences } from '../preferences.ts';
import { type NotificationTools, own, PreferenceChange, Preferences, tags } from './schemas.ts';

export function changePreferencesRoute(http: Http, { db, mailer }: NotificationTools) {
  http.patch(
    '/api/notifications/preferences/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Change your notification preferences',
        description: 'Missing fields and kinds stay. Security notices are always sent immediately.',
        body: PreferenceChange,
        response: { 200: Preferences },
      },
    },
    async ({ principal, body }) => ({
      ...(await changePreferences(db, principal, body)),
      email_enabled: mailer !== undefined,
    }),
  );
}
