import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ConnectorOptions } from '#work/connectors/feature.ts';
import { strongestIsolation } from '#work/connectors/isolate.ts';
import { useIsolation } from '#work/connectors/isolation.ts';
import { openTestApp, type TestApp } from './app.ts';

/** A service that runs connectors in processes. They may connect to this machine, unless a test says otherwise. */
export async function openConnectorApp(
  tests: ConnectorOptions['tests'] = {},
  allowPrivateAddresses = ['127.0.0.1'],
  proxy?: ConnectorOptions['proxy'],
) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-connectors-'));
  useIsolation(await strongestIsolation(folder));
  const service = await openTestApp({
    jobs: true,
    connectors: { folder, runs: 2, allowPrivateAddresses, proxy, tests },
  });
  await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  return {
    service,
    folder,
    connect: (connector: object) => connect(service, connector),
    close: async () => {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates an app with a connector. */
async function connect(service: TestApp, connector: object) {
  const { id } = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Desk' })).body;
  const path = `/api/apps/${id}/connector/`;
  const made = await service.call('POST', path, connector);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const start = async (kind: string) => {
    const isTrial = kind === 'test' || kind === 'preview';
    const run = await service.call(
      'POST',
      `${path}${isTrial ? kind : 'run'}/`,
      isTrial ? undefined : { kind },
    );
    expect(run.status, JSON.stringify(run.body)).toBe(202);
    return `${path}runs/${run.body.id}/`;
  };
  const read = async (run: string) => (await service.call('GET', run)).body;
  const ended = async (run: string) => {
    await expect.poll(async () => (await read(run)).ended_at, { timeout: 300_000 }).not.toBeNull();
    return read(run);
  };
  return {
    id: id as string,
    path,
    start,
    read,
    ended,
    run: async (kind: string) => ended(await start(kind)),
    accounts: async () => (await service.call('GET', `/api/accounts/?app=${id}&status=ACTIVE`)).body.count,
  };
}
