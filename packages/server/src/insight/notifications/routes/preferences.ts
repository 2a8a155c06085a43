import type { Http } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { changePreferences, preferencesOf } from '../preferences.ts';
import { type NotificationTools, own, PreferenceChange, Preferences, tags } from './schemas.ts';

export function getPreferencesRoute(http: Http, { db, mailer }: NotificationTools) {
  http.get(
    '/api/notifications/preferences/',
    {
      config: own,
      schema: { tags, summary: 'Get your notification preferences', response: { 200: Preferences } },
    },
    async (request) => ({
      ...(await preferencesOf(callOf(db, request))),
      email_enabled: mailer !== undefined,
    }),
  );
}

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
    async (request) => ({
      ...(await changePreferences(callOf(db, request), request.body)),
      email_enabled: mailer !== undefined,
    }),
  );
}
