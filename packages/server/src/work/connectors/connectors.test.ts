import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { parseSecretKey, type SecretKey, secretKeyOf } from '#kit/secrets/secret-key.ts';
import { openSecrets } from '#kit/secrets/secrets.ts';
import { sql } from '#kit/sql.ts';
import { rotateSecrets } from '#operate/organizations/rotate-secrets.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, organizationOf } from '#test/people.ts';
import { SECRET_KEY } from '#test/secrets.ts';
import { purpose } from './connectors.ts';
import { CONNECTORS } from './isolation.ts';
import { readSecrets } from './queries/connectors.ts';

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp({ own: true });
});
afterAll(() => service.close());

const newApp = async () => {
  const { id } = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body;
  return { id: id as string, path: `/api/apps/${id}/connector/` };
};
const scim = {
  type: 'scim',
  settings: { url: 'https://app.example/scim/v2' },
  secrets: { token: 'correct horse' },
};
const definition = `
name: desk
base_url: \${URL}
settings:
  URL: address of the desk
auth: { bearer: '\${TOKEN}' }
accounts:
  - slug: user
    name: Users
    list: { get: /users }
    items: body
    record: { id: item.id, email: item.email }
`;

test('lists the types with the settings that a server may offer', async () => {
  const { results } = (await service.call('GET', '/api/connectors/')).body;

  const types = results.map(({ type }: { type: string }) => type);
  expect(types).toEqual(expect.arrayContaining(['ldap', 'postgres', 'scim', 'sql', 'rest', 'rest/github']));
  expect(types).not.toEqual(expect.arrayContaining(['csv']));
  expect(types).not.toEqual(expect.arrayContaining(['linux']));
  const ldap = results.find(({ type }: { type: string }) => type === 'ldap');
  expect(ldap.settings).toMatchObject({
    properties: {
      bindPassword: { type: 'string', writeOnly: true, format: 'password' },
      ca: { type: 'string' },
      startTls: { type: 'boolean', default: false },
    },
    required: ['url', 'bindDn', 'bindPassword', 'users', 'groups'],
  });
  for (const { settings } of results)
    expect(Object.keys(settings.properties)).not.toEqual(expect.arrayContaining(['deliverTo']));
  expect(Object.keys(ldap.settings.properties)).not.toContain('caFile');
});

test('stores a connector and never returns its secrets', async () => {
  const { path } = await newApp();
  const made = await service.call('POST', path, { ...scim, schedule: { every_minutes: 60 } });

  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    type: 'scim',
    settings: scim.settings,
    secrets: [{ name: 'token', set_at: expect.any(String) }],
    schedule: { every_minutes: 60 },
    next_sync_at: expect.any(String),
    overdue: false,
    last_run: null,
  });
  const { body } = await service.call('GET', path);
  expect(body).toEqual(made.body);
  const events = await service.call('GET', '/api/events/?event_type_prefix=connector.&limit=10');
  expect(events.body.results.map(({ event_type }: { event_type: string }) => event_type)).toEqual(
    expect.arrayContaining(['connector.created', 'connector.credentials_changed']),
  );
  const { rows } = await sql`select * from connector_secret`.execute(service.database.db);
  for (const shown of [made.body, body, events.body, rows])
    expect(JSON.stringify(shown)).not.toContain(scim.secrets.token);
  expect((await service.call('POST', path, scim)).status).toBe(409);
});

test('secrets stay readable when the secret key is replaced', async () => {
  const { id, path } = await newApp();
  await service.call('POST', path, scim);
  const { db } = service.database;
  const { orgId } = await organizationOf(service);
  const current = parseSecretKey(SECRET_KEY) as SecretKey;
  const next = secretKeyOf(randomBytes(32));

  await rotateSecrets(db, openSecrets({ current: next, old: [current] }));

  const [stored] = await readSecrets(within(db, orgId), id);
  const open = (key: SecretKey) =>
    openSecrets({ current: key, old: [] }).open(
      within(db, orgId),
      purpose(id, 'token'),
      stored?.sealed ?? '',
    );
  expect((await open(next)).toString()).toBe(scim.secrets.token);
  await expect(open(current)).rejects.toThrow();
  await rotateSecrets(db, openSecrets({ current, old: [next] }));
  expect((await open(current)).toString()).toBe(scim.secrets.token);
});

test('requires the secrets again when a setting changes', async () => {
  const { path } = await newApp();
  await service.call('POST', path, scim);
  const elsewhere = { settings: { url: 'https://elsewhere.example' } };

  const refused = await service.call('PATCH', path, elsewhere);
  const accepted = await service.call('PATCH', path, { ...elsewhere, secrets: { token: 'battery staple' } });
  const replaced = await service.call('PATCH', path, { secrets: { token: 'another one' } });
  const paused = await service.call('PATCH', path, { paused: true });

  expect([refused.status, refused.body.detail]).toEqual([
    400,
    expect.stringContaining('Send the secrets again: token.'),
  ]);
  expect([accepted.status, accepted.body.settings]).toEqual([200, elsewhere.settings]);
  expect([replaced.status, paused.status, paused.body.paused]).toEqual([200, 200, true]);
  expect((await service.call('PATCH', path, { secrets: { token: null } })).body.detail).toBe(
    'Set a value for token.',
  );
});

test('a secret in an address cannot redirect the others', async () => {
  const { path } = await newApp();
  const file = readFileSync(join(CONNECTORS, 'rest/definitions/rabbitmq.yml'), 'utf8');
  const made = await service.call('POST', path, {
    type: 'rest',
    definition: file.replaceAll(`\${URL}`, `\${KEY_URL}`).replace(/^( *)URL:/m, '$1KEY_URL:'),
    settings: { USERNAME: 'admin' },
    secrets: { KEY_URL: 'https://rabbit.example', PASSWORD: 'correct horse' },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);

  const elsewhere = { KEY_URL: 'https://evil.example' };
  const refused = await service.call('PATCH', path, { secrets: elsewhere });
  const removed = await service.call('PATCH', path, { secrets: { KEY_URL: null } });
  const complete = await service.call('PATCH', path, { secrets: { ...elsewhere, PASSWORD: 'staple' } });

  expect([refused.status, refused.body.detail, refused.body.errors]).toMatchObject([
    400,
    expect.stringContaining('Send the secrets again: PASSWORD.'),
    [{ path: 'secrets.PASSWORD' }],
  ]);
  expect([removed.status, complete.status]).toEqual([400, 200]);
});

test.each([
  [{ settings: { deliverTo: '/bin/mail' } }, 'has no setting deliverTo on the server'],
  [{ settings: { url: 5 } }, 'The setting url must be a string.'],
  [{ settings: { token: 'x' } }, 'The setting token is a secret. Send it in secrets.'],
  [{ settings: { url: 'https://admin:hunter2@app.example' } }, 'has a password in its address'],
  [{ schedule: { cron: '0 0 30 2 *', time_zone: 'UTC' } }, 'The schedule is not valid'],
  [{ secrets: { url: 'x' } }, 'The setting url is not a secret.'],
  [{ type: 'csv' }, 'csv is not a type of connector'],
  [{ definition: 'name: x' }, 'takes no definition'],
  [{ carries_out_tasks: true, type: 'rest/none' }, 'is not a type'],
  [{ schedule: { cron: '* * * * *', time_zone: 'UTC' } }, 'less than five minutes apart'],
  [{ schedule: { cron: '0 6 * * *', time_zone: 'Mars/Olympus' } }, 'The schedule is not valid'],
  [{ schedule: { cron: '0 6 * * * *', time_zone: 'UTC' } }, 'five fields'],
])('refuses %j', async (change, detail) => {
  const { path } = await newApp();
  const { settings, secrets, ...rest } = change as Record<string, object>;

  const answer = await service.call('POST', path, {
    ...scim,
    ...rest,
    settings: { ...scim.settings, ...settings },
    secrets: { ...scim.secrets, ...secrets },
  });

  expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(detail)]);
});

test('takes the settings of a definition from its text, and reports mistakes with their places', async () => {
  const { path } = await newApp();
  const given = { type: 'rest', settings: { URL: 'https://desk.example' }, secrets: { TOKEN: 'a token' } };
  const file = readFileSync(join(CONNECTORS, 'rest/definitions/rabbitmq.yml'), 'utf8');

  const wrong = await service.call('POST', path, { ...given, definition });
  expect([wrong.status, wrong.body.detail]).toEqual([
    400,
    expect.stringMatching(/definition\.yml:\d+:\d+: /),
  ]);
  const members = readFileSync(join(CONNECTORS, 'sql/examples/members.yml'), 'utf8');
  const sqlite = members.replace(/dsn: .*/, 'dsn: sqlite:///etc/passwd');
  const refused = await service.call('POST', path, { type: 'sql', definition: sqlite });
  expect([refused.status, refused.body.detail]).toEqual([
    400,
    expect.stringContaining('SQLite is a file of the machine'),
  ]);
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((c, i) => `${c}: &${c} [${`*${'abcdefghi'[i]},`.repeat(9)}]`).join('\n')}`;
  const exploded = await service.call('POST', path, { type: 'rest', definition: bomb });
  expect([exploded.status, exploded.body.detail]).toEqual([
    400,
    expect.stringContaining('aliases repeat too many values'),
  ]);

  const made = await service.call('POST', path, {
    type: 'rest',
    definition: file,
    settings: { URL: 'https://rabbit.example', USERNAME: 'admin' },
    secrets: { PASSWORD: 'a password' },
  });
  expect(made.body).toMatchObject({
    type: 'rest',
    definition: file,
    tasks: expect.arrayContaining(['create']),
  });
  expect(made.body.settings_schema.properties.PASSWORD).toMatchObject({ writeOnly: true });

  // A changed definition needs the secrets that it names, not those of the earlier one.
  const renamed = file.replaceAll('PASSWORD', 'API_PASSWORD');
  const change = { definition: renamed, settings: { URL: 'https://rabbit.example', USERNAME: 'admin' } };
  expect((await service.call('PATCH', path, change)).body.errors).toMatchObject([
    { path: 'secrets.API_PASSWORD' },
  ]);
  const changed = await service.call('PATCH', path, { ...change, secrets: { API_PASSWORD: 'another' } });
  expect([changed.status, changed.body.secrets]).toMatchObject([200, [{ name: 'API_PASSWORD' }]]);
});

test('queues one run of a kind at a time, and cancels it', async () => {
  const { path } = await newApp();
  await service.call('POST', path, scim);

  const run = await service.call('POST', `${path}run/`, { kind: 'sync' });
  expect([run.status, run.body]).toMatchObject([202, { kind: 'sync', state: 'queued' }]);
  expect((await service.call('POST', `${path}run/`, { kind: 'sync' })).status).toBe(409);
  expect((await service.call('POST', `${path}test/`)).status).toBe(202);
  expect((await service.call('GET', `${path}runs/?kind=sync`)).body).toMatchObject({ count: 1 });
  const cancelled = await service.call('POST', `${path}runs/${run.body.id}/cancel/`);
  expect(cancelled.body).toMatchObject({ state: 'cancelled', cancelling: false });
  expect((await service.call('POST', `${path}runs/${run.body.id}/cancel/`)).status).toBe(409);
  expect((await service.call('POST', `${path}run/`, { kind: 'sync' })).status).toBe(202);
});

test('archiving an app deletes its connector and its secrets, and cancels its runs', async () => {
  const { id, path } = await newApp();
  await service.call('POST', path, scim);
  await service.call('POST', `${path}run/`, { kind: 'sync' });

  expect((await service.call('DELETE', `/api/apps/${id}/`)).status).toBe(204);

  const { rows } = await sql<{ secrets: number; connectors: number; states: string[] }>`
    select (select count(*)::integer from connector_secret where app_id = ${id}) as secrets,
      (select count(*)::integer from connector where app_id = ${id}) as connectors,
      array(select state from connector_run where app_id = ${id}) as states`.execute(service.database.db);
  expect(rows).toEqual([{ secrets: 0, connectors: 0, states: ['cancelled'] }]);
});

test('lets auditors read connectors but no records of previews', async () => {
  const { path } = await newApp();
  await service.call('POST', path, scim);
  const run = await service.call('POST', `${path}preview/`);
  const auditor = (await addPersonWithKey(service, 'auditor')).key;

  expect((await service.call('GET', path, undefined, { key: auditor })).status).toBe(200);
  expect((await service.call('GET', `${path}runs/${run.body.id}/`, undefined, { key: auditor })).status).toBe(
    403,
  );
});

test('checks a definition without storing it, and names invalid settings in errors', async () => {
  const check = (body: object) => service.call('POST', '/api/connectors/check/', body);
  const file = readFileSync(join(CONNECTORS, 'rest/definitions/rabbitmq.yml'), 'utf8');
  const good = await check({ type: 'rest', definition: file });
  expect(good.body).toMatchObject({
    settings: { properties: { URL: { type: 'string' }, PASSWORD: { writeOnly: true } } },
    resource_types: expect.arrayContaining([expect.objectContaining({ slug: 'user', type: 'account' })]),
    tasks: ['create', 'update', 'delete', 'resetPassword'],
  });
  const bad = await check({ type: 'rest', definition });
  expect([bad.status, bad.body.detail]).toEqual([400, expect.stringMatching(/definition\.yml:\d+:\d+/)]);
  expect((await check({ type: 'scim', definition })).body.errors).toMatchObject([{ path: 'type' }]);

  const { path } = await newApp();
  const { body } = await service.call('POST', path, { type: 'scim', settings: { url: 7 } });
  expect(body.errors).toMatchObject([{ path: 'settings.url' }]);
  const incomplete = await service.call('POST', path, { type: 'scim', settings: scim.settings });
  expect(incomplete.body.errors).toMatchObject([{ path: 'secrets.token' }]);
});

test('refuses a secret in the text of a definition, which auditors can read', async () => {
  const { path } = await newApp();
  const rest = readFileSync(join(CONNECTORS, 'rest/definitions/rabbitmq.yml'), 'utf8');
  const sqlText = readFileSync(join(CONNECTORS, 'sql/examples/members.yml'), 'utf8');

  for (const [address, type, text, place] of [
    ['/api/connectors/check/', 'rest', rest.replace(`'\${PASSWORD}'`, 'hunter2'), 'auth.basic.password'],
    [path, 'sql', sqlText.replace(`\${DB_PASSWORD}`, 'hunter2'), 'connect.dsn'],
  ] as const) {
    const { status, body } = await service.call('POST', address, { type, definition: text });
    expect([status, body.detail]).toEqual([
      400,
      expect.stringMatching(
        new RegExp(
          `^The definition is not valid. definition.yml:\\d+:\\d+: ${place} has a secret that everyone .* write \\$\\{NAME\\} instead`,
        ),
      ),
    ]);
    expect(body.detail).not.toContain('hunter2');
  }
});

test('lists the states of connectors, to a key for listed apps only those', async () => {
  const { id, path } = await newApp();
  const other = await newApp();
  await service.call('POST', path, { ...scim, paused: true });
  await service.call('POST', other.path, scim);
  const list = async (query: string, key?: string) => {
    const address = `/api/app-connectors/${query}`;
    return (await service.call('GET', address, undefined, key === undefined ? {} : { key })).body;
  };

  expect(await list(`?app=${id}`)).toMatchObject({
    count: 1,
    results: [
      { app_id: id, type: 'scim', name: 'SCIM 2.0', paused: true, overdue: false, last_sync_state: null },
    ],
  });
  const ids = (body: { results: { app_id: string }[] }) => body.results.map(({ app_id }) => app_id);
  expect(ids(await list('?limit=200'))).toEqual(expect.arrayContaining([id, other.id]));
  const { key } = (
    await service.call('POST', '/api/api-keys/', { name: 'listed', scopes: ['govern'], apps: [id] })
  ).body;
  expect(ids(await list('', key))).toEqual([id]);
  expect(ids(await list(`?app=${other.id}`, key))).toEqual([]);

  await service.call('POST', `${path}run/`, { kind: 'sync' });
  await sql`update connector_run set state = 'failed', error = 'Wrong password.', ended_at = clock_now()
    where app_id = ${id}`.execute(service.database.db);
  expect((await list(`?app=${id}`)).results).toMatchObject([
    { last_sync_state: 'failed', last_sync_error: 'Wrong password.' },
  ]);
});
