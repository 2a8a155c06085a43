import { expect } from 'vitest';
import type { ConsoleTest } from './harness.ts';
import type { Company } from './seed.ts';
import { addApp, sync } from './seed-apps.ts';
import { STAFF } from './seed-company.ts';

const PEOPLE = 35;
/** People whose accounts are not used. */
export const UNUSED = 7;
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

let campaigns = 0;
/**
 * Starts a review of 70 items for the manager: the accounts of 35 people and a group of each. Those of 7 people are not used, and the
 * group of another one has a high risk, so 15 items deviate.
 */
export async function startReview({ api, seeded }: Pick<ConsoleTest<Company>, 'api' | 'seeded'>) {
  campaigns += 1;
  const manager = seeded.people[STAFF.manager];
  const emails = Array.from({ length: PEOPLE }, (_, n) => `step${campaigns}.${n}@acme.example`);
  for (const [n, email] of emails.entries())
    await api.post('/api/users/', {
      ...{ email, manager, first_name: 'Step', last_name: String(n).padStart(2, '0') },
      attributes: { department: `Steps ${campaigns}` },
    });
  const app = await addApp(api, `Steps ${campaigns}`);
  const push = (isUnused: (n: number) => boolean) =>
    sync(api, app, {
      name: `Steps ${campaigns}`,
      groups: [
        { id: 'all', name: 'Everybody' },
        { ...{ id: 'root', risk: 'high' }, name: 'Root' },
      ],
      licenses: [],
      accounts: emails.map((email, n) => ({
        ...{ id: `s${n}`, email, username: email, display_name: email, status: 'active' as const },
        ...{ last_sign_in_at: ago(isUnused(n) ? 200 : 2) },
        memberships: { group: [{ id: n === PEOPLE - 1 ? 'root' : 'all' }] },
        assignments: {},
      })),
    });
  await push((n) => n < UNUSED);
  const { external_uuid } = await api.post('/api/reviews/', {
    ...{ name: `Steps ${campaigns}`, reviewer: [manager] },
    scope: { apps: [app], include: ['accounts', 'memberships'] },
  });
  const { external_uuid: cycle } = await api.post(`/api/reviews/${external_uuid}/start/`);
  const address = `/reviews/cycles/${cycle}`;
  const progress = async () => (await api.get(`/api${address}/`)).progress;
  await expect.poll(progress).toMatchObject({ items: 70, undecided: 70 });
  return { address, cycle, progress, push };
}
