import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { changeWebhook, type WebhookTools } from '../webhooks.ts';
import {
  knownWebhook,
  managing,
  tags,
  WebhookItem,
  WebhookParams,
  webhookFields,
  webhookItem,
} from './schemas.ts';

export function changeWebhookRoute(http: Http, tools: WebhookTools) {
  http.patch(
    '/api/webhooks/:webhook_id/',
    {
      config: managing,
      onRequest: knownWebhook(tools.db),
      schema: {
        tags,
        summary: 'Change webhook',
        params: WebhookParams,
        body: Type.Partial(Type.Object(webhookFields)),
        response: { 200: WebhookItem },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      return webhookItem(await changeWebhook(tools, principal, params.webhook_id, body, causeOf(request)));
    },
  );
}
