import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
import {
  changeChannel,
  channelVersion,
  createChannel,
  deleteChannel,
  listChannels,
  requireChannel,
  testChannel,
} from '../channels.ts';
import { knownChannel } from './known-channel.ts';
import {
  ChannelItem,
  ChannelParams,
  ChannelType,
  channelFields,
  creating,
  managing,
  type NotificationTools,
  reading,
  redirecting,
  TestResult,
  tags,
} from './schemas.ts';

export function listChannelsRoute(http: Http, { db, origin }: NotificationTools) {
  http.get(
    '/api/notifications/channels/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List channels',
        description: 'The incoming webhooks of Slack and Microsoft Teams that get notifications.',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ChannelItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listChannels(within(db, request.principal.orgId), page);
      return listReply(request, origin(request), page, slice);
    },
  );
}

export function getChannelRoute(http: Http, { db }: NotificationTools) {
  http.get(
    '/api/notifications/channels/:channel_id/',
    {
      config: reading,
      onRequest: knownChannel(db),
      schema: {
        tags,
        summary: 'Get channel',
        params: ChannelParams,
        response: { 200: withVersion(ChannelItem) },
      },
    },
    async ({ principal, params }, reply) => {
      const channel = await requireChannel(within(db, principal.orgId), params.channel_id);
      reply.header('ETag', channelVersion(channel));
      return channel;
    },
  );
}

export function createChannelRoute(http: Http, tools: NotificationTools) {
  http.post(
    '/api/notifications/channels/',
    {
      config: { ...creating, waits: true },
      schema: {
        tags,
        summary: 'Create channel',
        body: Component('NewNotificationChannel', { type: ChannelType, ...channelFields }),
        response: { 201: ChannelItem },
      },
    },
    async (request, reply) => {
      const { body } = request;
      reply.code(201);
      return createChannel(tools, callOf(tools.db, request), body);
    },
  );
}

export function changeChannelRoute(http: Http, tools: NotificationTools) {
  http.patch(
    '/api/notifications/channels/:channel_id/',
    {
      config: { ...redirecting, waits: true },
      onRequest: knownChannel(tools.db),
      schema: {
        tags,
        summary: 'Change channel',
        params: ChannelParams,
        headers: IfMatchHeader,
        body: Type.Partial(Type.Object(channelFields), { title: 'NotificationChannelChange' }),
        response: { 200: withVersion(ChannelItem) },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const { channel_id: id } = params;
      const channel = await changeChannel(tools, callOf(tools.db, request), id, body, ifMatchOf(request));
      reply.header('ETag', channelVersion(channel));
      return channel;
    },
  );
}

export function deleteChannelRoute(http: Http, { db }: NotificationTools) {
  http.delete(
    '/api/notifications/channels/:channel_id/',
    {
      config: managing,
      onRequest: knownChannel(db),
      schema: { tags, summary: 'Delete channel', params: ChannelParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { params } = request;
      await deleteChannel(callOf(db, request), params.channel_id);
      reply.code(204);
      return null;
    },
  );
}

export function testChannelRoute(http: Http, tools: NotificationTools) {
  http.post(
    '/api/notifications/channels/:channel_id/test/',
    {
      config: { ...managing, waits: true },
      onRequest: knownChannel(tools.db),
      schema: {
        tags,
        summary: 'Send a test message to a channel',
        params: ChannelParams,
        response: { 200: TestResult },
      },
    },
    async (request) => testChannel(tools, callOf(tools.db, request), request.params.channel_id),
  );
}
