import Fastify from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { Call } from '../identity/call.ts';
import { resource } from './resource.ts';
import { addRoutes } from './route.ts';
import type { Http, RouteTools } from './server.ts';

const primary = { name: 'primary' };
const replica = { name: 'replica' };
const nameOf = ({ db }: Call) => (db as unknown as typeof primary).name;

test('an operation that reads a replica finds its thing in the primary', async () => {
  const things = resource({
    path: '/things/',
    tag: 'Things',
    reading: { access: 'public', reads: 'replica' },
    managing: { access: 'public' },
    id: 'thing_id',
    idSchema: Type.String(),
    find: async (call) => ({ found: nameOf(call) }),
    schema: Type.Object({ found: Type.String() }),
    view: (thing) => thing,
  });
  const http = Fastify() as unknown as Http;
  http.addHook('onRequest', async (request) => {
    Object.assign(request, { principal: { orgId: 'org', userId: 'me' }, reads: { db: replica } });
  });
  const both = Type.Object({ found: Type.String(), read: Type.String() });
  addRoutes(http, { db: primary } as unknown as RouteTools, [
    things.one.get('parts/', 'Get parts', { reply: both }, ({ call, found }) => ({
      ...found,
      read: nameOf(call),
    })),
  ]);

  const reply = await http.inject('/things/1/parts/');

  expect(reply.json()).toEqual({ found: 'primary', read: 'replica' });
});
