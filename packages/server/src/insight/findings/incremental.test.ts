// @module-tag long
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findingsOf } from '#test/findings.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { addSyncedApp, type SyncedApp } from '#test/sync.ts';

let service: ReviewsTest;
let findings: ReturnType<typeof findingsOf>;
let app: SyncedApp;
/** The newest sync with records. A refused revert, such as that of an archived app, changes nothing. */
let newest: string;
let people: { id: string; email: string; key: string }[];
beforeAll(async () => {
  service = await openReviewsTest();
  findings = findingsOf(service);
  app = await newApp();
  people = await Promise.all([0, 1, 2].map(() => addPersonWithKey(service, 'member')));
});
afterAll(() => service.close());

/** A first sync has no events, and is looked at whole. */
async function newApp() {
  const added = await addSyncedApp(service);
  await added.sync({ person: [] });
  return added;
}

const personAt = (i: number) => people[i] ?? { id: null, email: `unknown-${i}@stories.example`, key: '' };
const accountAt = async (i: number): Promise<string> => {
  const { results } = (await service.call('GET', `/api/accounts/?app=${app.id}&limit=20`)).body;
  return results[i % Math.max(results.length, 1)]?.external_uuid ?? people[0]?.id;
};
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** The numbers of a person (3: nobody) and of an account, and a choice. */
interface Chosen {
  person: number;
  account: number;
  yes: boolean;
}
const pushed = fc.record({
  owner: fc.nat(4),
  isThere: fc.boolean(),
  isMember: fc.boolean(),
  isUsed: fc.boolean(),
  status: fc.constantFrom('active', 'suspended'),
});
type Pushed = typeof pushed extends fc.Arbitrary<infer T> ? T : never;

/** Changes of people, accounts, an app and reviews. Refused requests change nothing. */
const STORIES = {
  sync: async (_: Chosen, accounts: Pushed[]) => {
    const records = accounts.flatMap(({ owner, isThere, isMember, isUsed, status }, i) =>
      isThere
        ? [
            {
              ...{
                id: `a${i}`,
                email: personAt(owner).email,
                status,
                last_sign_in_at: ago(isUsed ? 1 : 200),
              },
              memberships: { team: isMember ? [{ id: 'red' }] : [] },
            },
          ]
        : [],
    );
    const risk = accounts[0]?.isUsed ? 'low' : 'high';
    const session = await app.start();
    await app.push(session, 'team', [{ id: 'red', name: 'Red', risk }]);
    await app.push(session, 'person', records);
    await app.complete(session);
    newest = session;
  },
  link: async ({ person, account }: Chosen) =>
    service.call('PATCH', `/api/accounts/${await accountAt(account)}/`, { user: personAt(person).id }),
  own: async ({ person, account, yes }: Chosen) =>
    service.call('PATCH', `/api/accounts/${await accountAt(account)}/`, {
      ...(yes ? { kind: 'service', owner: personAt(person).id } : { kind: 'person' }),
    }),
  leave: ({ person, yes }: Chosen) =>
    service.call('POST', `/api/users/${personAt(person).id}/${yes ? 'deactivate' : 'reactivate'}/`),
  archive: async () => {
    await service.call('DELETE', `/api/apps/${app.id}/`);
    app = await newApp();
  },
  grant: async ({ person, account }: Chosen) => {
    const by = people[person];
    const body = { app: app.id, action: 'update_account', account: await accountAt(account) };
    const changes = { team: { added: ['red'] } };
    return service.call('POST', '/api/tasks/', { ...body, changes }, by);
  },
  revert: async () => service.call('POST', `/api/apps/${app.id}/syncs/${newest}/revert/`, {}),
  /** The other person is gone, and a new one takes the place. */
  merge: async ({ person, account }: Chosen) => {
    const [into, from] = [personAt(person), personAt(account)];
    const path = `/api/users/${into.id}/merge/`;
    const { status } = await service.call('POST', path, { from: from.id });
    if (status === 200) people[account] = await addPersonWithKey(service, 'member');
  },
  review: async ({ person }: Chosen) => {
    const reviewer = personAt(person);
    const settings = { name: 'Stories', reviewer: [reviewer.id], scope: { include: ['accounts'] } };
    const { body } = await service.call('POST', '/api/reviews/', settings);
    const { body: cycle } = await service.call('POST', `/api/reviews/${body.external_uuid}/start/`);
    if (cycle.external_uuid === undefined) return;
    const items = await service.items(cycle);
    await service.decide(cycle, items.slice(1), 'keep', { key: reviewer.key });
  },
} as const;
const story = fc.record({
  name: fc.constantFrom(
    'sync' as const,
    'sync' as const,
    ...(Object.keys(STORIES) as (keyof typeof STORIES)[]),
  ),
  chosen: fc.record({ person: fc.nat(3), account: fc.nat(4), yes: fc.boolean() }),
  accounts: fc.array(pushed, { minLength: 5, maxLength: 5 }),
});

test('after any stories, events lead to the findings of a look at everything', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(story, { minLength: 3, maxLength: 6 }), async (stories) => {
      for (const { name, chosen, accounts } of stories) await STORIES[name](chosen, accounts);
      expect(await findings.differences()).toEqual([]);
    }),
    { numRuns: 10, endOnFailure: true },
  );
}, 240_000);
