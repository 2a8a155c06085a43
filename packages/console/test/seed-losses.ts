import type { Api } from './api.ts';
import { sync } from './seed-apps.ts';
import type { Seeded } from './seeded.ts';

const [MARTA, JONAS, NADIA] = ['marta.silva', 'jonas.weber', 'nadia.rahman'].map(
  (name) => `${name}@acme.example`,
) as [string, string, string];
const DESK = 'front.desk@acme-partners.example';
const INTERN = 'intern@acme-partners.example';

const account = (email: string, groups: readonly string[], status: 'active' | 'suspended' = 'active') => ({
  id: email,
  email,
  username: email.split('@')[0] ?? email,
  display_name: '',
  status,
  memberships: { group: groups.map((id) => ({ id })) },
  assignments: {},
});

/** An app whose last sync lost accounts and groups by mistake. */
export interface SeededLosses {
  app: string;
  /** The sync that lost them. */
  sync: string;
  /** A time before, between two syncs that both saw everything. */
  before: string;
}

/**
 * Connects an app and syncs it three times. The last sync no longer has the accounts of Nadia Rahman and of the front
 * desk, which belongs to nobody, and not the group Auditors of Marta Silva. Jonas Weber is suspended, and there is an
 * account of an intern.
 */
export async function seedLosses(api: Api, name: string): Promise<SeededLosses> {
  const { id: app } = await api.post('/api/v1/bridge/apps/', { name });
  for (const slug of ['group', 'account']) {
    await api.post(`/api/v1/bridge/apps/${app}/resource-types/`, { slug, name: `${slug}s`, type: slug });
  }
  const groups = ['Approvers', 'Auditors', 'Bookings'].map((one) => ({ id: one.toLowerCase(), name: one }));
  const push = (accounts: ReturnType<typeof account>[]) =>
    sync(api, app, { name, groups, licenses: [], accounts });
  const all = [
    account(MARTA, ['approvers', 'auditors']),
    account(JONAS, ['approvers']),
    account(NADIA, ['bookings']),
    account(DESK, ['bookings']),
  ];
  await push(all);
  const before = new Date().toISOString();
  await push(all);
  const wrong = [
    account(MARTA, ['approvers']),
    account(JONAS, ['approvers'], 'suspended'),
    account(INTERN, ['bookings']),
  ];
  return { app, before, sync: await push(wrong) };
}

/** The addresses of the pages about the losses. */
export const lossPages = ({ app, sync: id, before }: SeededLosses, { people }: Pick<Seeded, 'people'>) => ({
  sync: `/apps/${app}/syncs/${id}`,
  nadia: `/people/${people[NADIA]}?as_of=${before}`,
});
