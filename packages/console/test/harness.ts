import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type DatabaseOptions, openDatabase } from '../../server/src/kit/database/open.ts';
import { openRunFolder } from '../../server/test/keeper.ts';
import { ROOT, type Service } from '../../server/test/service.ts';
import { type Api, apiSignedIn, apiWithKey } from './api.ts';
import { company } from './prepared.ts';
import { type Company, PASSWORD, type Seeded, seed, seedCompany } from './seed.ts';
import { type Role, STAFF } from './seed-company.ts';
import { startGatehouse } from './server.ts';
import { openSessions } from './sessions.ts';
import { openVisit, type Visit, type VisitOptions } from './visit.ts';
import { addOrganization, createDatabase, sharedBrowser, sharedServer } from './worker.ts';

/** Screenshots of failed tests. */
const FAILURES = join(ROOT, 'node_modules/.cache/gatehouse/failures');
/** The organization whose console is at `/`. */
const HOME = 'acme';

/** The console of an organization, for one test file. */
export interface ConsoleTest<Content = Seeded> {
  /** The origin of the server. */
  url: string;
  slug: string;
  /** The address of the organization's console, without a slash at the end. */
  home: string;
  /** base_url (protocol 1). */
  base: string;
  /** The first key, which allows everything. */
  key: string;
  /** With the first key. */
  api: Api;
  seeded: Content;
  /** A new browser window. The test fails if anything goes wrong in it. */
  visit(as: Role | null, options?: Omit<VisitOptions, 'as'>): Promise<Visit>;
  /** A browser window for several tests, which check its problems themselves. */
  visitForAll(as: Role | null): Promise<Visit>;
  apiAs(as: Role): Promise<Api>;
  /** Runs a statement on the database, which may hold other organizations, too. */
  changeData(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** A console with a server that no other test file uses. */
export interface OwnServerTest<Content = Seeded> extends ConsoleTest<Content> {
  database: DatabaseOptions;
  stopServer(): Promise<void>;
  /** Starts the server again at the same address. */
  startServer(): Promise<void>;
}

/** Creates an organization with the seeded company on the worker's server, for one test file. Its console is at `/org/<slug>`. */
export async function openConsole(): Promise<ConsoleTest> {
  return fill(await openEmptyConsole(), seed);
}

/** Like `openConsole`, but with the people and apps of the company only. */
export async function openCompanyConsole(): Promise<ConsoleTest<Company>> {
  return fill(await openEmptyConsole(), seedCompany);
}

/** Like `openConsole`, but with nothing and nobody but the owner. */
export async function openEmptyConsole(): Promise<ConsoleTest<undefined>> {
  const [browser, { service, database, slug, key, close }] = await Promise.all([
    sharedBrowser(),
    addOrganization(),
  ]);
  return {
    ...consoleOf(browser, service.url, slug, key),
    seeded: undefined,
    changeData: (statement) => database.exec(statement),
    close,
  };
}

async function fill<Content>(
  test: ConsoleTest<undefined>,
  fillWith: (base: string, key: string) => Promise<Content>,
): Promise<ConsoleTest<Content>> {
  return { ...test, seeded: await fillWith(test.base, test.key) };
}

/** Opens the seeded company at `/` of the worker's server, for tests that change nothing in it but their sessions. */
export async function openSharedConsole(): Promise<ConsoleTest> {
  const [browser, { service, database }] = await Promise.all([sharedBrowser(), sharedServer()]);
  return {
    ...consoleOf(browser, service.url, HOME, service.key),
    seeded: (await company()).seeded,
    changeData: (statement) => database.exec(statement),
    close: async () => {},
  };
}

/** Starts a server with the seeded company at `/`, for tests of the server, its settings, or several organizations. */
export async function openServer(environment: Record<string, string> = {}): Promise<OwnServerTest> {
  const { key, seeded } = await company();
  return { ...(await openServerOn(await createDatabase('company'), environment, key)), seeded };
}

/** Starts a server with an empty database. */
export const openEmptyServer = async (environment: Record<string, string> = {}) =>
  openServerOn(await createDatabase('nothing'), environment);

async function openServerOn(
  databaseUrl: string,
  environment: Record<string, string>,
  firstKey?: string,
): Promise<OwnServerTest<undefined>> {
  const database = { url: databaseUrl };
  const folder = await openRunFolder();
  const start = (more: { port?: number; key?: string }) =>
    startGatehouse({
      ...more,
      database,
      // The state of connectors.
      environment: { GATEHOUSE_DATA_DIR: folder.path, ...environment },
    });
  const [browser, first] = await Promise.all([
    sharedBrowser(),
    start(firstKey === undefined ? {} : { key: firstKey }),
  ]);
  let service: Service = first;
  const { url, key } = service;
  return {
    ...consoleOf(browser, url, HOME, key),
    database,
    seeded: undefined,
    changeData: async (statement) => {
      const opened = await openDatabase(database);
      await opened.exec(statement);
      await opened.close();
    },
    stopServer: async () => {
      await service.stop();
    },
    startServer: async () => {
      service = await start({ key, port: Number(new URL(url).port) });
    },
    close: async () => {
      await service.stop();
      await folder.remove();
    },
  };
}

function consoleOf(browser: Browser, url: string, slug: string, key: string) {
  const base = `${url}/org/${slug}`;
  const at = { url, base, home: slug === HOME ? url : base };
  const sessions = openSessions(browser, at);
  return {
    ...at,
    slug,
    key,
    api: apiWithKey(base, key),
    visitForAll: (as: Role | null) => openVisit(browser, at, { as: as && STAFF[as] }),
    visit: async (as: Role | null, options: Omit<VisitOptions, 'as'> = {}) => {
      const session = as === null || options.own ? null : await sessions.take(STAFF[as]);
      const visit = await openVisit(browser, at, { as: as && STAFF[as], ...options }, session?.context);
      onTestFinished(async ({ task }) => {
        const name = `${task.name.replace(/\W+/g, '-')}-${as ?? 'nobody'}.png`;
        if (task.result?.state === 'fail') await visit.page.screenshot({ path: join(FAILURES, name) });
        await visit.close();
        await session?.giveBack();
        expect(visit.problems.join('\n')).toBe('');
      });
      return visit;
    },
    apiAs: (as: Role) => apiSignedIn(base, STAFF[as], PASSWORD),
  };
}
