import type { FastifyReply } from 'fastify';
import { accessibleApp } from '#inventory/apps/apps.ts';
import { IfMatchHeader, resource, withVersion } from '#kit/http.ts';
import type { Settings } from '../queries/settings.ts';
import { changeSettings, fulfillmentVersion, settingsOf } from '../settings.ts';
import { SettingsItem, tag } from './schemas.ts';

const apps = resource({
  path: '/api/apps/',
  tag,
  reading: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' } },
  // Fulfillers and instructions name people and groups of the whole organization (D7).
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
  id: 'app_id',
  find: (call, id) => accessibleApp(call.db, call.principal, id),
  schema: withVersion(SettingsItem),
  view: (settings: Settings) => settings,
});

const show = (settings: Settings, reply: FastifyReply) => {
  reply.header('ETag', fulfillmentVersion(settings));
  return settings;
};

export const settingsRoutes = [
  apps.one.get('fulfillment/', 'Get fulfillment settings of an app', {}, async ({ call, found, reply }) =>
    show(await settingsOf(call, found.id), reply),
  ),
  apps.one.put(
    'fulfillment/',
    'Replace fulfillment settings of an app',
    {
      description: 'People carry out the provisioning tasks of an app that no connector can change.',
      headers: IfMatchHeader,
      body: SettingsItem,
    },
    async ({ call, found, body, ifMatch, reply }) =>
      show(await changeSettings(call, found, body, ifMatch), reply),
  ),
];
