import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATION_IDS } from '#operation-ids.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { VERSION } from '../../../../protocol/src/version.ts';
import { withoutReferences } from './components.ts';

interface Operation {
  operationId: string;
  summary?: string;
  security?: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: object }> };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

let service: TestApp;
let reference: {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object>;
};
beforeAll(async () => {
  service = await openTestApp();
  reference = (await service.app.http.inject('/openapi.json')).json();
});
afterAll(() => service.close());

/** Returns all addresses of the router in the form of the reference. */
function addresses(): string[] {
  const found: string[] = [];
  const above: string[] = [];
  for (const line of service.app.http.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', segment = '', methods] = /^([ │├└─]*)(\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    // A segment without a slash continues its parent, as in /run and s.
    above.splice(depth - 1, Number.POSITIVE_INFINITY, segment);
    if (methods !== undefined) found.push(above.join('').replace(/\/+/g, '/'));
  }
  return found.map((address) => address.replaceAll(/:(\w+)/g, '{$1}'));
}

const operations = () =>
  Object.entries(withoutReferences(reference).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
  );

test('is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(reference));

  expect(result).toEqual({ valid: true });
  expect(reference.openapi).toMatch(/^3\.1\./);
  expect(reference.info.version).toBe(VERSION);
});

test('gives each operation a name of its own, a verb and a noun', () => {
  const names = operations().map(({ operationId }) => operationId);

  expect(new Set(names).size).toBe(names.length);
  expect(names.toSorted()).toEqual(Object.values(OPERATION_IDS).toSorted());
  for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
  for (const { method, operationId } of operations()) {
    if (method === 'get') expect(operationId).not.toMatch(/^(create|update|replace|delete|remove)/);
    else expect(operationId).not.toMatch(/^(get|list)/);
  }
});

test('uses every component', () => {
  const { securitySchemes, ...components } = reference.components;
  const declared = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  );
  const used = JSON.stringify(reference).matchAll(/"\$ref":"([^"]+)"/g);

  expect(declared.length).toBeGreaterThan(300);
  expect([...new Set(Array.from(used, ([, name]) => name))].toSorted()).toEqual(declared.toSorted());
});

test('names the bodies that requests and responses have', () => {
  const unnamed = Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
      [requestBody, ...Object.values(responses)]
        .flatMap((body) => body?.content?.['application/json']?.schema ?? [])
        .filter((schema) => 'properties' in schema)
        .map(() => `${method} ${path}`),
    ),
  );

  expect(new Set(unnamed)).toEqual(new Set());
});

test('lists every address of the router (D42)', () => {
  // Below /scim/v2, a route for all other addresses replies 404 as SCIM does.
  const isForReaders = (address: string) => /^(\/(docs.*|openapi\.json)?|\*)$/.test(address);
  const served = addresses().filter((address) => !isForReaders(address));
  const named = Object.keys(reference.paths).map((path) => path.replace(/\/$/, ''));

  expect(served.length).toBeGreaterThan(20);
  expect(named.toSorted()).toEqual(served.toSorted());
});

test('describes summary, parameters and responses of every operation', () => {
  for (const { method, path, summary, parameters = [], responses } of operations()) {
    const label = `${method} ${path}`;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(summary, label).toMatch(/^[A-Z]/);
    expect(
      parameters
        .filter((one) => one.in === 'path')
        .map(({ name }) => name)
        .toSorted(),
      label,
    ).toEqual(inPath.toSorted());
    expect(
      Object.keys(responses).some((status) => /^2\d\d$/.test(status)),
      label,
    ).toBe(true);
    expect(responses.default, label).toMatchObject({ description: 'Error' });
  }
});

test('states for every operation whether it takes a key, a session or neither', () => {
  for (const { method, path, security } of operations()) {
    const label = `${method} ${path}`;
    // Sign-in links, providers and the transfer of keys take a session only.
    if (path.startsWith('/org/{org}/api/'))
      expect([undefined, [{ session: [] }]], label).toContainEqual(security);
    else if (path.startsWith('/org/{org}/scim/'))
      expect(security, label).toEqual([{ bearer: [] }, { apiKey: [] }]);
    else if (path.startsWith('/org/')) expect([[], [{ session: [] }]], label).toContainEqual(security);
    else expect(security, label).toEqual([]);
  }
});

test('marks bodies as required, unless a request without one is valid', () => {
  const bodies = operations().flatMap(({ method, path, requestBody }) =>
    requestBody === undefined
      ? []
      : [{ label: `${method} ${path}`, required: requestBody.required === true }],
  );
  const optional = bodies.filter(({ required }) => !required).map(({ label }) => label);
  expect(optional).toContain('post /org/{org}/api/tickets/{ticket_id}/approve/');
  expect(optional).toContain('post /org/{org}/api/apps/{app_id}/syncs/{sync_id}/revert/');
  expect(optional).not.toContain('post /org/{org}/api/tickets/');
});

test('describes bodies whose fields are all optional as optional, and takes requests without them', async () => {
  const url = 'https://receiver.example/events';
  const { id } = (await service.call('POST', '/api/webhooks/', { name: 'SIEM', url })).body;
  const without = [
    ['PATCH', '/api/organization/', '/org/{org}/api/organization/'],
    ['PATCH', `/api/webhooks/${id}/`, '/org/{org}/api/webhooks/{webhook_id}/'],
    ['POST', `/api/webhooks/${id}/rotate-secret/`, '/org/{org}/api/webhooks/{webhook_id}/rotate-secret/'],
  ] as const;
  for (const [method, path, described] of without) {
    const operation = reference.paths[described]?.[method.toLowerCase()];
    expect(operation?.requestBody?.required, described).toBeUndefined();
    expect((await service.call(method, path)).status, described).toBe(200);
  }
});

test('is public, as is the reference for people', async () => {
  const withKey = await service.app.http.inject({
    url: '/openapi.json',
    headers: { authorization: `Api-Key ${service.key}` },
  });

  expect(withKey.json()).toEqual(reference);
  expect(await service.app.http.inject('/docs/')).toMatchObject({ statusCode: 200 });
  expect((await service.app.http.inject('/docs/json')).json()).toEqual(reference);
});

test.each([
  '../..',
  '..%2f..',
  '%2e%2e/x',
  '%00',
  'a%00b',
  '%5c..%5c',
  'a'.repeat(300),
  `${'a/'.repeat(3000)}`,
])('returns 404 for /docs/static/%s', async (file) => {
  const { statusCode, body } = await service.app.http.inject(`/docs/static/${file}`);

  expect([400, 404]).toContain(statusCode);
  expect(JSON.parse(body)).toMatchObject({ detail: expect.any(String) });
});
