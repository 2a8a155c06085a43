import type { Fault } from './fault.ts';
import { type Kind, Refusal } from './validate.ts';
import type { World } from './world.ts';

export type Call = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  fault: Fault['what'] | undefined;
};
type Answer = [status: number, body: unknown];
type Route = (world: World, call: Call, app: string, id: string, slug: string) => Answer;

const routes: [method: string, path: RegExp, route: Route][] = [
  ['GET', /^\/api\/accounts$/, accounts],
  [
    'GET',
    /^\/api\/v1\/bridge\/apps$/,
    (world) => [200, [...world.apps.keys()].map((id) => appView(world, id))],
  ],
  ['POST', /^\/api\/v1\/bridge\/apps$/, createApp],
  ['GET', /^\/api\/v1\/bridge\/apps\/([^/]+)$/, (world, _, app) => [200, appView(world, app)]],
  ['GET', bridge('resource-types'), (world, _, app) => [200, [...world.find(app).types.values()]]],
  ['POST', bridge('resource-types'), registerType],
  ['POST', bridge('sync'), (world, _, app) => [201, { sync_id: world.start(app) }]],
  ['GET', bridge('sync/([^/]+)'), (world, _, app, id) => [200, world.status(app, id)]],
  ['POST', bridge('sync/([^/]+)/complete'), complete],
  ['POST', bridge('sync/([^/]+)/abandon'), abandon],
  [
    'PUT',
    bridge('sync/([^/]+)/([^/]+)'),
    (world, { body }, app, id, slug) => [200, world.push(app, id, slug, body)],
  ],
  [
    'GET',
    bridge('tasks'),
    (world, { query }, app) => [200, { tasks: world.tasks(app, query.get('status')) }],
  ],
  ['PATCH', bridge('tasks/([^/]+)/status'), (world, { body }, app, id) => [200, world.report(app, id, body)]],
];

/** Handles a request (protocol 4) and returns status and body. */
export function answer(world: World, call: Call): Answer {
  for (const [method, path, route] of routes) {
    const match = call.method === method ? path.exec(call.path) : null;
    if (!match) continue;
    const [, app = '', id = '', slug = ''] = match.map((part) => decodeURIComponent(part));
    if (call.fault === 'supersede') world.start(app);
    return route(world, call, app, id, slug);
  }
  throw new Refusal(404, 'Not found');
}

function bridge(below: string): RegExp {
  return new RegExp(`^/api/v1/bridge/apps/([^/]+)/${below}$`);
}

function accounts(world: World, { query }: Call): Answer {
  const all = world.accounts(query.get('app') ?? '', query.get('status'));
  const results = all.slice(0, Number(query.get('limit') ?? 50));
  return [200, { count: all.length, next: null, previous: null, results }];
}

function createApp(world: World, { body }: Call): Answer {
  const name = (body as { name?: unknown } | undefined)?.name;
  if (typeof name !== 'string' || !name) throw new Refusal(400, 'Field required (name)');
  return [201, appView(world, world.createApp(name).id)];
}

function registerType(world: World, { body }: Call, app: string): Answer {
  const { slug, name, type } = (body ?? {}) as { slug: string; name: string; type: Kind };
  if (!slug || !name || !['account', 'group', 'license'].includes(type))
    throw new Refusal(400, 'Field required');
  return [201, world.registerType(app, slug, name, type)];
}

function complete(world: World, { body, fault }: Call, app: string, id: string): Answer {
  world.complete(app, id, fault === 'cleanup', body);
  return [202, world.status(app, id)];
}

function abandon(world: World, _: Call, app: string, id: string): Answer {
  world.abandon(app, id);
  return [204, undefined];
}

function appView(world: World, appId: string) {
  const { id, name, createdAt, lastSyncedAt } = world.find(appId);
  return {
    id,
    name,
    configuration_status: 'CHECKING_CONFIGURATION',
    created_at: createdAt,
    last_synced_at: lastSyncedAt,
  };
}
