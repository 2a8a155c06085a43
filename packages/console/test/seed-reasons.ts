import { until } from './api.ts';
import type { ConsoleTest } from './harness.ts';
import { accountsOf } from './seed-apps.ts';
import { carryOut } from './story.ts';

/** The email of a person with access for each kind of reason. The manager decides about them. */
const FELIX = 'felix.wagner@acme.example';

export interface SeededReasons {
  felix: string;
  /** Given by a request with an end. */
  crm: string;
  /** Found by a sync, with groups that a policy and an administrator give. */
  code: string;
  /** Found by a sync, and suspended by an administrator. */
  directory: string;
}

/** Gives a person access by a request with an end, a policy and an administrator, beside access that a sync found. */
export async function seedReasons({ api, apiAs, seeded }: ConsoleTest): Promise<SeededReasons> {
  const { crm, code, directory } = seeded.apps;
  const felix = seeded.people[FELIX] ?? '';
  await carryOut(api, crm);
  const account = async (app: string) => (await accountsOf(api, app, FELIX))[0]?.external_uuid ?? '';
  const ids = {
    felix,
    crm: await account(crm),
    code: await account(code),
    directory: await account(directory),
  };
  const admin = await apiAs('admin');
  await admin.post('/api/policies/', {
    name: 'Team leads maintain code',
    trigger: 'user.updated',
    condition: `user.email == '${FELIX}' && user.attributes.title == 'Team Lead'`,
    effects: [{ do: 'grant', app: code, memberships: { group: ['platform'] } }],
  });
  await admin.patch(`/api/users/${felix}/`, { attributes: { title: 'Team Lead' } });
  await until(
    () => api.get(`/api/tasks/?account=${ids.code}`),
    ({ count }) => count > 0,
  );
  const task = (app: string, account: string, more: object) =>
    admin.post('/api/tasks/', { app, account, ...more });
  await task(code, ids.code, {
    action: 'update_account',
    changes: { group: { added: ['owners'], removed: [] } },
    reason: 'Covers for a colleague until the new lead starts.',
  });
  await task(directory, ids.directory, {
    action: 'suspend_account',
    reason: 'Signed in from two countries within an hour.',
  });
  for (const app of [code, directory]) await carryOut(api, app);
  return ids;
}
