import { transaction, within } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import { sql } from '#kit/sql.ts';
import { recordEvents } from '#log/events/record.ts';
import { createTasks, type NewTask } from '#work/provisioning/create.ts';
import type { Task } from '#work/provisioning/task.ts';
import { openTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { organizationOf } from './people.ts';
import { untilEnded } from './sync.ts';
import { setTimes } from './time.ts';

/** A service with one app: account type `person`, groups `team` (red, blue), licenses `seat` (gold), synced once. */
export interface ProvisioningTest extends TestApp {
  orgId: string;
  appId: string;
  /** The first administrator. */
  adminId: string;
  bridge(method: string, path: string, body?: unknown): ReturnType<TestApp['call']>;
  addUser(email: string): Promise<string>;
  accountByEmail(email: string): Promise<AccountItem>;
  create(...wanted: NewTask[]): Promise<Task[]>;
  /** Types of the contract's events that were recorded since the last call, oldest first. */
  news(): Promise<string[]>;
  /**
   * A whole sync that pushes these accounts, and these groups and licenses instead of the usual ones. Returns when it is completed.
   * `unseen` is what its connector could not see.
   */
  sync(
    accounts: unknown[],
    entitlements?: { team?: unknown[]; seat?: unknown[] },
    unseen?: object[],
  ): Promise<void>;
  /** Every scheduled task is that much nearer, as if the clock jumped ahead, and due ones get their turn. */
  passTime(seconds: number): Promise<void>;
}

export interface AccountItem {
  external_uuid: string;
  status: string;
  external_id: string | null;
  last_seen_at: string | null;
  memberships: Record<string, { id: string }[]>;
  assignments: Record<string, { id: string }[]>;
}

export const BY_TEST: Cause = {
  actor: { type: 'system', uuid: null },
  source: { type: 'system', uuid: null },
};

const ENTITLEMENTS = {
  team: [
    { id: 'red', name: 'Red' },
    { id: 'blue', name: 'Blue' },
  ],
  seat: [{ id: 'gold', name: 'Gold' }],
};

export async function openProvisioningTest(
  accounts: unknown[] = [],
  { jobs = true, ...options }: TestAppOptions = {},
): Promise<ProvisioningTest> {
  const test = await openTestApp({ jobs, ...options });
  const { db } = test.database;
  const created = await test.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' });
  const appId = created.body.id as string;
  const bridge: ProvisioningTest['bridge'] = (method, path, body) =>
    test.call(method, `/api/v1/bridge/apps/${appId}${path}`, body);
  for (const [slug, type] of [
    ['person', 'account'],
    ['team', 'group'],
    ['seat', 'license'],
  ]) {
    await bridge('POST', '/resource-types/', { slug, name: slug, type });
  }
  const { orgId, ownerId } = await organizationOf(test);
  let position = 0;

  const opened: ProvisioningTest = {
    ...test,
    orgId,
    appId,
    adminId: ownerId,
    bridge,
    addUser: async (email) => {
      const inserted = await sql<{ id: string }>`
        insert into platform_user (org_id, email, username, first_name, last_name)
        values (${orgId}, ${email}, ${email}, 'Ann', 'Other') returning id`.execute(db);
      return inserted.rows[0]?.id ?? '';
    },
    accountByEmail: async (email) => {
      const list = await test.call('GET', `/api/accounts/?app=${appId}&email=${encodeURIComponent(email)}`);
      return list.body.results[0];
    },
    create: (...wanted) =>
      transaction(within(db, orgId), async (tx) => {
        const { tasks, events } = await createTasks(tx, wanted, BY_TEST);
        await recordEvents(tx, events);
        return tasks;
      }),
    news: async () => {
      const found = await sql<{ event_type: string; position: number }>`
        select event_type, position from event_contract where org_id = ${orgId} and position > ${position}
        order by position`.execute(db);
      position = found.rows.at(-1)?.position ?? position;
      return found.rows.map(({ event_type }) => event_type).filter((type) => type !== 'api_key.used');
    },
    sync: async (pushed, entitlements = {}, unseen = []) => {
      const { sync_id } = (await bridge('POST', '/sync/')).body;
      for (const [slug, records] of Object.entries({ ...ENTITLEMENTS, ...entitlements, person: pushed })) {
        const page = await bridge('PUT', `/sync/${sync_id}/${slug}/`, { records });
        if (page.status !== 200) throw new Error(JSON.stringify(page.body));
      }
      const accepted = await bridge('POST', `/sync/${sync_id}/complete/`, { unseen });
      if (accepted.status !== 202) throw new Error(JSON.stringify(accepted.body));
      const view = async () => (await bridge('GET', `/sync/${sync_id}/`)).body;
      const { status } = await untilEnded({ view }, sync_id);
      if (status !== 'completed') throw new Error(`The sync is ${status}.`);
    },
    passTime: async (seconds) => {
      const earlier = `${seconds} seconds earlier` as const;
      await setTimes(db, 'task', { execute_after: earlier }, { org_id: orgId, status: 'scheduled' });
      const grant = { starts_at: earlier, ends_at: earlier, ended_at: earlier, gone_since: earlier };
      await setTimes(db, 'access_grant', grant, { org_id: orgId });
      await setTimes(db, 'policy_undo', { at: earlier }, { org_id: orgId });
      await test.app.tick();
    },
  };
  await opened.sync(accounts);
  await opened.news();
  return opened;
}
