import { resource, withVersion } from '#kit/http.ts';
import {
  adminAppOf,
  archive,
  changeSettings,
  disconnect,
  listAdminApps,
  type ReadActivity,
  reconnect,
  settingsVersion,
} from '../admin.ts';
import { appOf } from '../apps.ts';
import { appFilters } from '../filters.ts';
import { listResourceTypes } from '../resource-types.ts';
import { userNameRule } from '../user-names/rule.ts';
import {
  AppChange,
  AppView,
  administrators,
  approvalStep,
  appView,
  everyRole,
  ResourceType,
  tag,
  withActivity,
} from './schemas.ts';

/** Apps for administrators (protocol 11). Every role may read them, because everyone may request access. */
export const apps = resource({
  path: '/api/apps/',
  tag,
  reading: everyRole,
  managing: administrators,
  id: 'app_id',
  find: appOf,
  schema: AppView,
  view: (app: ReturnType<typeof appView>) => app,
  version: settingsVersion,
});

export const appRoutes = (activity: ReadActivity) => [
  apps.list('List apps', { query: appFilters.query }, async (call, filter, page) => {
    const { results, ...counts } = await listAdminApps(call, filter, page);
    return { ...counts, results: await withActivity(activity, call, results) };
  }),
  apps.one.get('', 'Get app', { reply: withVersion(AppView) }, async ({ call, found, reply }) => {
    const app = await adminAppOf(call, found.id);
    reply.header('ETag', settingsVersion(app));
    const [view] = await withActivity(activity, call, [app]);
    if (view === undefined || call.principal.role === 'member') return appView(app);
    const unseen = await activity.readUnseen(call, app.id);
    return unseen.length === 0 ? view : { ...view, unseen };
  }),
  apps.listOf(
    'resource-types/',
    'List the resource types of an app',
    { item: ResourceType },
    ({ call, found }, page) => listResourceTypes(call, found, page),
  ),
  apps.change(
    'Change the settings of an app',
    { body: AppChange },
    async ({ call, found, body, ifMatch }) => {
      const { approval_steps: steps, user_name: rule, ...rest } = body;
      const change = {
        ...rest,
        ...(steps === undefined ? {} : { approval_steps: steps.map(approvalStep) }),
        ...(rule === undefined ? {} : { user_name: rule && userNameRule(rule) }),
      };
      return appView(await changeSettings(call, found.id, change, ifMatch));
    },
  ),
  apps.remove('Archive app', {}, ({ call, found }) => archive(call, found.id)),
  apps.act('disconnect/', 'Disconnect app', {}, async ({ call, found }) =>
    appView(await disconnect(call, found.id)),
  ),
  apps.act('reconnect/', 'Reconnect app', {}, async ({ call, found }) =>
    appView(await reconnect(call, found.id)),
  ),
];
