import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/app.ts';

interface Operation {
  summary?: string;
  security?: object[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, unknown>;
}

let service: TestApp;
let reference: { openapi: string; paths: Record<string, Record<string, Operation>> };
beforeAll(async () => {
  service = await openTestApp();
  reference = (await service.app.http.inject('/openapi.json')).json();
});
afterAll(() => service.close());

/** Every address that the router knows, in the reference's form. */
function addresses(): string[] {
  const found: string[] = [];
  const above: string[] = [];
  for (const line of service.app.http.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', segment = '', methods] = /^([ │├└─]*)(\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.splice(depth - 1, Number.POSITIVE_INFINITY, segment.replace(/^\//, ''));
    if (methods !== undefined) found.push(`/${above.filter((part) => part !== '').join('/')}`);
  }
  return found.map((address) => address.replaceAll(/:(\w+)/g, '{$1}'));
}

const operations = () =>
  Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
  );

test('it is OpenAPI 3.1, by the specification’s own schema', async () => {
  const result = await new Validator().validate(structuredClone(reference));

  expect(result).toEqual({ valid: true });
  expect(reference.openapi).toMatch(/^3\.1\./);
});

test('it names every address that is served (D42)', () => {
  const isForReaders = (address: string) => /^\/(docs.*|openapi\.json)?$/.test(address);
  const served = addresses().filter((address) => !isForReaders(address));
  const named = Object.keys(reference.paths).map((path) => path.replace(/\/$/, ''));

  expect(served.length).toBeGreaterThan(20);
  expect(named.toSorted()).toEqual(served.toSorted());
});

test('every operation says what it does, what it takes and what it answers', () => {
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
    expect(responses.default, label).toMatchObject({ description: 'Refused' });
  }
});

test('what needs a key says so, what needs none, and what is for people alone', () => {
  for (const { method, path, security } of operations()) {
    const label = `${method} ${path}`;
    if (path.startsWith('/org/{org}/api/')) expect(security, label).toBeUndefined();
    else if (path.startsWith('/org/')) expect([[], [{ session: [] }]], label).toContainEqual(security);
    else expect(security, label).toEqual([]);
  }
});

test('it is the same for everyone, and so is the reference for people', async () => {
  const withKey = await service.app.http.inject({
    url: '/openapi.json',
    headers: { authorization: `Api-Key ${service.key}` },
  });

  expect(withKey.json()).toEqual(reference);
  expect(await service.app.http.inject('/docs/')).toMatchObject({ statusCode: 200 });
  expect((await service.app.http.inject('/docs/json')).json()).toEqual(reference);
});
