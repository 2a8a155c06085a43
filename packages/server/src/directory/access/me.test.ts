import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ORIGIN, openTestApp, type TestApp } from '#test/app.ts';
import { openBrowser, PASSWORD, signInAs } from '#test/sign-in.ts';

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());

test('returns the person for whom a key acts', async () => {
  const other = await openTestApp();
  onTestFinished(() => other.close());

  const { status, body } = await other.call('GET', '/api/me/');

  expect(status).toBe(200);
  expect(body).toMatchObject({
    email: 'admin@acme.example',
    role: 'owner',
    organization: { slug: other.org, name: 'acme' },
    base_url: `${ORIGIN}/org/${other.org}`,
    has_password: true,
    second_factor: false,
    api_key: expect.any(String),
  });
});

test('does not tell a key for listed apps how its person signs in', async () => {
  const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
  const listed = { name: 'Connector', scopes: ['bridge', 'read'], apps: [app] };
  const { key } = (await service.call('POST', '/api/api-keys/', listed)).body;

  const { status, body } = await service.call('GET', '/api/me/', undefined, { key });

  expect(status).toBe(200);
  expect(body).toMatchObject({ email: 'admin@acme.example', apps: [app] });
  for (const field of ['has_password', 'second_factor', 'has_reports'])
    expect(body).not.toHaveProperty(field);
});

test('returns the signed-in person', async () => {
  const person = (await service.call('POST', '/api/users/', { email: 'm@acme.example', first_name: 'Mia' }))
    .body;
  const { call } = await signInAs(service, person);

  expect((await call('GET', '/api/me/')).body).toMatchObject({
    external_uuid: person.external_uuid,
    first_name: 'Mia',
    role: 'member',
    api_key: null,
  });
});

test('lets administrators rename the organization, but not members', async () => {
  const owner = openBrowser(service);
  await owner.call('POST', '/auth/sign-in/', { email: 'admin@acme.example', password: PASSWORD });
  const person = (await service.call('POST', '/api/users/', { email: 'n@acme.example' })).body;
  const member = await signInAs(service, person);

  expect((await owner.call('PATCH', '/api/organization/', { name: '' })).status).toBe(400);
  expect((await member.call('PATCH', '/api/organization/', { name: 'Mine' })).status).toBe(403);
  expect((await owner.call('PATCH', '/api/organization/', { name: 'Acme & Söhne' })).body).toMatchObject({
    slug: service.org,
    name: 'Acme & Söhne',
  });
  expect((await member.call('GET', '/api/organization/')).body.name).toBe('Acme & Söhne');
});
