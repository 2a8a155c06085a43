import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { inject } from 'vitest';
import { type App, createApp } from '#app.ts';
import type { MailSettings } from '#insight/notifications/email/mailer.ts';
import type { SyncQuotas } from '#inventory/records/sync/quota.ts';
import { type Database, listen } from '#kit/database.ts';
import type { LoadLimits } from '#kit/http/overload.ts';
import { createLogger } from '#kit/logger.ts';
import { pace } from '#kit/loops/loop.ts';
import { suspendOrganization } from '#operate/organizations/suspend.ts';
import type { ConnectorOptions } from '#work/connectors/feature.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { addOrganizationAs, ORG } from './organization.ts';
import { secrets } from './secrets.ts';
import { changes } from './until.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  body: any;
}

/** The body of a list, for tests that compute with it. */
export interface List<Item> {
  count: number;
  next: string | null;
  previous: string | null;
  results: Item[];
}

export interface CallOptions {
  /** Sent instead of the first key. Null sends no key. */
  key?: string | null;
  headers?: Record<string, string>;
  /** The slug of the organization in the address. */
  org?: string;
}

/** The whole service in this process, with an organization for the test file. */
export interface TestApp extends TestDatabase {
  app: App;
  /** The slug of the organization. */
  org: string;
  /** A key with all scopes for all apps. */
  key: string;
  /** Sends a request below base_url. `body` is sent as JSON, text as it is. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
}

export interface TestAppOptions extends AppSettings {
  /** Background work runs. */
  jobs?: boolean;
  /**
   * Opens a service and a database for this file only, with the organization `acme`. For tests that look at several
   * organizations, change or stop what all of them share, or need that no other file was there before. Settings imply it.
   */
  own?: boolean;
}

interface AppSettings {
  logger?: Logger;
  publicUrl?: string;
  loadLimits?: LoadLimits;
  syncQuotas?: SyncQuotas;
  mail?: MailSettings | undefined;
  connectors?: ConnectorOptions;
}

// Most tests call `tick()`. Loops that look after each change of a test take a tenth of the time of the processors.
pace.leastGapMs = 250;

/** The origin of the service in this process. */
export const ORIGIN = 'http://localhost:80';

/**
 * Opens a service with an organization and its first key. The files of a worker share two services, one with background
 * work and one without it, in which each call adds an organization.
 */
export async function openTestApp({
  jobs = false,
  own = false,
  ...settings
}: TestAppOptions = {}): Promise<TestApp> {
  const isShared = !own && Object.values(settings).every((value) => value === undefined);
  const { test, app } = await (isShared ? sharedService(jobs) : openService(jobs, settings));
  const { org, key } = isShared
    ? await addSharedOrganization(test.database)
    : { org: ORG, key: inject('prepared').key };
  return {
    ...test,
    app,
    org,
    key,
    call: caller(app, key, org),
    close: async () => {
      // Background work then skips what the file left.
      if (isShared) return suspendOrganization(test.database.db, org, 'Its test file has ended.');
      await app.close();
      await test.close();
    },
  };
}

const shared = new Map<boolean, ReturnType<typeof openService>>();

/** Adds an organization that differs from the first one only by its slug. */
async function addSharedOrganization(database: Database): Promise<{ org: string; key: string }> {
  const org = `acme${randomUUID().replaceAll('-', '')}`;
  const key = await addOrganizationAs(database, { slug: org, name: ORG, adminEmail: 'admin@acme.example' });
  return { org, key };
}

/** Returns the service that the files of this worker share. It ends with the worker. */
function sharedService(jobs: boolean) {
  const service = shared.get(jobs) ?? openService(jobs, {});
  shared.set(jobs, service);
  return service;
}

async function openService(
  jobs: boolean,
  { logger = createLogger(process.env.LOG_LEVEL ?? 'silent'), publicUrl, ...settings }: AppSettings,
) {
  const test = await openTestDatabase('organization');
  listen(test.database.db, () => changes.ring());
  const app = await createApp({
    database: test.database,
    secrets,
    logger,
    publicUrl,
    trustProxy: false,
    ...settings,
  });
  if (jobs) await app.startJobs();
  return { test, app };
}

/** Returns a function that sends requests to `app`, below the base_url of the organization `ownOrg`. */
export function caller(app: App, firstKey: string, ownOrg = ORG): TestApp['call'] {
  return async (method, path, body, { key = firstKey, headers = {}, org = ownOrg } = {}) => {
    const reply = await app.http.inject({
      method: method as 'GET',
      url: `/org/${org}${path}`,
      headers: {
        ...(key === null ? {} : { authorization: `Api-Key ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = reply.payload !== '' && String(reply.headers['content-type']).includes('json');
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: isJson ? JSON.parse(reply.payload) : reply.payload,
    };
  };
}
