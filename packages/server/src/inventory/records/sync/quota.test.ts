import { afterAll, expect, test } from 'vitest';
import { addOrganization } from '#test/people.ts';
import { addSyncedApp, openSyncTest } from '#test/sync.ts';

const service = await openSyncTest({ syncQuotas: { pages: 3, megabytes: 1 } });
afterAll(service.close);

/** A page of about half a megabyte. */
const half = () =>
  Array.from({ length: 100 }, (_, n) => ({
    id: `a${n}`,
    email: `a${n}@x.example`,
    memberships: {
      team: Array.from({ length: 20 }, (_, team) => ({ id: `${n}-${team}`, name: 'n'.repeat(250) })),
    },
  }));
const one = (id: string) => [{ id, email: `${id}@x.example` }];

test('a session has at most as many pages as the operator allows', async () => {
  const app = await addSyncedApp(service);
  const session = await app.start();
  for (const id of ['a', 'b', 'c']) expect((await app.push(session, 'person', one(id))).status).toBe(200);

  const { status, body } = await app.push(session, 'person', one('d'));

  expect(status).toBe(413);
  expect(body.detail).toBe(
    'The sync session has 3 pages, the most that the operator allows. Push up to 100 records in each page.',
  );
  const other = await app.start();
  expect((await app.push(other, 'person', one('d'))).status).toBe(200);
  expect(await app.complete(other)).toMatchObject({ status: 'completed' });
});

test('an organization has at most as many bytes of unpublished pages as the operator allows', async () => {
  const filling = await addOrganization(service);
  const apps = [await addSyncedApp({ call: filling }), await addSyncedApp({ call: filling })] as const;
  const [first, second] = [await apps[0].start(), await apps[1].start()];
  expect((await apps[0].push(first, 'person', half())).status).toBe(200);

  const { status, body } = await apps[1].push(second, 'person', half());

  expect(status).toBe(413);
  expect(body.detail).toBe(
    'The organization has 1 MB in pages that are not published, the most that the operator allows. Complete or abandon its other sync sessions.',
  );
  expect((await apps[1].push(second, 'person', one('b'))).status).toBe(200);
  const app = await addSyncedApp(service);
  expect((await app.push(await app.start(), 'person', half())).status).toBe(200);
});

test('published pages no longer count', async () => {
  const publishing = await addOrganization(service);
  const app = await addSyncedApp({ call: publishing });

  await app.sync({ person: half() });

  await app.sync({ person: half() });
});
