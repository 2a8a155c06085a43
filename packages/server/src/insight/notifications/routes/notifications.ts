import { Type } from 'typebox';
import { list, type Route, route } from '#kit/http.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import { KIND_NAMES, kindOf } from '#log/notices/kinds.ts';
import { listDeliveries } from '../deliveries.ts';
import { sendTestEmail } from '../email/test-email.ts';
import { deliveryFilters } from '../filters.ts';
import { listInbox, markRead } from '../inbox.ts';
import { changePreferences, preferencesOf } from '../preferences.ts';
import {
  Delivery,
  KindItem,
  NotificationItem,
  PreferenceChange,
  Preferences,
  TestResult,
} from '../schemas.ts';
import { type NotificationTools, own, reading, tag } from './access.ts';

const Inbox = Component('Inbox', {
  unread: Type.Integer({ minimum: 0, description: 'The number of all your unread notifications.' }),
});

const ReadNotifications = Component('ReadNotifications', {
  ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 1000 })),
  all: Type.Optional(Type.Literal(true)),
});

const UnreadNotifications = Component('UnreadNotifications', {
  unread: Type.Integer({ minimum: 0, description: 'The number that remains.' }),
});

const NotificationKinds = Component('NotificationKinds', {
  results: Type.Array(KindItem),
  email_enabled: Type.Boolean({ description: 'Whether Gatehouse can send emails.' }),
});

export function ownRoutes({ mailer }: NotificationTools): Route[] {
  const ofMail = { email_enabled: mailer !== undefined };
  return [
    list(
      '/api/notifications/',
      {
        tag,
        config: own,
        summary: 'List your notifications',
        description: 'Newest first.',
        query: {
          unread: Type.Optional(
            Type.Boolean({ description: 'true: only unread ones. false: only read ones.' }),
          ),
        },
        item: NotificationItem,
        beside: Inbox,
      },
      ({ call, query }, page) => listInbox(call, query.unread ?? null, page),
    ),
    route(
      'POST',
      '/api/notifications/read/',
      {
        tag,
        config: own,
        summary: 'Mark your notifications as read',
        description: 'Send `ids` or `all`, not both. Ids of other people are ignored.',
        body: ReadNotifications,
        reply: UnreadNotifications,
      },
      ({ call, body }) => markRead(call, body),
    ),
    route(
      'GET',
      '/api/notifications/preferences/',
      { tag, config: own, summary: 'Get your notification preferences', reply: Preferences },
      async ({ call }) => ({ ...(await preferencesOf(call)), ...ofMail }),
    ),
    route(
      'PATCH',
      '/api/notifications/preferences/',
      {
        tag,
        config: own,
        summary: 'Change your notification preferences',
        description: 'Missing fields and kinds stay. Security notices are always sent immediately.',
        body: PreferenceChange,
        reply: Preferences,
      },
      async ({ call, body }) => ({ ...(await changePreferences(call, body)), ...ofMail }),
    ),
    route(
      'GET',
      '/api/notifications/kinds/',
      { tag, config: own, summary: 'List the kinds of notifications', reply: NotificationKinds },
      () => ({
        results: KIND_NAMES.map((kind) => {
          const { title, audience, default: setting, security = false, channels = false } = kindOf(kind);
          return { kind, title, audience, default: setting, security, channels };
        }),
        ...ofMail,
      }),
    ),
  ];
}

export const deliveryRoutes = (tools: NotificationTools): Route[] => [
  list(
    '/api/notifications/deliveries/',
    {
      tag,
      config: reading,
      summary: 'List deliveries of notifications',
      description:
        'The deliveries to people and channels, with the reason of each that was not sent. Newest first. Kept for 90 days.',
      query: deliveryFilters.query,
      item: Delivery,
      isLong: true,
    },
    ({ call, query }, page) => listDeliveries(call, query, page),
  ),
  route(
    'POST',
    '/api/notifications/test-email/',
    {
      tag,
      config: { access: { scope: 'session', roles: ['owner', 'admin'] }, waits: true },
      summary: 'Send a test email to yourself',
      description: 'Returns 409 if emails are not configured.',
      reply: TestResult,
    },
    ({ call }) => sendTestEmail(tools, call),
  ),
];
