// @module-tag engine

import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameKey } from '#kit/nfc.ts';
import { sql } from '#kit/sql.ts';
import { eventsOf } from '../people.ts';
import { GROUP, newUser, openScim } from '../scim.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '../sync.ts';
import { uploadsTo } from '../uploads.ts';

/** Names that people read compare in NFC, at every door (D89). */

let service: SyncTest;
let app: SyncedApp;
beforeAll(async () => {
  service = await openSyncTest();
  app = await addSyncedApp(service);
});
afterAll(() => service.close());

const NFC = (text: string) => text.normalize('NFC');
const NFD = (text: string) => text.normalize('NFD');
const FORMS = [NFC, NFD];
const get = async (path: string) => (await service.call('GET', path)).body;
const q = (text: string) => encodeURIComponent(text);
const importCsv = (text: string, query = '') =>
  service.call('POST', `/api/users/import/${query}`, text, { headers: { 'content-type': 'text/csv' } });

test('searches and filters find what is stored in another form', async () => {
  const person = { email: 'search@acme.example', first_name: NFD('Jürgen'), last_name: NFC('Großmüller') };
  const { body: created } = await service.call('POST', '/api/users/', person);
  await service.call('POST', '/api/v1/bridge/apps/', { name: NFD('Bücher') });
  const team = { id: '1', name: NFD('Prüfung') };
  const account = { id: 'a1', email: 'a1@acme.example', display_name: NFD('Zoë Köhler') };
  await app.sync({ person: [{ ...account, memberships: { team: [team] } }], team: [team] });

  for (const form of FORMS) {
    expect((await get(`/api/users/?q=${q(form('jürgen'))}`)).results).toMatchObject([
      { external_uuid: created.external_uuid },
    ]);
    expect((await get(`/api/users/?q=${q(form('müller'))}`)).count).toBe(1);
    expect((await get(`/api/accounts/?search=${q(form('köh'))}`)).count).toBe(1);
    expect((await get(`/api/accounts/?search=${q(form('oë'))}`)).count).toBe(1);
    expect((await get(`/api/apps/?q=${q(form('büch'))}`)).count).toBe(1);
    expect((await get(`/api/apps/${app.id}/resources/?q=${q(form('PRÜ'))}`)).count).toBe(1);
    expect((await get(`/api/catalog/?q=${q(form('Prüfung'))}`)).results).toMatchObject([
      { name: NFD('Prüfung') },
    ]);
    expect((await get(`/api/find/?q=${q(form('jürg'))}`)).results).toMatchObject([{ kind: 'person' }]);
    expect((await get(`/api/find/?q=${q(form('köhl'))}`)).results).toMatchObject([{ kind: 'account' }]);
  }
});

test('compares a letter whose lower case has another number of characters', async () => {
  const team = { id: '2', name: NFD('İşlem') };
  const account = { id: 'a2', email: 'a2@acme.example', display_name: NFD('İpek Işık') };
  await app.sync({ person: [{ ...account, memberships: { team: [team] } }], team: [team] });
  const person = { email: 'ipek@acme.example', username: NFD('İpek') };
  expect((await service.call('POST', '/api/users/', person)).status).toBe(201);

  for (const form of FORMS) {
    expect((await get(`/api/users/?q=${q(form('İpek'))}`)).count).toBe(1);
    expect((await get(`/api/accounts/?search=${q(form('İpek'))}`)).results).toMatchObject([
      { external_id: 'a2' },
    ]);
    expect((await get(`/api/apps/${app.id}/resources/?q=${q(form('İşlem'))}`)).count).toBe(1);
    expect((await get(`/api/find/?q=${q(form('İpek'))}`)).results).toMatchObject([
      { kind: 'person' },
      { kind: 'account' },
    ]);
    const other = { email: 'ipek2@acme.example', username: form('İpek') };
    expect((await service.call('POST', '/api/users/', other)).status).toBe(409);
  }
});

test('a name has the same key in the database and in TypeScript', async () => {
  const names = [
    'İ',
    'I\u0307',
    'ı',
    'I',
    'STRASSE',
    'Straße',
    'STRAẞE',
    'ǅ',
    'ΟΔΟΣ',
    'οδοσ',
    'οδος',
    'Σ',
    'Σα',
    'ΑΣ.Β',
    '\u212b',
  ];
  const keys = await sql<{ name: string; key: string }>`
    select n.name, name_key(n.name) as key from unnest(${names}::text[]) as n (name)`.execute(
    service.database.db,
  );
  expect(keys.rows).toEqual(names.map((name) => ({ name, key: nameKey(name) })));

  const { rows } = await sql<{ code: number; key: string }>`
    select c.code, name_key(c.name) as key
    from (select code, chr(code) as name from generate_series(1, 131071) as code where code not between 55296 and 57343) c
    where unicode_assigned(c.name) and (c.name <> in_nfc(c.name) or c.name <> name_key(c.name))
    order by c.code`.execute(service.database.db);
  expect(rows.length).toBeGreaterThan(1400);
  expect(rows.map(({ code }) => ({ code, key: nameKey(String.fromCodePoint(code)) }))).toEqual(rows);
  const changed = new Set(rows.map(({ code }) => code));
  const others = Array.from({ length: 0x2fff }, (_, code) => code).filter(
    (code) => code > 0 && !changed.has(code),
  );
  expect(others.filter((code) => nameKey(String.fromCodePoint(code)) !== String.fromCodePoint(code))).toEqual(
    [],
  );
});

test('an import in another form changes nothing, and writes no second attribute', async () => {
  const file =
    'email,first_name,Büro,department,employee_number\nimp@acme.example,Jürgen,Zürich,Prüfung,Ä7\n';
  expect((await importCsv(NFD(file))).body).toMatchObject({ created: 1 });
  const before = await get('/api/users/?email=imp@acme.example');

  for (const form of FORMS) {
    expect((await importCsv(form(file))).body).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    const byNumber = await importCsv(form(file), '?match=employee_number');
    expect(byNumber.body).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    const byOffice = await importCsv(form(file), `?match=${q(form('Büro'))}`);
    expect(byOffice.body).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  }
  expect(await importCsv(`email,${NFC('Büro')},${NFD('Büro')}\nx@acme.example,1,2\n`)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('twice') },
  });

  const id = before.results[0].external_uuid;
  const change = { first_name: NFC('Jürgen'), attributes: { [NFC('Büro')]: NFC('Zürich'), title: 'x' } };
  await service.call('PATCH', `/api/users/${id}/`, change);
  const after = await get(`/api/users/${id}/`);
  expect(after).toMatchObject({
    first_name: NFD('Jürgen'),
    attributes: { ...before.results[0].attributes, title: 'x' },
  });
  const updates = (await eventsOf(service, 'user.updated')).filter(({ subject }) => subject.uuid === id);
  expect(updates.map(({ payload }) => payload.changes)).toEqual([
    [{ field: 'attributes.title', from: null, to: 'x' }],
  ]);
});

test('a spreadsheet of people in another form changes nothing', async () => {
  const file = 'Email,Vorname,Büro\nsheet@acme.example,Jürgen,Zürich\n';
  const uploads = uploadsTo(service);
  const { upload_id } = await uploads.plan(NFD(file));
  expect(await uploads.apply(upload_id)).toMatchObject({ body: { result: { created: 1 } } });

  const again = await uploads.plan(NFC(file));

  expect(again.since_last).toEqual({ added: [], missing: [] });
  expect(again.result).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
});

test('people of one department count together', async () => {
  for (const [n, form] of [NFC, NFD, NFD].entries())
    await service.call('POST', '/api/users/', {
      email: `dep${n}@acme.example`,
      attributes: { department: form('Qualitätsprüfung') },
    });

  const { departments } = await get('/api/users/access-by-department/');
  expect(departments).toContainEqual({ place: 'department', department: NFC('Qualitätsprüfung'), people: 3 });
});

test('a sync in another form changes nothing of names, and keeps ids of systems apart', async () => {
  const other = await addSyncedApp(service);
  const sync = (form: (text: string) => string) => {
    const fields = { username: form('jörg'), first_name: form('Jörg'), display_name: form('Jörg Ü') };
    const person = { id: 'p', email: 'p@x.example', ...fields };
    const team = { id: 't', name: form('Köln'), description: form('Büro') };
    return other.sync({ person: [{ ...person, memberships: { team: [{ id: 't' }] } }], team: [team] });
  };
  await sync(NFD);
  const session = await sync(NFC);

  expect(await get(`/api/apps/${other.id}/syncs/${session}/plan/`)).toMatchObject({ count: 0 });
  const { results } = await get(`/api/accounts/?app=${other.id}`);
  expect(results).toMatchObject([{ username: NFD('jörg'), display_name: NFD('Jörg Ü') }]);

  await other.sync({ team: [NFC('ü'), NFD('ü')].map((id) => ({ id, name: id })) });
  const groups = await get(`/api/apps/${other.id}/resources/`);
  expect(groups.results.map(({ name }: { name: string }) => name).sort()).toEqual(
    [NFC('ü'), NFD('ü')].sort(),
  );
});

test('an upload gives groups the ids under which the app has their names', async () => {
  const other = await addSyncedApp(service);
  const uploads = uploadsTo(service, other);
  const person = { id: NFD('jörg'), username: NFD('jörg') };
  await other.sync({
    person: [{ ...person, memberships: { team: [{ id: NFD('Köln'), name: NFD('Köln') }] } }],
  });
  const columns = [
    { column: 'login', field: 'username' },
    { column: 'login', field: 'id' },
    { column: 'group', field: 'groups', slug: 'team' },
  ];

  for (const form of FORMS) {
    const upload = await uploads.plan(form('login,group\njörg,Köln\n'), { columns });
    expect(await get(`/api/apps/${other.id}/syncs/${upload.sync_id}/plan/`)).toMatchObject({ count: 0 });
  }
});

test('SCIM compares user names, groups and filters in NFC', async () => {
  const { scim } = await openScim(service);
  const add = async (form: (text: string) => string) => {
    const user = newUser({ userName: form('jörg@scim.example'), name: { familyName: form('Müller') } });
    const group = { schemas: [GROUP], displayName: form('Prüfung') };
    return [(await scim('POST', '/Users', user)).status, (await scim('POST', '/Groups', group)).status];
  };
  expect(await add(NFD)).toEqual([201, 201]);
  expect(await add(NFC)).toEqual([409, 409]);
  const found = async (path: string, filter: string) =>
    (await scim('GET', `${path}?filter=${q(filter)}`)).body.totalResults;
  for (const form of FORMS) {
    expect(await found('/Users', `userName eq "${form('JÖRG@scim.example')}"`)).toBe(1);
    expect(await found('/Users', `name.familyName sw "${form('Mü')}"`)).toBe(1);
    expect(await found('/Groups', `displayName eq "${form('prüfung')}"`)).toBe(1);
  }
});
