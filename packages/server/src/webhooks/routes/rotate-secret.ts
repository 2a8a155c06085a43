import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { rotateSecret, type WebhookTools } from '../webhooks.ts';
import { knownWebhook, managing, tags, WebhookParams, WebhookWithSecret, webhookItem } from './schemas.ts';

const DAY_HOURS = 24;

const Body = Type.Object({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * DAY_HOURS,
      default: DAY_HOURS,
      description: 'How long deliveries carry the signature of the previous secret, too.',
    }),
  ),
});

export function rotateSecretRoute(http: Http, tools: WebhookTools) {
  http.post(
    '/api/webhooks/:webhook_id/rotate-secret/',
    {
      config: managing,
      onRequest: knownWebhook(tools.db),
      schema: {
        tags,
        summary: 'Rotate secret of webhook',
        params: WebhookParams,
        body: Body,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const hours = body.overlap_hours ?? DAY_HOURS;
      const { webhook, secret } = await rotateSecret(
        tools,
        principal,
        params.webhook_id,
        hours,
        causeOf(request),
      );
      return { ...webhookItem(webhook), secret };
    },
  );
}
