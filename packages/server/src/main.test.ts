// @module-tag engine
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { startService } from '#test/service.ts';
import { temporaryFolder } from '#test/temporary.ts';

// Each test starts the service once or twice, which takes long on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

async function newDatabase() {
  const { options, remove } = await createTestDatabase();
  onTestFinished(remove);
  return options;
}

test('keeps everything that it has confirmed after a kill -9, and after SIGTERM, on which it exits with 0', async () => {
  const database = await newDatabase();
  const first = await startService({ database });
  const created = await createApp(first, 'Payroll');

  await first.kill();
  const second = await startService({ database, key: first.key });
  expect(await appNames(second)).toEqual([created.name]);
  const added = await createApp(second, 'Wiki');
  expect(await second.stop()).toBe(0);
  const third = await startService({ database, key: first.key });
  onTestFinished(() => third.kill());

  expect((await appNames(third)).toSorted()).toEqual([created.name, added.name]);
  expect(second.output() + third.output()).not.toContain('API key');
});

test('refuses to start on a data folder that another process uses, with an explanation', async ({ skip }) => {
  const database = await newDatabase();
  skip(database.dataDir === undefined, 'PostgreSQL serves any number of processes');
  const first = await startService({ database });
  onTestFinished(() => first.kill());

  await expect(startService({ database })).rejects.toThrow(
    /^The service ended with 1:\nThe data folder \S+ is in use by another Gatehouse process\. .*\n$/,
  );
});

test('prints only an explanation for an invalid setting', async () => {
  const environment = { GATEHOUSE_ORG: 'Acme Inc.' };

  await expect(startService({ database: {}, environment })).rejects.toThrow(
    'The service ended with 1:\nGATEHOUSE_ORG must have 1 to 63 lowercase letters, digits and hyphens, and neither start nor end with a hyphen. It is "Acme Inc.".\n',
  );
});

test('creates nothing if its port is in use, and says so', async () => {
  const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const dataDir = join(await mkdtemp(join(await temporaryFolder(), 'gatehouse-port-')), 'data');
  onTestFinished(() => rm(dirname(dataDir), { recursive: true }));

  await expect(startService({ database: { dataDir }, port })).rejects.toThrow(
    `The service ended with 1:\nAnother process uses port ${port} of 127.0.0.1. Stop it, or set PORT to a free port.\n`,
  );
  expect(existsSync(dataDir)).toBe(false);
});

test('prints the credentials of a first start even if a later step fails', async ({ skip }) => {
  const database = await newDatabase();
  skip(database.url === undefined, 'The embedded database has no replicas');
  const environment = { DATABASE_READ_URL: database.url ?? '', GATEHOUSE_API_KEY: '' };

  await expect(startService({ database, environment })).rejects.toThrow(
    /Save these credentials now\. They are not shown again\.\n\n {2}Email .*\n {2}Password .*\n {2}API key +gh_[\w-]+\n\nDATABASE_READ_URL (must name a streaming replica|is not supported with Citus)/,
  );
});

test('logs the isolation of connectors, and refuses to start with less than the operator demands', {
  tags: ['long'],
}, async () => {
  const database = await newDatabase();
  const service = await startService({ database });
  await service.kill();
  const environment = { PATH: '', GATEHOUSE_CONNECTOR_ISOLATION: 'bubblewrap' };

  expect(service.output()).toMatch(
    /"isolation":"(permission|user|bubblewrap)","msg":"Connectors run isolated"/,
  );
  await expect(startService({ database, environment, key: service.key })).rejects.toThrow(
    /^The service ended with 1:\n(\{.*\}\n)*GATEHOUSE_CONNECTOR_ISOLATION demands the level bubblewrap, but .* only\..*\n$/,
  );
});

type Caller = { url: string; key: string };

async function createApp({ url, key }: Caller, name: string): Promise<{ name: string }> {
  const answer = await fetch(`${url}/org/acme/api/v1/bridge/apps/`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { name: string };
}

async function appNames({ url, key }: Caller): Promise<string[]> {
  const answer = await fetch(`${url}/org/acme/api/v1/bridge/apps/`, {
    headers: { authorization: `Api-Key ${key}` },
  });
  const { results } = (await answer.json()) as { results: { name: string }[] };
  return results.map(({ name }) => name);
}
