// @module-tag engine
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '#kit/database/open.ts';
import { acrossOrganizations } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { runCli } from '#test/cli.ts';
import { createTestDatabase } from '#test/database.ts';
import { SECRET_KEY } from '#test/secrets.ts';
import { startService } from '#test/service.ts';
import { temporaryFolder } from '#test/temporary.ts';
import { VERSION } from '../../protocol/src/version.ts';

test('creates, suspends and deletes an organization, with its first administrator', {
  timeout: 300_000,
}, async () => {
  const { options, remove } = await createTestDatabase('organization');
  onTestFinished(remove);

  const created = await runCli(options, [
    'organizations',
    'create',
    'globex',
    '--name',
    'Globex Inc.',
    '--admin-email',
    'hank@globex.example',
  ]);
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const [, password = ''] = /Password +(\S+)/.exec(created.stdout) ?? [];
  const [, key = ''] = /API key +(\S+)/.exec(created.stdout) ?? [];
  const again = await runCli(options, [
    'organizations',
    'create',
    'globex',
    '--admin-email',
    'x@globex.example',
  ]);
  expect(again).toMatchObject({ code: 1, stderr: 'An organization with the slug globex already exists.\n' });

  const service = await startService({ database: options, environment: { GATEHOUSE_RATE_LIMITS: 'off' } });
  onTestFinished(() => service.kill());
  const base = `${service.url}/org/globex`;
  const ask = (path: string) => fetch(`${base}${path}`, { headers: { authorization: `Api-Key ${key}` } });
  expect(await (await ask('/api/users/')).json()).toMatchObject({
    count: 1,
    results: [{ email: 'hank@globex.example' }],
  });
  expect(
    (await fetch(`${service.url}/org/acme/api/users/`, { headers: { authorization: `Api-Key ${key}` } }))
      .status,
  ).toBe(404);
  const signIn = await fetch(`${base}/auth/sign-in/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ email: 'hank@globex.example', password }),
  });
  expect(signIn.status).toBe(200);

  const reason = ['--reason', 'The contract has ended.'];
  if (options.url === undefined) {
    const refused = await runCli(options, ['organizations', 'suspend', 'globex', ...reason]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/in use by another Gatehouse process/),
    });
    await service.stop();
    expect(await runCli(options, ['organizations', 'suspend', 'globex', ...reason])).toMatchObject({
      code: 0,
    });
  } else {
    expect(await runCli(options, ['organizations', 'suspend', 'globex', ...reason])).toMatchObject({
      code: 0,
    });
    await expect.poll(async () => (await ask('/api/users/')).status, { timeout: 10_000 }).toBe(403);
    expect(await (await ask('/auth/')).json()).toEqual({
      detail: 'The organization globex is suspended: The contract has ended.',
      code: 'organization_suspended',
      values: { slug: 'globex', reason: 'The contract has ended.' },
    });
  }
  const list = await runCli(options, ['organizations', 'list']);
  expect(list.stdout).toMatch(
    /^globex +Globex Inc\. +\d{4}-\d\d-\d\d +suspended: The contract has ended\.$/m,
  );
  expect(list.stdout).toMatch(/^acme +acme +\d{4}-\d\d-\d\d +active$/m);

  const wrong = await runCli(options, ['organizations', 'delete', 'globex'], { input: 'acme\n' });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed.') });
  const once_ = await runCli(options, ['organizations', 'delete', 'globex', '--force'], {
    input: 'globex\n',
  });
  expect(once_.code).toBe(1);
  const forced = await runCli(options, ['organizations', 'delete', 'globex', '--force'], {
    input: 'globex\nglobex\n',
  });
  expect(forced).toMatchObject({ code: 0, stdout: 'The organization globex is deleted.\n' });
  expect((await runCli(options, ['organizations', 'list'])).stdout).not.toContain('globex');
});

test('rotates the secret key of the settings', { timeout: 300_000 }, async () => {
  const { options, remove } = await createTestDatabase('organization');
  onTestFinished(remove);
  const after = Buffer.alloc(32, 9).toString('base64');

  const environment = { GATEHOUSE_SECRET_KEY: after, GATEHOUSE_SECRET_KEY_OLD: SECRET_KEY };
  expect(await runCli(options, ['secrets', 'rotate'], { environment })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^1 data keys were encrypted again\./),
  });

  expect(await runCli(options, ['organizations', 'list'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/encrypted with the secret key \w{16}, but GATEHOUSE_SECRET_KEY is/),
  });
  const service = await startService({ database: options, environment: { GATEHOUSE_SECRET_KEY: after } });
  onTestFinished(() => service.kill());
  expect((await fetch(`${service.url}/org/acme/auth/`)).status).toBe(200);
});

test.skipIf(inject('prepared').engine === 'citus')(
  'rotates the secret key in the file of an embedded database',
  {
    tags: ['long'],
    timeout: 300_000,
  },
  async () => {
    const folder = await mkdtemp(join(await temporaryFolder(), 'gatehouse-rotate-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const database = { dataDir: join(folder, 'data') };
    const environment = { GATEHOUSE_SECRET_KEY: '' };
    await (await startService({ database, environment })).stop();
    const keyIn = () => readFile(join(database.dataDir, 'secret.key'), 'utf8');
    const before = await keyIn();

    expect(await runCli(database, ['secrets', 'rotate'], { environment })).toMatchObject({ code: 0 });

    const after = await keyIn();
    expect(after).not.toContain(before.trim());
    expect(after.trim().split('\n')).toHaveLength(1);
    const service = await startService({ database, environment });
    onTestFinished(() => service.kill());
    expect((await fetch(`${service.url}/org/acme/auth/`)).status).toBe(200);
  },
);

test('explains its commands', async () => {
  const { code, stderr } = await runCli({}, ['organizations', 'destroy', 'acme']);

  expect(code).toBe(2);
  expect(stderr).toMatch(/^gatehouse-server \[<command>\]/);
  expect((await runCli({}, ['--help'])).code).toBe(0);
});

test('prints its version', async () => {
  expect(await runCli({}, ['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
});

test('is a program', async () => {
  const program = fileURLToPath(new URL('program.ts', import.meta.url));
  const failed = promisify(execFile)(process.execPath, [program, 'organizations', 'destroy', 'acme']);

  await expect(failed).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^gatehouse-server \[<command>\]/),
  });
});

test('sets how long events are kept, in all organizations or in one', { timeout: 300_000 }, async () => {
  const { options, remove } = await createTestDatabase('organization');
  onTestFinished(remove);
  await runCli(options, ['organizations', 'create', 'other', '--admin-email', 'ada@other.example']);
  const kept = async () => {
    const database = await openDatabase(options);
    const { rows } = await acrossOrganizations(database.db, (tx) =>
      sql<{ days: number | null }>`
        select retention_days as days from event_head order by retention_days`.execute(tx),
    );
    await database.close();
    return rows.map(({ days }) => days);
  };
  const retain = (...words: string[]) => runCli(options, ['events', 'retention', ...words]);

  expect(await retain('400')).toMatchObject({
    code: 0,
    stdout: 'Events of all organizations are kept for 400 days.\n',
  });
  expect(await kept()).toEqual([400, 400]);
  expect(await retain('forever', 'other')).toMatchObject({ code: 0 });
  expect(await kept()).toEqual([400, null]);
  expect(await retain('400', 'nobody')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The organization nobody does not exist.'),
  });
});

test('sets which addresses the connectors of an organization may reach', { timeout: 300_000 }, async () => {
  const { options, remove } = await createTestDatabase('organization');
  onTestFinished(remove);
  const networks = (...words: string[]) => runCli(options, ['connectors', 'networks', ...words]);

  expect(await networks('acme', '10.1.2.3,fd00::/8')).toMatchObject({
    code: 0,
    stdout: 'Connectors of acme may reach public addresses and 10.1.2.3, fd00::/8.\n',
  });
  expect(await networks('acme', 'none')).toMatchObject({
    stdout: 'Connectors of acme may reach public addresses only.\n',
  });
  expect(await networks('acme', '10.1.2.3,db.internal')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"db.internal" is neither an address nor a network.'),
  });
  expect((await networks('acme')).stdout).toBe('Connectors of acme may reach public addresses only.\n');
  expect(await networks('acme', 'default')).toMatchObject({
    stdout: 'Connectors of acme may reach public addresses and those in GATEHOUSE_ALLOW_PRIVATE_ADDRESSES.\n',
  });
});

test('sets how long the history of an organization is kept', { timeout: 300_000 }, async () => {
  const { options, remove } = await createTestDatabase('organization');
  onTestFinished(remove);
  const retain = (days: string) => runCli(options, ['history', 'retention', 'acme', days]);

  expect(await retain('400')).toMatchObject({
    code: 0,
    stdout:
      'Ended periods in the history of acme are kept for 400 days. The daily job deletes older ones for good.\n',
  });
  expect(await retain('forever')).toMatchObject({
    code: 0,
    stdout: 'The history of acme is kept forever.\n',
  });
  expect(await retain('20')).toMatchObject({
    code: 1,
    stderr: 'The days must be "forever" or a number from 30 to 36500. They are "20".\n',
  });
});

test('creates a sign-in link for an owner, with which they set a password once', {
  timeout: 300_000,
}, async () => {
  const { options, remove } = await createTestDatabase('organization');
  onTestFinished(remove);
  const write = async (statement: string) => {
    const { db, close } = await openDatabase(options);
    await acrossOrganizations(db, (tx) => sql.raw(statement).execute(tx));
    await close();
  };
  const change = (set: string) => write(`update platform_user set ${set}`);
  const linkFor = (...words: string[]) =>
    runCli(options, ['people', 'sign-in-link', ...words], {
      environment: { GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example' },
    });
  const owner = 'admin@acme.example';

  expect(await linkFor('nobody@acme.example')).toMatchObject({
    code: 1,
    stderr: 'Nobody in the organization has the email nobody@acme.example.\n',
  });
  expect(await linkFor(owner, 'globex')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The organization globex does not exist.'),
  });
  await change(`role = 'admin'`);
  expect(await linkFor(owner)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not an owner.'),
  });
  await change(`role = 'owner', status = 'deactivated'`);
  expect(await linkFor(owner)).toMatchObject({ code: 1, stderr: expect.stringContaining('is deactivated') });
  await change(`status = 'active', end_date = '2020-01-31'`);
  expect(await linkFor(owner)).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --force') });
  const first = await linkFor(owner, '--force');
  await change('end_date = null');
  await write(`
    insert into sign_in_passkey (org_id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
    select org_id, id, 'Lost phone', 'key', 'credential', 0, 'singleDevice', false from platform_user`);
  const before = Date.now();
  const { code, stdout } = await linkFor('Admin@ACME.example', 'acme', '--remove-second-factor');

  expect(code).toBe(0);
  const tokenIn = (text: string) => /^ +https:\/\/gatehouse\.example\/welcome#(\S+)$/m.exec(text)?.[1] ?? '';
  const until = Date.parse(/until (\S+)\. /.exec(stdout)?.[1] ?? '');
  expect(until - before).toBeGreaterThan(50 * 60_000);
  expect(until - before).toBeLessThan(70 * 60_000);
  const service = await startService({ database: options, environment: { GATEHOUSE_RATE_LIMITS: 'off' } });
  onTestFinished(() => service.kill());
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${service.url}/org/acme/auth/${path}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify(body),
    });
    return reply.status;
  };
  const password = 'four more random words';
  expect(await post('welcome', { token: tokenIn(first.stdout), new_password: password })).toBe(401);
  expect(await post('welcome', { token: tokenIn(stdout), new_password: password })).toBe(200);
  expect(await post('welcome', { token: tokenIn(stdout), new_password: password })).toBe(401);
  expect(await post('sign-in', { email: owner, password })).toBe(200);
  const eventsOf = async (type: string) => {
    const reply = await fetch(`${service.url}/org/acme/api/events/?catalog=all&event_type=${type}`, {
      headers: { authorization: `Api-Key ${inject('prepared').key}` },
    });
    return (await reply.json()).results;
  };
  const byOperator = { actor: { type: 'platform_admin' } };
  expect(await eventsOf('password.link_created')).toMatchObject([byOperator, byOperator]);
  expect(await eventsOf('factor.removed')).toMatchObject([byOperator]);
});
