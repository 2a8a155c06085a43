import { expect, vi } from 'vitest';
import { organizationsWithWork } from '#decisions/policies/facts.ts';
import { firePolicies } from '#decisions/policies/fire.ts';
import { type Db, within } from '#kit/database.ts';
import { openProvisioningTest, type ProvisioningTest } from './provisioning.ts';
import { setTimes } from './time.ts';

/** The app of openProvisioningTest with helpers for policies. */
export interface PolicyTest extends ProvisioningTest {
  /** Creates a policy, by default one that grants an account in the app. Returns its id. */
  policy(more: object): Promise<string>;
  /** Creates a person through the API, which records the event. Returns the id. */
  person(email: string, more?: object): Promise<string>;
  /** Waits until every policy has acted on all events. */
  settled(): Promise<void>;
  /** Returns the tasks of a policy, oldest first. */
  tasksOf(policyId: string): Promise<TaskItem[]>;
  /** Makes daily policies due again. */
  nextDay(): Promise<void>;
}

export interface TaskItem {
  external_uuid: string;
  action: string;
  status: string;
  app_user: { email: string };
  changes: Record<string, { added: { id: string }[]; removed: { id: string }[] }>;
  explanation: { happened: string; advice: string | null } | null;
}

/** Fires policies until nothing is left to do. Waits for other nodes that hold the lock. */
export const settle = (db: Db) =>
  vi.waitFor(
    async () => {
      for (const { org_id } of await organizationsWithWork(db)) await firePolicies(within(db, org_id));
      expect(await organizationsWithWork(db)).toEqual([]);
    },
    { timeout: 20_000 },
  );

export async function openPolicyTest(accounts: unknown[] = [], options = {}): Promise<PolicyTest> {
  const service = await openProvisioningTest(accounts, options);
  const { db } = service.database;
  const post = async (path: string, body: object) => {
    const reply = await service.call('POST', path, body);
    if (reply.status !== 201) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.external_uuid as string;
  };
  return {
    ...service,
    policy: (more) =>
      post('/api/policies/', {
        name: 'Test',
        trigger: 'user.created',
        condition: 'true',
        effects: [{ do: 'grant', app: service.appId }],
        ...more,
      }),
    person: (email, more = {}) => post('/api/users/', { email, ...more }),
    settled: () => settle(db),
    tasksOf: async (policyId) => {
      const { body } = await service.call('GET', '/api/tasks/?limit=200');
      const mine = body.results.filter(
        (task: { source: { id: string } | null }) => task.source?.id === policyId,
      );
      return mine.toReversed();
    },
    nextDay: async () => {
      await setTimes(db, 'policy', { ran_at: '1 day earlier' }, { org_id: service.orgId });
    },
  };
}
