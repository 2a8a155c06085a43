import type { Api } from './api.ts';
import { sync } from './seed-apps.ts';

type State = 'active' | 'suspended';

const account = (email: string, status: State, groups: readonly string[]) => ({
  id: email,
  email,
  username: email.split('@')[0] ?? email,
  display_name: email.split('@')[0] ?? email,
  status,
  memberships: { group: groups.map((id) => ({ id })) },
  assignments: {},
});

const groups = ['approvers', 'auditors', 'budget'].map((id) => ({
  id,
  name: (id[0] ?? '').toUpperCase() + id.slice(1),
}));
const system = (accounts: ReturnType<typeof account>[]) => ({
  name: 'Expense Tool',
  groups,
  licenses: [],
  accounts,
});

const [MARTA, JONAS, NADIA] = ['marta.silva', 'jonas.weber', 'nadia.rahman'].map(
  (name) => `${name}@acme.example`,
);

/** The accounts and the app of {@link seedHistory}. */
export interface SeededHistory {
  app: string;
  /** Marta Silva's account. */
  marta: string;
}

/**
 * Connects an app and syncs it 90 days ago, 30 days ago and today. Today a task also gives Marta Silva another group. In
 * the meantime Nadia's account vanished, and Jonas's was suspended. `moveBack` moves what there is into the past.
 */
export async function seedHistory(
  api: Api,
  moveBack: (days: number) => Promise<void>,
): Promise<SeededHistory> {
  const [marta = '', jonas = '', nadia = ''] = [MARTA, JONAS, NADIA];
  const { id: app } = await api.post('/api/v1/bridge/apps/', { name: 'Expense Tool' });
  for (const slug of ['group', 'account']) {
    await api.post(`/api/v1/bridge/apps/${app}/resource-types/`, { slug, name: `${slug}s`, type: slug });
  }
  await sync(
    api,
    app,
    system([
      account(marta, 'active', ['approvers']),
      account(jonas, 'active', ['approvers']),
      account(nadia, 'active', ['budget']),
    ]),
  );
  await moveBack(60);
  const later = [account(marta, 'active', ['approvers', 'auditors']), account(jonas, 'suspended', [])];
  await sync(api, app, system(later));
  await moveBack(30);
  const found = await api.get(`/api/accounts/?app=${app}&email=${marta}`);
  const martasAccount = found.results[0].external_uuid;
  await api.post('/api/tasks/', {
    app,
    account: martasAccount,
    action: 'update_account',
    changes: { group: { added: ['budget'], removed: [] } },
    reason: 'Covers for Nadia',
  });
  const { tasks } = await api.get(`/api/v1/bridge/apps/${app}/tasks/?status=pending`);
  for (const { id } of tasks) {
    await api.patch(`/api/v1/bridge/apps/${app}/tasks/${id}/status/`, { status: 'completed', result: {} });
  }
  await sync(
    api,
    app,
    system([account(marta, 'active', ['approvers', 'auditors', 'budget']), account(jonas, 'suspended', [])]),
  );
  return { app, marta: martasAccount };
}
