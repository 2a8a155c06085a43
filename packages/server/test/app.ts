import type { Logger } from 'pino';
import { inject } from 'vitest';
import { type App, type ConnectorOptions, createApp } from '../src/app.ts';
import type { MailSettings } from '../src/notifications/email/mailer.ts';
import type { LoadLimits } from '../src/platform/http/overload.ts';
import { createLogger } from '../src/platform/logger.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { ORG } from './organization.ts';
import { secrets } from './secrets.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  body: any;
}

export interface CallOptions {
  /** Sent instead of the first key. Null sends no key. */
  key?: string | null;
  headers?: Record<string, string>;
  /** The slug of the organization in the address. */
  org?: string;
}

/** The whole service in this process, with its own database. */
export interface TestApp extends TestDatabase {
  app: App;
  /** A key with all scopes for all apps. */
  key: string;
  /** Sends a request below base_url. `body` is sent as JSON, text as it is. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
}

export interface TestAppOptions {
  jobs?: boolean;
  logger?: Logger;
  publicUrl?: string;
  loadLimits?: LoadLimits;
  mail?: MailSettings | undefined;
  connectors?: ConnectorOptions;
}

/** The origin of the service in this process. */
export const ORIGIN = 'http://localhost:80';

/** Opens a service with one organization and its first key. With `jobs`, background work runs. */
export async function openTestApp({
  jobs = false,
  logger = createLogger(process.env.LOG_LEVEL ?? 'silent'),
  publicUrl,
  loadLimits,
  mail,
  connectors,
}: TestAppOptions = {}): Promise<TestApp> {
  const { key } = inject('prepared');
  const test = await openTestDatabase('organization');
  const app = await createApp({
    database: test.database,
    secrets,
    logger,
    publicUrl,
    trustProxy: false,
    loadLimits,
    mail,
    connectors,
  });
  if (jobs) await app.startJobs();
  return {
    ...test,
    app,
    key,
    call: caller(app, key),
    close: async () => {
      await app.close();
      await test.close();
    },
  };
}

/** Returns a function that sends requests to `app`, below base_url. */
export function caller(app: App, firstKey: string): TestApp['call'] {
  return async (method, path, body, { key = firstKey, headers = {}, org = ORG } = {}) => {
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
