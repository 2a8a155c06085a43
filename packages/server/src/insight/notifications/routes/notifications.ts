import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import {
  envelope,
  listReply,
  longEnvelope,
  longPageQuery,
  pageOf,
  pageQuery,
} from '../../../kit/http/lists.ts';
import { Component, Uuid } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { listDeliveries } from '../deliveries.ts';
import { sendTestEmail } from '../email/test-email.ts';
import { listInbox, markRead } from '../inbox.ts';
import { KIND_NAMES, kindOf } from '../kinds.ts';
import {
  DELIVERY_STATES,
  Delivery,
  KindItem,
  KindName,
  MEDIA,
  NotificationItem,
  type NotificationTools,
  own,
  reading,
  TestResult,
  tags,
} from './schemas.ts';

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
          200: Component('Inbox', {
            ...envelope(NotificationItem).properties,
            unread: Type.Integer({ minimum: 0, description: 'The number of all your unread notifications.' }),
          }),
        },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { unread, ...slice } = await listInbox(callOf(db, request), request.query.unread ?? null, page);
      return { ...listReply(request, origin(request), page, slice), unread };
    },
  );
}

const Body = Component('ReadNotifications', {
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
        description: 'Send `ids` or `all`, not both. Ids of other people are ignored.',
        body: Body,
        response: {
          200: Component('UnreadNotifications', {
            unread: Type.Integer({ minimum: 0, description: 'The number that remains.' }),
          }),
        },
      },
    },
    async (request) => markRead(callOf(db, request), request.body),
  );
}

export function listKindsRoute(http: Http, { mailer }: NotificationTools) {
  http.get(
    '/api/notifications/kinds/',
    {
      config: own,
      schema: {
        tags,
        summary: 'List the kinds of notifications',
        response: {
          200: Component('NotificationKinds', {
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

const ListDeliveriesFilters = Type.Object({
  ...longPageQuery,
  user: Type.Optional({ ...Uuid, description: 'The recipient.' }),
  channel: Type.Optional({ ...Uuid, description: 'The channel in Slack or Microsoft Teams.' }),
  kind: Type.Optional(KindName),
  medium: Type.Optional(Type.Enum([...MEDIA])),
  state: Type.Optional(Type.Enum([...DELIVERY_STATES])),
});

export function listDeliveriesRoute(http: Http, { db, origin }: NotificationTools) {
  http.get(
    '/api/notifications/deliveries/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List deliveries of notifications',
        description:
          'The deliveries to people and channels, with the reason of each that was not sent. Newest first. Kept for 90 days.',
        querystring: ListDeliveriesFilters,
        response: { 200: longEnvelope(Delivery) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { user = null, channel = null, kind = null, medium = null, state = null } = request.query;
      const filter = { user, channel, kind, medium, state };
      const slice = await listDeliveries(within(db, request.principal.orgId), filter, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}

export function testEmailRoute(http: Http, tools: NotificationTools) {
  http.post(
    '/api/notifications/test-email/',
    {
      config: { access: { scope: 'session', roles: ['owner', 'admin'] }, waits: true },
      schema: {
        tags,
        summary: 'Send a test email to yourself',
        description: 'Returns 409 if emails are not configured.',
        response: { 200: TestResult },
      },
    },
    async (request) => sendTestEmail(tools, callOf(tools.db, request)),
  );
}
