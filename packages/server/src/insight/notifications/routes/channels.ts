import { Type } from 'typebox';
import { resource } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import {
  changeChannel,
  channelVersion,
  createChannel,
  deleteChannel,
  listChannels,
  requireChannel,
  testChannel,
} from '../channels.ts';
import { ChannelItem, ChannelType, channelFields, TestResult } from '../schemas.ts';
import { creating, managing, type NotificationTools, reading, redirecting, tag } from './access.ts';

const channels = resource({
  path: '/api/notifications/channels/',
  tag,
  reading,
  managing,
  id: 'channel_id',
  find: requireChannel,
  schema: ChannelItem,
  view: (channel) => channel,
  version: channelVersion,
});

export const channelRoutes = (tools: NotificationTools) => [
  channels.list(
    'List channels',
    { description: 'The incoming webhooks of Slack and Microsoft Teams that get notifications.' },
    (call, _, page) => listChannels(call, page),
  ),
  channels.get('Get channel'),
  channels.create(
    'Create channel',
    {
      config: { ...creating, waits: true },
      body: Component('NewNotificationChannel', { type: ChannelType, ...channelFields }),
    },
    ({ call, body }) => createChannel(tools, call, body),
  ),
  channels.change(
    'Change channel',
    {
      config: { ...redirecting, waits: true },
      body: Type.Partial(Type.Object(channelFields), { title: 'NotificationChannelChange' }),
    },
    ({ call, found, body, ifMatch }) => changeChannel(tools, call, found.external_uuid, body, ifMatch),
  ),
  channels.remove('Delete channel', {}, ({ call, found }) => deleteChannel(call, found.external_uuid)),
  channels.one.post(
    'test/',
    'Send a test message to a channel',
    { config: { ...managing, waits: true }, reply: TestResult },
    ({ call, found }) => testChannel(tools, call, found.external_uuid),
  ),
];
