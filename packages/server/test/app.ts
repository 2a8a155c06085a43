import type { Logger } from 'pino';
import { inject } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import { createLogger } from '../src/platform/logger.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { ORG } from './organization.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body, and fails if that is not so.
  body: any;
}

export interface CallOptions {
  /** Sent instead of the first key; null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
  /** The slug in the address. */
  org?: string;
}

/** The whole service in this process, on a database of its own. */
export interface TestApp extends TestDatabase {
  app: App;
  /** All scopes, all apps. */
  key: string;
  /** Calls below base_url. `body` goes out as JSON, text as it is. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
}

export interface TestAppOptions {
  jobs?: boolean;
  logger?: Logger;
  publicUrl?: string;
}

/** Under which the service in this process is called. */
export const ORIGIN = 'http://localhost:80';

/** An organization with its first key and no more. With `jobs`, background work runs. */
export async function openTestApp({
  jobs = false,
  logger = createLogger(process.env.LOG_LEVEL ?? 'silent'),
  publicUrl,
}: TestAppOptions = {}): Promise<TestApp> {
  const { key } = inject('prepared');
  const test = await openTestDatabase('organization');
  const app = await createApp({
    database: test.database,
    logger,
    publicUrl,
    trustProxy: false,
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

function caller(app: App, firstKey: string): TestApp['call'] {
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
