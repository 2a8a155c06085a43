import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest, untilEnded } from '#test/sync.ts';
import { uploadsTo } from '#test/uploads.ts';
import type { Mapping } from './mapping.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
});

const NFC = (text: string) => text.normalize('NFC');
const NFD = (text: string) => text.normalize('NFD');
const NOTHING = {
  accounts: { created: 0, changed: 0, removed: 0 },
  memberships: { added: 0, removed: 0 },
  resources: { created: 0, changed: 0, removed: 0 },
};
const FILE = 'id,email,group,Vorname,Büro\nu1,u1@example.com,Köln,Jürgen,Zürich\n';

async function planOf(text: string, change?: Partial<Mapping>) {
  const upload = await uploadsTo(service, app).plan(text, change);
  expect(upload).toMatchObject({ status: 'planned' });
  const { body } = await service.call('GET', `/api/apps/${app.id}/syncs/${upload.sync_id}/plan/`);
  return { upload, counts: body.counts };
}

async function apply(text: string, change?: Partial<Mapping>) {
  const { upload } = await planOf(text, change);
  expect(await uploadsTo(service, app).apply(upload.upload_id)).toMatchObject({ status: 200 });
  await untilEnded(app, upload.sync_id);
}

test.each([
  ['NFC', 'NFD', NFC, NFD],
  ['NFD', 'NFC', NFD, NFC],
])('an upload in %s and then one in %s changes nothing', async (_one, _other, one, other) => {
  await apply(one(FILE));

  const { upload, counts } = await planOf(other(FILE));

  expect(counts).toEqual(NOTHING);
  expect(upload.since_last).toEqual({ added: [], missing: [] });
  expect(upload.remarks).toEqual([]);
});

test.each([
  ['NFD', NFD],
  ['NFC', NFC],
])('an upload changes nothing of what another door stored in NFD: %s', async (_form, form) => {
  const stored = { id: 'u1', email: 'u1@example.com', first_name: NFD('Jürgen') };
  const team = { id: NFD('Köln'), name: NFD('Köln') };
  await app.sync({ person: [{ ...stored, memberships: { team: [team] } }], team: [] });

  expect((await planOf(form(FILE))).counts).toEqual(NOTHING);
});

test('a file with both forms has one group and one account for each name', async () => {
  const text = `email,group\n${NFC('jörg')},${NFC('Köln')}\n${NFD('jörg')},${NFD('Köln')}\n`;
  const columns = [
    { column: 'email', field: 'username' },
    { column: 'email', field: 'id' },
    { column: 'group', field: 'groups', slug: 'team' },
  ];
  expect((await planOf(text, { columns, merge_rows: true })).counts).toMatchObject({
    accounts: { created: 1 },
    memberships: { added: 1 },
    resources: { created: 1 },
  });
});

test('ids of systems stay as they are', async () => {
  await apply(`id,email\n${NFC('ü')},a@example.com\n${NFD('ü')},b@example.com\n`);
  const { rows } = await sql<{ external_id: string }>`
    select external_id from account where app_id = ${app.id} order by email`.execute(service.database.db);
  expect(rows.map(({ external_id }) => external_id)).toEqual([NFC('ü'), NFD('ü')]);
});

test('names that look alike are named once, with what is hidden in them', async () => {
  const text = 'id,email,groups\n1,a@x.example,Admins;Sales\n2,b@x.example,admins;Ad\u200Bmins\n';

  const { upload } = await planOf(text);

  expect(upload.remarks).toEqual([
    {
      code: 'lookalikes',
      message:
        'These names look alike, and are different groups or licenses: "Admins", "admins", "Ad[U+200B]mins".',
      confirm: false,
      count: null,
      names: ['Admins', 'admins', 'Ad\u200Bmins'],
    },
  ]);
});

test('names of an app that look like one of a file are named', async () => {
  const member = { id: 'u1', email: 'a@x.example' };
  await app.sync({ person: [{ ...member, memberships: { team: [{ id: '7', name: 'Payroll' }] } }] });
  const remarks = async (name: string) =>
    (await planOf(`id,email,groups\n1,a@x.example,${name}\n`)).upload.remarks;

  expect(await remarks('Payrolls')).toEqual([]);
  expect(await remarks('Payrol\u0406')).toMatchObject([{ names: ['Payrol\u0406', 'Payroll'] }]);
  expect(await remarks('pay\u200Broll')).toMatchObject([{ names: ['pay\u200Broll', 'Payroll'] }]);
  expect(await remarks('Payroll')).toEqual([]);
});
