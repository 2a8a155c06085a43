import { TestRunner } from 'vitest';
import { sql } from '#kit/sql.ts';
import { type Answer, openTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { organizationOf } from './people.ts';
import { until } from './until.ts';

type Caller = Pick<TestApp, 'call'>;

/** Syncs one app with the resource types `person` and `bot`, `team` and `channel`, and `seat`. */
export interface SyncedApp {
  id: string;
  /** Sends a request below the app's bridge address. */
  bridge(method: string, path: string, body?: unknown, options?: { key?: string }): Promise<Answer>;
  start(): Promise<string>;
  push(session: string, slug: string, records: unknown[]): Promise<Answer>;
  /** Returns the session as its connector sees it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  view(session: string): Promise<any>;
  /** Completes the session and waits until it has ended or the removal guard holds it. `unseen` is what its connector could not see. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  complete(session: string, unseen?: object[]): Promise<any>;
  abandon(session: string): Promise<Answer>;
  /** Runs a session that pushes these records by slug and completes. */
  sync(records: Record<string, unknown[]>, unseen?: object[]): Promise<string>;
}

export async function addSyncedApp({ call }: Caller, { cloneFrom = null as string | null } = {}) {
  const created = await call('POST', '/api/v1/bridge/apps/', { name: 'Directory', clone_from: cloneFrom });
  const app = syncedApp({ call }, created.body.id);
  if (cloneFrom !== null) return app;
  for (const [slug, type] of [
    ['person', 'account'],
    ['bot', 'account'],
    ['team', 'group'],
    ['channel', 'group'],
    ['seat', 'license'],
  ]) {
    await app.bridge('POST', '/resource-types/', { slug, name: `All ${slug}s`, type });
  }
  return app;
}

/** The most records of a page. */
const PAGE = 100;

export function syncedApp({ call }: Caller, id: string): SyncedApp {
  const bridge: SyncedApp['bridge'] = (method, path, body, options) =>
    call(method, `/api/v1/bridge/apps/${id}${path}`, body, options);
  const app: SyncedApp = {
    id,
    bridge,
    start: async () => (await bridge('POST', '/sync/')).body.sync_id,
    push: (session, slug, records) => bridge('PUT', `/sync/${session}/${slug}/`, { records }),
    view: async (session) => (await bridge('GET', `/sync/${session}/`)).body,
    complete: async (session, unseen) => {
      const body = unseen === undefined ? undefined : { unseen };
      const accepted = await bridge('POST', `/sync/${session}/complete/`, body);
      if (accepted.status !== 202) throw new Error(JSON.stringify(accepted.body));
      return untilEnded(app, session);
    },
    abandon: (session) => bridge('POST', `/sync/${session}/abandon/`),
    sync: async (records, unseen) => {
      const session = await app.start();
      for (const [slug, list] of Object.entries(records)) {
        for (let at = 0; at === 0 || at < list.length; at += PAGE) {
          const { status, body } = await app.push(session, slug, list.slice(at, at + PAGE));
          if (status !== 200) throw new Error(JSON.stringify(body));
        }
      }
      const { status, error } = await app.complete(session, unseen);
      if (status !== 'completed') throw new Error(`The sync is ${status}: ${JSON.stringify(error)}`);
      return session;
    },
  };
  return app;
}

/** Less than the test has in all, so that its error says what did not end. */
const patience = () => ((TestRunner.getCurrentTest()?.timeout ?? 60_000) / 1000) * 0.8;

/** Returns the session once it has ended or its removals wait for approval. */
export const untilEnded = (app: Pick<SyncedApp, 'view'>, session: string) =>
  until(
    `the end of session ${session}`,
    () => app.view(session),
    ({ status, held }) => status !== 'completing' || held !== undefined,
    { seconds: patience() },
  );

/** A service with one app. Background work runs. */
export interface SyncTest extends TestApp, SyncedApp {
  orgId: string;
  inventory(): Promise<Inventory>;
}

export async function openSyncTest({ jobs = true, ...options }: TestAppOptions = {}): Promise<SyncTest> {
  const test = await openTestApp({ jobs, ...options });
  const { orgId } = await organizationOf(test);
  const app = await addSyncedApp(test);
  return { ...test, ...app, orgId, inventory: () => inventoryOf(test, app.id) };
}

/** The inventory of an app, by external ids: `slug:id`. */
export interface Inventory {
  /** The status of each account. A pending account is named by its email. */
  accounts: Record<string, string>;
  /** The name of each active entitlement. */
  entitlements: Record<string, string>;
  /** The entitlements of each account. */
  memberships: Record<string, string[]>;
}

export async function inventoryOf({ database: { db } }: TestApp, appId: string): Promise<Inventory> {
  const accounts = await sql<{ key: string; status: string }>`
    select t.slug || ':' || coalesce(a.external_id, a.email) as key, a.status from account a
    join resource_type t on t.org_id = a.org_id and t.id = a.resource_type_id
    where a.app_id = ${appId} order by 1`.execute(db);
  const entitlements = await sql<{ key: string; name: string }>`
    select t.slug || ':' || e.external_id as key, e.name from entitlement e
    join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
    where e.app_id = ${appId} and e.active order by 1`.execute(db);
  const memberships = await sql<{ account: string; entitlements: string[] }>`
    select ta.slug || ':' || coalesce(a.external_id, a.email) as account,
      array_agg(te.slug || ':' || e.external_id order by te.slug || ':' || e.external_id) as entitlements
    from membership m
    join account a on a.org_id = m.org_id and a.id = m.account_id
    join resource_type ta on ta.org_id = a.org_id and ta.id = a.resource_type_id
    join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
    join resource_type te on te.org_id = e.org_id and te.id = e.resource_type_id
    where a.app_id = ${appId} group by 1 order by 1`.execute(db);
  return {
    accounts: Object.fromEntries(accounts.rows.map(({ key, status }) => [key, status])),
    entitlements: Object.fromEntries(entitlements.rows.map(({ key, name }) => [key, name])),
    memberships: Object.fromEntries(memberships.rows.map((row) => [row.account, row.entitlements])),
  };
}

/** Makes accounts `p0`, `p1`, ... with an email and the fields of `more`. */
export const people = (count: number, more: (n: number) => object = () => ({}), from = 0) =>
  Array.from({ length: count }, (_, n) => ({
    id: `p${from + n}`,
    email: `p${from + n}@x.example`,
    ...more(from + n),
  }));
