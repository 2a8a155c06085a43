import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithRole } from '#test/people.ts';
import { type Browser, openBrowser, PASSWORD, signInAs } from '#test/sign-in.ts';

let service: TestApp;
let call: TestApp['call'];
let owner: Browser;
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
  owner = openBrowser(service);
  await owner.call('POST', '/auth/sign-in/', { email: 'admin@acme.example', password: PASSWORD });
});
afterAll(() => service.close());

const PREFERENCES = '/api/notifications/preferences/';

test('lists the kinds with their audience and default', async () => {
  const { status, body } = await owner.call('GET', '/api/notifications/kinds/');
  expect(status).toBe(200);
  expect(body.email_enabled).toBe(false);
  expect(body.results).toContainEqual({
    kind: 'key_created',
    title: 'An API key was created',
    audience: 'The person for whom it acts',
    default: 'immediately',
    security: true,
    channels: false,
  });
});

test('returns the defaults until a person chooses', async () => {
  const person = await addPersonWithRole(service, 'undecided@acme.example', 'owner');
  const { body } = await (await signInAs(service, person)).call('GET', PREFERENCES);
  expect(body).toMatchObject({ time_zone: null, quiet_from: null, digest_hour: 8, email_enabled: false });
  expect(body.kinds).toContainEqual({
    kind: 'task_failed',
    title: 'A task has failed',
    setting: 'immediately',
    security: false,
  });
});

test('changes preferences, and keeps those that are missing', async () => {
  const change = {
    time_zone: 'Europe/Berlin',
    language: 'de-de',
    quiet_from: '22:00',
    quiet_to: '06:30',
    kinds: { task_failed: 'daily' },
  };
  expect((await owner.call('PATCH', PREFERENCES, change)).status).toBe(200);
  const { body } = await owner.call('PATCH', PREFERENCES, { kinds: { sync_failed: 'off' } });
  expect(body).toMatchObject({ time_zone: 'Europe/Berlin', language: 'de-DE', quiet_from: '22:00' });
  const chosen = body.kinds.filter((kind: { setting: string }) => kind.setting !== 'immediately');
  expect(chosen).toMatchObject([
    { kind: 'request_reminder', setting: 'daily' },
    { kind: 'review_reminder', setting: 'daily' },
    { kind: 'task_failed', setting: 'daily' },
    { kind: 'sync_failed', setting: 'off' },
  ]);
  await owner.call('PATCH', PREFERENCES, { quiet_from: null, quiet_to: null });
});

test.each([
  [{ time_zone: 'Mars/Olympus' }, '"Mars/Olympus" is not a time zone'],
  [{ time_zone: '+02:00' }, 'is not a time zone'],
  [{ language: 'not a language' }, 'is not a language tag'],
  [{ quiet_from: '22:00', quiet_to: null }, 'Give both quiet_from and quiet_to'],
  [{ quiet_from: '22:00', quiet_to: '22:00' }, 'must differ'],
  [{ kinds: { key_created: 'off' } }, 'key_created is a security notice'],
  [{ kinds: { new_device: 'daily' } }, 'new_device is a security notice'],
  [{ kinds: { unknown: 'off' } }, 'There is no kind "unknown"'],
])('refuses the preferences %j', async (change, detail) => {
  const { status, body } = await owner.call('PATCH', PREFERENCES, change);
  expect([status, body.detail]).toEqual([400, expect.stringContaining(detail)]);
});

test('creates, changes and deletes a channel, and never returns its address', async () => {
  const url = 'https://hooks.example.com/services/T0/B0/secret-part';
  const { status, body } = await call('POST', '/api/notifications/channels/', {
    type: 'slack',
    name: 'IT',
    url,
    kinds: ['task_failed'],
  });
  expect([status, body]).toMatchObject([201, { host: 'hooks.example.com', app: null, enabled: true }]);
  const path = `/api/notifications/channels/${body.external_uuid}/`;
  const changed = await call('PATCH', path, { enabled: false, kinds: ['sync_failed'] });
  expect(changed.body).toMatchObject({ name: 'IT', enabled: false, kinds: ['sync_failed'] });
  const listed = await call('GET', '/api/notifications/channels/');
  expect(listed.body.count).toBe(1);
  expect(JSON.stringify([body, changed.body, listed.body])).not.toContain('secret-part');
  const { results } = (await call('GET', '/api/events/?catalog=all')).body;
  const types = results.map(({ event_type }: { event_type: string }) => event_type);
  expect(types).toEqual(
    expect.arrayContaining(['notification_channel.created', 'notification_channel.updated']),
  );
  expect(JSON.stringify(results)).not.toContain('secret-part');
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('DELETE', path)).status).toBe(404);
});

test('requires a key that may read what a channel gets', async () => {
  const made = (
    await call('POST', '/api/notifications/channels/', {
      ...{ type: 'slack', name: 'IT', url: 'https://hooks.example.com/x', kinds: ['task_failed'] },
    })
  ).body.external_uuid;
  for (const scopes of [['govern'], ['govern', 'read'], ['govern', 'events']]) {
    const { key } = (await call('POST', '/api/api-keys/', { name: 'Channels', scopes })).body;
    const fields = { name: 'IT', url: 'https://evil.example/x', kinds: ['task_failed'] };
    for (const [method, path, body] of [
      ['POST', '/api/notifications/channels/', { type: 'slack', ...fields }],
      ['PATCH', `/api/notifications/channels/${made}/`, fields],
    ] as const) {
      const { status, body: refusal } = await call(method, path, body, { key });
      expect([status, refusal.detail]).toEqual([403, expect.stringContaining('scopes read and events')]);
    }
  }
});

test.each(['http://hooks.example.com/x', 'not an address', 'https://user:secret@hooks.example.com/x'])(
  'refuses the channel address %s',
  async (url) => {
    const body = { type: 'teams', name: 'IT', url, kinds: ['task_failed'] };
    expect((await call('POST', '/api/notifications/channels/', body)).status).toBe(400);
  },
);

test('emails nothing without a mail server', async () => {
  expect((await owner.call('POST', '/api/notifications/test-email/')).status).toBe(409);
  const me = (await owner.call('GET', '/api/me/')).body.external_uuid;
  const { status, body } = await owner.call('POST', `/api/users/${me}/sign-in-link/email/`);
  expect([status, body.detail]).toEqual([409, expect.stringContaining('Emails are not configured')]);
});

test('creating channels at the same time does not exceed the limit', async () => {
  const other = await openTestApp();
  onTestFinished(() => other.close());
  const settings = {
    type: 'slack',
    name: 'Test',
    url: 'https://hooks.slack.com/services/T/B/x',
    kinds: ['task_failed'],
  };
  // Creating a channel resolves its name, and an organization has 16 requests that wait for other systems.
  const statuses: number[] = [];
  for (const count of [15, 15, 15, 15, 15, 15, 5, 15]) {
    const creating = Array.from({ length: count }, () =>
      other.call('POST', '/api/notifications/channels/', settings),
    );
    statuses.push(...(await Promise.all(creating)).map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(100);
  expect(statuses.slice(-15).filter((status) => status === 409)).toHaveLength(10);
});
