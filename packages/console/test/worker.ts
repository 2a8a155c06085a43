import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { type Database, openDatabase } from '../../server/src/kit/database/open.ts';
import { createOrganization } from '../../server/src/operate/organizations/create.ts';
import { suspendOrganization } from '../../server/src/operate/organizations/suspend.ts';
import { administer, cloneDatabase, databaseAt } from '../../server/test/citus.ts';
import { openRunFolder } from '../../server/test/keeper.ts';
import { secrets } from '../../server/test/secrets.ts';
import type { Service } from '../../server/test/service.ts';
import { launchChromium } from './chromium.ts';
import { company } from './prepared.ts';
import { PASSWORD } from './seed.ts';
import { ADMIN } from './seed-company.ts';
import { startGatehouse } from './server.ts';

/** The server and the browser that the test files of a worker share. They end with the worker. */
interface Shared {
  service: Service;
  database: Database;
}

let browser: Promise<Browser> | undefined;
let shared: Promise<Shared> | undefined;

export const sharedBrowser = (): Promise<Browser> => {
  browser ??= launchChromium();
  return browser;
};

export const sharedServer = (): Promise<Shared> => {
  shared ??= startShared();
  return shared;
};

async function startShared(): Promise<Shared> {
  const [url, folder] = await Promise.all([createDatabase('company'), openRunFolder()]);
  const service = await startGatehouse({
    database: { url, keepPlans: true },
    key: (await company()).key,
    environment: {
      // The systems that tests connect.
      GATEHOUSE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
      // The state of connectors.
      GATEHOUSE_DATA_DIR: folder.path,
    },
  });
  return { service, database: await openDatabase({ url }) };
}

/** Creates a database with the seeded company or an empty one. Returns its address. */
export async function createDatabase(content: 'company' | 'nothing'): Promise<string> {
  const { adminUrl, template } = await company();
  const name = `console_${randomUUID().replaceAll('-', '')}`;
  if (content === 'company') await cloneDatabase([adminUrl], name, template);
  else await administer(adminUrl, `create database ${name}`);
  return databaseAt(adminUrl, name);
}

/** Creates an organization on the shared server, as an operator does. */
export async function addOrganization() {
  const { service, database } = await sharedServer();
  const { db } = database;
  const slug = `acme-${randomUUID().slice(0, 8)}`;
  const key = await createOrganization(db, secrets, {
    slug,
    name: 'acme',
    adminEmail: ADMIN,
    adminPassword: PASSWORD,
  });
  return {
    service,
    database,
    slug,
    key,
    /** Ends its background work, such as deliveries to receivers that are gone. */
    close: () => suspendOrganization(db, slug, 'The test has ended.'),
  };
}
