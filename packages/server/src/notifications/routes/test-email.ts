import type { Http } from '../../platform/http/server.ts';
import { sendTestEmail } from '../email/test-email.ts';
import { type NotificationTools, TestResult, tags } from './schemas.ts';

export function testEmailRoute(http: Http, tools: NotificationTools) {
  http.post(
    '/api/notifications/test-email/',
    {
      config: { access: { scope: 'session', roles: ['owner', 'admin'] } },
      schema: {
        tags,
        summary: 'Send a test email to yourself',
        description: 'Returns 409 if emails are not configured.',
        response: { 200: TestResult },
      },
    },
    async ({ principal }) => sendTestEmail(tools, principal),
  );
}
