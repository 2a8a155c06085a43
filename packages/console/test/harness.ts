import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { openDatabase } from '../../server/src/platform/database/open.ts';
import { openRunFolder } from '../../server/test/keeper.ts';
import { ROOT, type Service } from '../../server/test/service.ts';
import { type Api, apiSignedIn, apiWithKey } from './api.ts';
import { PASSWORD, type Seeded } from './seed.ts';
import { type Role, STAFF } from './seed-company.ts';
import { startGatehouse } from './server.ts';
import { openVisit, type Visit, type VisitOptions } from './visit.ts';

/** Screenshots of failed tests. */
const FAILURES = join(ROOT, 'node_modules/.cache/gatehouse/failures');

export interface ConsoleTest {
  url: string;
  /** base_url (protocol 1). */
  base: string;
  key: string;
  /** With the first key, which allows everything. */
  api: Api;
  seeded: Seeded;
  /** A new browser window. The test fails if anything goes wrong in it. */
  visit(as: Role | null, options?: Omit<VisitOptions, 'as'>): Promise<Visit>;
  /** A browser window for several tests, which check its problems themselves. */
  visitForAll(as: Role | null): Promise<Visit>;
  apiAs(as: Role): Promise<Api>;
  /** Stops the service, and starts it again at the same address. */
  /** Stops the service, runs a statement on its database, and starts it again. */
  changeData(statement: string): Promise<void>;
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a Gatehouse that serves the built console, for one test file. Connects to the shared Chromium. */
export async function openConsole({
  empty = false,
  environment,
  prepare,
}: {
  empty?: boolean;
  /** Settings of the service. */
  environment?: Record<string, string>;
  /** Changes the data folder before the service starts. */
  prepare?: (dataDir: string) => Promise<void>;
} = {}): Promise<ConsoleTest> {
  const folder = await openRunFolder();
  const dataDir = join(folder.path, 'data');
  if (!empty) await cp(inject('template'), dataDir, { recursive: true });
  await prepare?.(dataDir);
  const start = (port?: number) =>
    startGatehouse({
      dataDir,
      ...(environment === undefined ? {} : { environment }),
      ...(empty ? {} : { key: inject('templateKey') }),
      ...(port === undefined ? {} : { port }),
    });
  const [browser, first] = await Promise.all([chromium.connect(inject('chromium')), start()]);
  let service: Service = first;
  const { url, key } = service;
  const base = `${url}/org/acme`;
  return {
    url,
    base,
    key,
    api: apiWithKey(base, key),
    seeded: inject('seeded'),
    visitForAll: (as) => openVisit(browser, { url, base }, { as: as && STAFF[as] }),
    visit: async (as, options = {}) => {
      const visit = await openVisit(browser, { url, base }, { as: as && STAFF[as], ...options });
      onTestFinished(async ({ task }) => {
        const name = `${task.name.replace(/\W+/g, '-')}-${as ?? 'nobody'}.png`;
        if (task.result?.state === 'fail') await visit.page.screenshot({ path: join(FAILURES, name) });
        await visit.close();
        expect(visit.problems).toEqual([]);
      });
      return visit;
    },
    apiAs: (as) => apiSignedIn(base, STAFF[as], PASSWORD),
    changeData: async (statement) => {
      await service.stop();
      const database = await openDatabase({ url: undefined, dataDir });
      await database.exec(statement);
      await database.close();
      service = await start(Number(new URL(url).port));
    },
    stopServer: async () => {
      await service.stop();
    },
    startServer: async () => {
      service = await start(Number(new URL(url).port));
    },
    close: async () => {
      await browser.close();
      await service.stop();
      await folder.remove();
    },
  };
}
