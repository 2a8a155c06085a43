import { type Api, until } from './api.ts';
import type { ConsoleTest } from './harness.ts';
import { accountsOf } from './seed-apps.ts';
import { carryOut } from './story.ts';

/** The email of a person with access for each kind of reason. The manager decides about them. */
const FELIX = 'felix.wagner@acme.example';

export interface SeededReasons {
  felix: string;
  /** Given by a request with an end, and then by a policy and an administrator, too. */
  crm: string;
  /** Found by a sync, and suspended by an administrator. */
  directory: string;
}

/** Gives a person access by a request with an end, a policy and an administrator, beside access that a sync found. */
export async function seedReasons({ api, apiAs, seeded }: ConsoleTest): Promise<SeededReasons> {
  const { crm, directory } = seeded.apps;
  const felix = seeded.people[FELIX] ?? '';
  await createAccounts(api, crm);
  const account = async (app: string) => (await accountsOf(api, app, FELIX))[0]?.external_uuid ?? '';
  const ids = { felix, crm: await account(crm), directory: await account(directory) };
  const admin = await apiAs('admin');
  await admin.post('/api/policies/', {
    name: 'Team leads see reports',
    trigger: 'user.updated',
    condition: `user.email == '${FELIX}' && user.attributes.title == 'Team Lead'`,
    effects: [{ do: 'grant', app: crm, memberships: { group: ['sales-emea'] } }],
  });
  await admin.patch(`/api/users/${felix}/`, { attributes: { title: 'Team Lead' } });
  await pendingTask(api, crm);
  await admin.post('/api/tasks/', {
    app: crm,
    account: ids.crm,
    action: 'update_account',
    changes: { license: { added: ['viewer'], removed: [] } },
    reason: 'Covers for a colleague until the license of the team is renewed.',
  });
  await admin.post('/api/tasks/', {
    app: directory,
    account: ids.directory,
    action: 'suspend_account',
    reason: 'Signed in from two countries within an hour.',
  });
  await carryOut(api, crm);
  await carryOut(api, directory);
  return ids;
}

/** Creates the accounts that requests ask for, with the ids that later tasks need. */
async function createAccounts(api: Api, app: string): Promise<void> {
  const { tasks } = await api.get(`/api/v1/bridge/apps/${app}/tasks/?status=pending`);
  for (const { id } of tasks)
    await api.patch(`/api/v1/bridge/apps/${app}/tasks/${id}/status/`, {
      status: 'completed',
      result: { external_id: `created-${id}` },
    });
}

const pendingTask = (api: Api, app: string) =>
  until(
    () => api.get(`/api/tasks/?app=${app}&status=pending`),
    ({ count }) => count > 0,
  );
