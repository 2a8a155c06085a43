import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import type { Answer } from '#test/app.ts';
import { eventsOf } from '#test/people.ts';
import { addSyncedApp, openSyncTest, people, type SyncedApp, type SyncTest, untilEnded } from '#test/sync.ts';
import { setTimes } from '#test/time.ts';
import { until } from '#test/until.ts';
import { deleteOldUploads } from './apply.ts';
import { checkUpload } from './check.ts';
import type { MappedColumn, Mapping } from './mapping.ts';
import { writeXlsx } from './write-xlsx.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

const CP1252 = (text: string) => Buffer.from(text, 'latin1');
const FIELDS: Mapping = {
  columns: [
    { column: 'id', field: 'id' },
    { column: 'email', field: 'email' },
  ],
};

const send = async (
  path: string,
  bytes: Buffer | string,
  name = 'accounts.csv',
  key = service.key,
): Promise<Answer> => {
  const reply = await service.app.http.inject({
    method: 'POST',
    url: `/org/${service.org}${path}?file_name=${encodeURIComponent(name)}`,
    headers: { authorization: `Api-Key ${key}`, 'content-type': 'application/octet-stream' },
    payload: bytes,
  });
  return { status: reply.statusCode, headers: reply.headers, body: reply.payload === '' ? '' : reply.json() };
};
const uploadsOf = (app: { id: string }) => `/api/apps/${app.id}/uploads/`;
const upload = (app: { id: string }, bytes: Buffer | string, name?: string) =>
  send(uploadsOf(app), bytes, name);

/** Checks an upload and waits until a job has done so. */
async function check(app: { id: string }, id: string, mapping?: Mapping) {
  const path = `${uploadsOf(app)}${id}/`;
  const chosen = mapping ?? (await service.call('GET', path)).body.suggestion;
  const started = await service.call('POST', `${path}check/`, { mapping: chosen });
  if (started.status !== 202) return started;
  return until(
    'the check of an upload',
    () => service.call('GET', path),
    ({ body }) => body.status !== 'checking',
  );
}
const apply = (app: { id: string }, id: string) => service.call('POST', `${uploadsOf(app)}${id}/apply/`);
const plan = (app: { id: string }, session: string) =>
  service.call('GET', `/api/apps/${app.id}/syncs/${session}/plan/`);

/** Uploads, checks and applies a file, and waits for its sync. */
async function sync(app: SyncedApp, bytes: Buffer | string, mapping?: Mapping) {
  const { body } = await upload(app, bytes);
  const checked = await check(app, body.upload_id, mapping);
  expect(checked.body).toMatchObject({ status: 'planned', problem_count: 0 });
  expect((await apply(app, body.upload_id)).body).toMatchObject({ status: 'applied' });
  return untilEnded(app, checked.body.sync_id);
}
const accountsOf = async (app: { id: string }) => {
  const { rows } = await sql<{ external_id: string; email: string; status: string; first_name: string }>`
    select external_id, email, status, first_name from account
    where app_id = ${app.id} order by external_id`.execute(service.database.db);
  return rows;
};

test('an applied upload counts whose the accounts are now, and later', async () => {
  const app = await addSyncedApp(service);
  const email = (name: string) => `${name}-${app.id}@whose.example`;
  const rows = [`1,${email('ada')}`, `2,${email('bob')}`, `3,${email('cyd')}`, '4,'].join('\n');
  const { body } = await upload(app, `id,email,username\n${rows.replaceAll('\n', ',u\n')},u`);
  expect(body.id_choice).toEqual({ column: 'id', why: 'named' });
  const checked = await check(app, body.upload_id);
  expect(checked.body.ownership).toBeNull();
  await apply(app, body.upload_id);
  await untilEnded(app, checked.body.sync_id);
  const ownership = async () =>
    (await service.call('GET', `/api/apps/${app.id}/uploads/${body.upload_id}/`)).body.ownership;

  expect(await ownership()).toEqual({ accounts: 4, linked: 0, linkable: 3, of_leavers: 0, leavers: 0 });

  const people = `email,status\n${email('ada')},active\n${email('bob')},deactivated`;
  const imported = await service.call('POST', '/api/users/import/', people, {
    headers: { 'content-type': 'text/csv' },
  });
  expect(imported.status).toBe(200);
  expect(await ownership()).toEqual({ accounts: 4, linked: 2, linkable: 1, of_leavers: 1, leavers: 1 });
});

describe('a file', () => {
  test('in Windows-1252 with semicolons is planned first, and applied then', async () => {
    const app = await addSyncedApp(service);
    await app.sync({ person: [{ id: '7', email: 'gone@x.example' }] });
    const text =
      'Personalnummer;E-Mail;Vorname;Status;Gruppen\r\n1;zoe@x.example;Zoë;aktiv;A|B\r\n2;max@x.example;Jürgen;gesperrt;B';

    const { status, body } = await upload(app, CP1252(text), 'Liste.csv');

    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'uploaded',
      format: 'csv',
      encoding: 'windows-1252',
      separator: ';',
      file_name: 'Liste.csv',
      suggestion: {
        columns: [
          { column: 'Personalnummer', field: 'id' },
          { column: 'E-Mail', field: 'email' },
          { column: 'Vorname', field: 'first_name' },
          { column: 'Status', field: 'status' },
          { column: 'Gruppen', field: 'groups', separator: '|' },
        ],
      },
    });
    const checked = await check(app, body.upload_id);
    expect(checked.body).toMatchObject({ status: 'planned', rows: 2, problem_count: 0 });
    expect((await plan(app, checked.body.sync_id)).body.counts).toMatchObject({
      accounts: { created: 2, removed: 1 },
      memberships: { added: 3 },
      resources: { created: 2 },
    });
    expect(await accountsOf(app)).toMatchObject([{ external_id: '7', status: 'ACTIVE' }]);

    await apply(app, body.upload_id);
    await untilEnded(app, checked.body.sync_id);

    expect(await accountsOf(app)).toMatchObject([
      { external_id: '1', status: 'ACTIVE', first_name: 'Zoë' },
      { external_id: '2', status: 'SUSPENDED', first_name: 'Jürgen' },
      { external_id: '7', status: 'INACTIVE' },
    ]);
    expect((await apply(app, body.upload_id)).body.status).toBe('applied');
    const events = (await eventsOf(service, 'spreadsheet.')).filter(({ subject }) => subject.uuid === app.id);
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'spreadsheet.uploaded',
      'spreadsheet.applied',
    ]);
    expect(events[1]?.payload).toMatchObject({
      rows: 2,
      file_name: 'Liste.csv',
      sync_id: checked.body.sync_id,
    });
    const started = (await eventsOf(service, 'app.sync.started')).findLast(
      ({ subject }) => subject.uuid === app.id,
    );
    expect(started).toMatchObject({ actor: { type: 'user' }, source: { type: 'api' } });
  });

  test.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFFid,email\n1,zoë@x.example'), 'utf-8'],
    ['UTF-16 LE', Buffer.from('\uFEFFid\temail\n1\tzoë@x.example', 'utf16le'), 'utf-16le'],
    ['UTF-16 BE', Buffer.from('\uFEFFid|email\n1|zoë@x.example', 'utf16le').swap16(), 'utf-16be'],
  ])('in %s is read', async (_, bytes, encoding) => {
    const { body } = await upload(service, bytes);

    expect(body).toMatchObject({
      encoding,
      columns: [
        { name: 'id', samples: ['1'] },
        { name: 'email', samples: ['zoë@x.example'] },
      ],
    });
  });

  test('in UTF-8 with a fault is refused with its line, and not read as Windows-1252', async () => {
    const bytes = Buffer.concat([
      Buffer.from('id,email\n1,zoë@x.example\n2,z'),
      Buffer.from([0xeb, 0x40, 0x78, 0x0a]),
    ]);

    expect(await upload(service, bytes)).toMatchObject({
      status: 400,
      body: { detail: 'The file is not valid UTF-8 at line 3. Choose another encoding.' },
    });
  });

  test('may contain NUL characters, which are problems of their rows', async () => {
    const { status, body } = await upload(service, 'id,email,name\n1,a@x.example,a\0b\n2,b@x.example,c');
    const mapping = { columns: [...FIELDS.columns, { column: 'name', field: 'first_name' }] };

    expect(status).toBe(201);
    expect((await check(service, body.upload_id, mapping)).body.problems).toMatchObject([
      { row: 2, column: 'name', message: expect.stringContaining('NUL') },
    ]);
    expect((await upload(service, 'id,ema\0il\n1,a@x.example')).status).toBe(400);
  });

  test('with problems shows the cells as the file has them', async () => {
    const group = `${'g'.repeat(600)}`;
    const { body } = await upload(service, `id,email,teams,seen\n1,a@x.example,${group},2026-13-01`);
    const columns = [
      ...FIELDS.columns,
      { column: 'teams', field: 'groups' },
      { column: 'seen', field: 'last_sign_in_at' },
    ];

    const { problems } = (await check(service, body.upload_id, { columns })).body;

    expect(problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ column: 'teams', value: group.slice(0, 200) }),
        expect.objectContaining({ column: 'seen', value: '2026-13-01' }),
      ]),
    );
  });

  test.each([
    ['windows-1250', [0xb3, 0xf3, 0xbf], 'łóż'],
    ['windows-1251', [0xce, 0xeb, 0xe5, 0xe3], 'Олег'],
    ['iso-8859-2', [0xb3, 0xf3, 0xbf], 'łóż'],
    ['windows-1253', [0xc1, 0xed, 0xed, 0xe1], 'Αννα'],
    ['windows-1254', [0xde, 0xfd], 'Şı'],
    ['macintosh', [0x4a, 0x9a, 0x72, 0x67], 'Jörg'],
    ['shift_jis', [0x93, 0x63, 0x92, 0x86], '田中'],
    ['gb18030', [0xcd, 0xf5], '王'],
  ])('can be read again in %s', async (encoding, bytes, name) => {
    const app = await addSyncedApp(service);
    const file = Buffer.concat([Buffer.from('id,first_name\n1,'), Buffer.from(bytes), Buffer.from('\n')]);
    const { body } = await upload(app, file);

    const again = await service.call('POST', `/api/apps/${app.id}/uploads/${body.upload_id}/read/`, {
      encoding,
      separator: ',',
    });

    expect(again).toMatchObject({ status: 200, body: { encoding, columns: [{}, { samples: [name] }] } });
  });

  test('can be read again in another encoding', async () => {
    const { body } = await upload(service, Buffer.from('id,email,name\n1,a@x.example,Zoë'));
    const path = `${uploadsOf(service)}${body.upload_id}/read/`;

    const again = await service.call('POST', path, { encoding: 'windows-1252' });
    const wrong = await service.call('POST', path, { encoding: 'utf-16le', separator: ',' });

    expect(again.body.columns[2].samples).toEqual(['ZoÃ«']);
    expect(wrong.status === 200 ? wrong.body.columns.length : wrong.body.detail).not.toBe(3);
  });

  test('may name its separator in a first line, as Excel does', async () => {
    const { body } = await upload(service, 'sep=;\r\nid;name, given\r\n1;Ada');

    expect(body.separator).toBe(';');
    expect(body.columns.map(({ name }: { name: string }) => name)).toEqual(['id', 'name, given']);
  });

  test('may have quotes, empty rows, and columns without names', async () => {
    const app = await addSyncedApp(service);
    const { body } = await upload(app, 'id,email,,name\n\n1,a@x.example,,"Doe, ""J""\nJr."\n,,,\n2,,,x');

    expect(body.columns.map(({ name }: { name: string }) => name)).toEqual([
      'id',
      'email',
      'Column C',
      'name',
    ]);
    expect((await check(app, body.upload_id)).body).toMatchObject({
      status: 'invalid',
      rows: 2,
      problems: [{ row: 5, column: 'email', message: 'Field required.' }],
    });
  });
});

describe('a workbook', () => {
  const DATES = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
  const formula = (value: string) => ({ xml: `<c><f>A1+1</f>${value}</c>` });

  test('gives the calculated values of formulas, whole numbers as ids, and dates', async () => {
    const app = await addSyncedApp(service);
    const rows = [
      ['id', 'email', 'first_name', 'day'],
      [
        { xml: '<c><v>1001</v></c>' },
        'a@x.example',
        { xml: '<c t="str"><f>A1</f><v>Ada</v></c>' },
        { xml: '<c s="1"><v>46349</v></c>' },
      ],
      [formula('<v>1002.0</v>'), 'b@x.example', '', ''],
    ];

    const { body } = await upload(app, writeXlsx('Users', rows, DATES), 'users.xlsx');

    expect(body).toMatchObject({ format: 'xlsx', sheets: ['Users'], sheet: 'Users' });
    expect(body.columns[3].samples).toEqual(['2026-11-23']);
    expect((await check(app, body.upload_id)).body).toMatchObject({ status: 'planned', rows: 2 });
    const { results } = (await service.call('GET', `/api/apps/${app.id}/syncs/`)).body;
    expect(results[0].progress).toContainEqual(expect.objectContaining({ slug: 'person', synced_count: 2 }));
    await apply(app, body.upload_id);
    await untilEnded(app, results[0].sync_id);
    expect((await accountsOf(app)).map(({ external_id }) => external_id)).toEqual(['1001', '1002']);
  });

  test('with a formula that was never calculated has a problem with its cell', async () => {
    const app = await addSyncedApp(service);
    const rows = [
      ['id', 'email'],
      ['1', formula('')],
      ['2', { xml: '<c t="e"><f>X</f><v>#REF!</v></c>' }],
    ];
    const { body } = await upload(app, writeXlsx('Users', rows));

    expect((await check(app, body.upload_id)).body).toMatchObject({
      status: 'invalid',
      problem_count: 2,
      problems: [
        { row: 2, column: 'email', message: expect.stringContaining('Cell B2 has a formula') },
        { row: 3, column: 'email', message: expect.stringContaining('Cell B3 shows the error #REF!') },
      ],
    });
  });

  test('that is a sample can be uploaded as it is', async () => {
    const app = await addSyncedApp(service);
    const reply = await service.app.http.inject({
      url: `/org/${service.org}${uploadsOf(app)}sample/?format=xlsx`,
      headers: { authorization: `Api-Key ${service.key}` },
    });
    const csv = await service.call('GET', `${uploadsOf(app)}sample/`);

    for (const bytes of [reply.rawPayload, csv.body as string]) {
      const { body } = await upload(app, bytes);
      expect((await check(app, body.upload_id)).body).toMatchObject({ status: 'planned', rows: 2 });
    }
  });
});

describe('a file that cannot be read', () => {
  const workbook = writeXlsx('S', [
    ['id', 'email'],
    ['1', 'a@x.example'],
  ]);
  /** A workbook whose directory claims that a sheet unpacks to 300 MB. */
  const bomb = () => {
    const bytes = Buffer.from(workbook);
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
    bytes.writeUInt16LE(8, entry + 10);
    bytes.writeUInt32LE(300 * 1024 * 1024, entry + 24);
    return bytes;
  };

  test.each([
    ['is empty', '', 'The file is empty.'],
    ['names a column twice', 'id,email,id\n1,a@x.example,2', 'names the column "id" twice'],
    ['is an .xls or a protected workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'protected by a password'],
    ['is an incomplete workbook', workbook.subarray(0, workbook.length - 40), 'damaged'],
    ['is a zip bomb', bomb(), 'unpacks to more than 256 MB'],
    ['does not close a quote', 'id,email\n1,"a@x.example\n', 'not valid CSV'],
    ['has too many columns', Array.from({ length: 300 }, (_, n) => `c${n}`).join(','), '250 columns'],
  ])('because it %s is refused and not kept', async (_, bytes, words) => {
    const answer = await upload(service, bytes);

    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(words) } });
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from upload where org_id = ${service.orgId} and status = 'receiving'`.execute(
      service.database.db,
    );
    expect(rows[0]?.count).toBe(0);
  });

  test('because it is too large is refused', async () => {
    const answer = await upload(service, Buffer.alloc(64 * 1024 * 1024 + 1, 'a'));

    expect(answer).toMatchObject({ status: 413, body: { detail: expect.stringContaining('64 MB') } });
  });
});

describe('rows', () => {
  test('with problems are listed with their reasons, and the file is not synced', async () => {
    const app = await addSyncedApp(service);
    await app.sync({ person: people(3) });
    const { body } = await upload(
      app,
      [
        'id,email,status,first_name',
        'p0,p0@x.example,active,A',
        ',nobody@x.example,,',
        'p1,not an email,,',
        'p2,p2@x.example,sleeping,',
        'p0,p0@x.example,,',
        `p3,p3@x.example,,${'x'.repeat(600)}`,
        'p4,p4@x.example,,,,surplus',
      ].join('\n'),
    );

    const checked = await check(app, body.upload_id);

    expect(checked.body).toMatchObject({ status: 'invalid', rows: 7, problem_count: 6, sync_id: null });
    const found = checked.body.problems.map(({ row, column, message }: Record<string, unknown>) => [
      row,
      column,
      message,
    ]);
    expect(found.sort()).toEqual([
      [3, 'id', 'The id is missing.'],
      [4, 'email', 'This is not an email address.'],
      [5, 'status', expect.stringContaining('unknown')],
      [6, 'id', expect.stringContaining('Row 2 has the same id.')],
      [7, 'first_name', 'String should have at most 512 characters.'],
      [8, '', 'The row has 6 cells, and the header 4.'],
    ]);
    const download = await service.call('GET', `${uploadsOf(app)}${body.upload_id}/problems/`);
    expect(download.body.split('\r\n')).toHaveLength(8);
    expect(await apply(app, body.upload_id)).toMatchObject({ status: 409 });
    expect((await service.call('GET', `/api/apps/${app.id}/syncs/`)).body.count).toBe(1);
    expect((await accountsOf(app)).every(({ status }) => status === 'ACTIVE')).toBe(true);
  });

  test('may have any text that resembles an email', async () => {
    const app = await addSyncedApp(service);
    const emails = ['<ada@x.example>', 'first:last@x.example', 'ada@x.example.', 'ada(ext)@x.example'];
    const rows = emails.map((email, index) => `p${index},${email},active,A`);
    await sync(app, ['id,email,status,first_name', ...rows].join('\n'));
    expect((await accountsOf(app)).map(({ email }) => email).sort()).toEqual(emails.sort());
  });

  test('that are missing never remove the accounts of an app', async () => {
    const app = await addSyncedApp(service);
    await app.sync({ person: people(3) });
    const { body } = await upload(app, 'id,email\n');

    const checked = await check(app, body.upload_id, FIELDS);

    expect(checked.body).toMatchObject({ status: 'failed', error: expect.stringContaining('no rows') });
    expect(await apply(app, body.upload_id)).toMatchObject({ status: 409 });
    expect((await accountsOf(app)).every(({ status }) => status === 'ACTIVE')).toBe(true);
  });

  test('that lack many accounts are held by the removal guard', async () => {
    const app = await addSyncedApp(service);
    const session = await app.start();
    await app.push(session, 'person', people(100));
    await app.push(session, 'person', people(50, undefined, 100));
    await app.complete(session);

    const view = await sync(app, 'id,email\np0,p0@x.example');

    expect(view).toMatchObject({ status: 'completing', held: { accounts: 149 } });
    expect((await accountsOf(app)).every(({ status }) => status === 'ACTIVE')).toBe(true);
  });

  test('of one account are merged if the mapping says so', async () => {
    const app = await addSyncedApp(service);
    const text = 'id,email,team,name,city\n1,,A\n2,b@x.example,A\n1,a@x.example,B,Ada,Rome\n1,,A';
    const mapping: Mapping = {
      columns: [
        ...FIELDS.columns,
        { column: 'team', field: 'groups', slug: 'team' },
        { column: 'name', field: 'first_name' },
        { column: 'city', field: 'attribute' },
      ],
      merge_rows: true,
    };

    await sync(app, text, mapping);
    const { body } = await upload(app, `${text}\n2,other@x.example,B`);
    const differing = await check(app, body.upload_id, mapping);

    const { rows } = await sql<{ id: string; groups: string }>`
      select a.external_id as id, string_agg(e.external_id, ',' order by e.external_id) as groups from membership m
      join account a on a.org_id = m.org_id and a.id = m.account_id
      join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
      where a.app_id = ${app.id} group by 1 order by 1`.execute(service.database.db);
    expect(rows).toEqual([
      { id: '1', groups: 'A,B' },
      { id: '2', groups: 'A' },
    ]);
    expect(await accountsOf(app)).toMatchObject([{ email: 'a@x.example', first_name: 'Ada' }, {}]);
    expect(body.suggestion).toMatchObject(mapping);
    expect(differing.body.problems).toMatchObject([
      { row: 6, column: 'email', value: 'other@x.example', message: expect.stringContaining('Row 3') },
    ]);
  });
});

describe('details of accounts', () => {
  const columns = [
    ...FIELDS.columns,
    { column: 'seen', field: 'last_sign_in_at' },
    { column: 'owner', field: 'owner' },
    { column: 'city', field: 'attribute' },
    { column: 'floor', field: 'attribute' },
  ];

  test('are the last sign-in, the owner and attributes', async () => {
    const app = await addSyncedApp(service);
    const rows = [
      'id,email,seen,owner,city,floor',
      '1,a@x.example,2026-01-02,boss@x.example,Rome,3',
      '2,b@x.example,2026-01-02 03:04,,,',
      '3,c@x.example,2026-01-02T03:04:05+01:00,,,',
      '4,d@x.example,Never logged in,,,',
    ];

    await sync(app, rows.join('\n'), { columns });

    const { results } = (await service.call('GET', `/api/accounts/?app=${app.id}`)).body;
    const found = await Promise.all(
      results.map(
        async ({ external_uuid }: { external_uuid: string }) =>
          (await service.call('GET', `/api/accounts/${external_uuid}/`)).body,
      ),
    );
    const byId = Object.fromEntries(found.map((account) => [account.external_id, account]));
    expect(byId['1']).toMatchObject({
      last_sign_in_at: '2026-01-02T00:00:00.000Z',
      attributes: { city: 'Rome', floor: '3' },
    });
    expect(byId['2'].last_sign_in_at).toBe('2026-01-02T03:04:00.000Z');
    expect(byId['3'].last_sign_in_at).toBe('2026-01-02T02:04:05.000Z');
    expect(byId['4'].last_sign_in_at).toBe(null);
  });

  test('say whether an account has a second factor', async () => {
    const app = await addSyncedApp(service);
    await sync(app, 'id,email,MFA enabled\n1,a@x.example,Yes\n2,b@x.example,nein\n3,c@x.example,');
    const { results } = (await service.call('GET', `/api/accounts/?app=${app.id}`)).body;
    expect(results.map(({ mfa_enabled }: Record<string, unknown>) => mfa_enabled)).toEqual([
      true,
      false,
      null,
    ]);

    const { body } = await upload(app, 'id,email,mfa\n1,a@x.example,perhaps');
    const { problems } = (await check(app, body.upload_id)).body;
    expect(problems).toMatchObject([{ row: 2, column: 'mfa', message: 'This is neither yes nor no.' }]);
  });

  test('have the problems of their rows', async () => {
    const rows = ['id,email,seen,owner,city,floor', `1,a@x.example,11/23/2026,boss,${'x'.repeat(513)},`];
    const { body } = await upload(service, rows.join('\n'));

    const { problems } = (await check(service, body.upload_id, { columns })).body;

    expect(
      problems.map(({ column, value }: Record<string, string>) => [column, value?.slice(0, 10)]),
    ).toEqual([
      ['seen', '11/23/2026'],
      ['owner', 'boss'],
      ['city', 'x'.repeat(10)],
    ]);
  });

  test('have 50 attributes at most', async () => {
    const names = Array.from({ length: 51 }, (_, n) => `a${n}`);
    const { body } = await upload(service, `id,email,${names}\n1,a@x.example`);
    const attributes = names.map((column) => ({ column, field: 'attribute' }));

    expect(
      await check(service, body.upload_id, { columns: [...FIELDS.columns, ...attributes] }),
    ).toMatchObject({ status: 400, body: { detail: expect.stringContaining('50 attributes') } });
  });
});

describe('the tasks of an app', () => {
  const carrierOf = async ({ id }: SyncedApp) =>
    (await service.call('GET', `/api/apps/${id}/`)).body.tasks_carried_out_by;
  const ROWS = 'id,email\n1,ann@x.example';

  test('are carried out by people from the first upload on, unless somebody decides otherwise', async () => {
    const app = await addSyncedApp(service);
    expect(await carrierOf(app)).toBe(null);

    await sync(app, ROWS);
    expect(await carrierOf(app)).toBe('people');
    const configured = (await eventsOf(service, 'fulfillment.')).filter(
      ({ subject }) => subject.uuid === app.id,
    );
    expect(configured).toMatchObject([
      {
        actor: { type: 'user' },
        payload: { changes: [{ field: 'enabled', from: false, to: true }, { field: 'people' }] },
      },
    ]);

    const settings = (await service.call('GET', `/api/apps/${app.id}/fulfillment/`)).body;
    await service.call('PUT', `/api/apps/${app.id}/fulfillment/`, { ...settings, enabled: false });
    await sync(app, ROWS);
    expect(await carrierOf(app)).toBe('nobody');
  });

  test('go to the owner of the app, or else to the person who uploaded its file', async () => {
    const [owned, other] = [await addSyncedApp(service), await addSyncedApp(service)];
    const owner = (await service.call('GET', '/api/me/')).body.external_uuid;
    await service.call('PATCH', `/api/apps/${owned.id}/`, { owner });
    const settingsOf = async ({ id }: SyncedApp) =>
      (await service.call('GET', `/api/apps/${id}/fulfillment/`)).body;

    await sync(owned, ROWS);
    await sync(other, ROWS);

    expect(await settingsOf(owned)).toMatchObject({ enabled: true, people: [] });
    expect(await carrierOf(owned)).toBe('people');
    expect(await settingsOf(other)).toMatchObject({ enabled: true, people: [owner] });
    const nobody = { ...(await settingsOf(other)), people: [] };
    expect(await service.call('PUT', `/api/apps/${other.id}/fulfillment/`, nobody)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'people' }] },
    });
    expect(await carrierOf(other)).toBe('people');
  });

  test('end with the upload that no longer lists their accounts, whose plan counts them', async () => {
    const app = await addSyncedApp(service);
    await sync(app, `${ROWS}\n2,bob@x.example`);
    const { results } = (await service.call('GET', `/api/accounts/?app=${app.id}`)).body;
    const ann = results.find((one: { external_id: string }) => one.external_id === '1');
    const wanted = { app: app.id, account: ann.external_uuid, action: 'delete_account' };
    const { body: task } = await service.call('POST', '/api/tasks/', wanted);
    await service.app.tick();

    const { body } = await upload(app, 'id,email\n3,eve@x.example');
    const { sync_id } = (await check(app, body.upload_id)).body;
    expect((await plan(app, sync_id)).body).toMatchObject({
      counts: { accounts: { removed: 2 } },
      expected_by_tasks: 1,
    });
    await apply(app, body.upload_id);
    await untilEnded(app, sync_id);

    expect((await service.call('GET', `/api/tasks/${task.external_uuid}/`)).body).toMatchObject({
      status: 'completed',
      explanation: { happened: expect.stringContaining('A sync no longer shows the account.') },
    });
    expect((await plan(app, sync_id)).body).toMatchObject({ expected_by_tasks: 0 });
  });

  test('are confirmed by the upload that no longer lists what they removed, whose plan counts them', async () => {
    const app = await addSyncedApp(service);
    await sync(app, `${ROWS}\n2,bob@x.example`);
    const { results } = (await service.call('GET', `/api/accounts/?app=${app.id}`)).body;
    const remove = async (id: string) => {
      const account = results.find((one: { external_id: string }) => one.external_id === id).external_uuid;
      const wanted = { app: app.id, account, action: 'delete_account' };
      const { body: task } = await service.call('POST', '/api/tasks/', wanted);
      await service.app.tick();
      const done = `/api/fulfillment/tasks/${task.external_uuid}/complete/`;
      expect(await service.call('POST', done, {})).toMatchObject({ status: 200 });
    };
    await remove('1');
    await remove('2');
    const planned = async (rows: string) => {
      const { body } = await upload(app, rows);
      const { sync_id } = (await check(app, body.upload_id)).body;
      return { ...body, sync_id, plan: (await plan(app, sync_id)).body };
    };

    // The app still has the first one.
    const one = await planned(`${ROWS}\n3,eve@x.example`);
    expect(one.plan).toMatchObject({ counts: { accounts: { created: 2 } }, confirmed_removals: 1 });
    await service.call('DELETE', `/api/apps/${app.id}/uploads/${one.upload_id}/`);
    const both = await planned('id,email\n3,eve@x.example');
    expect(both.plan).toMatchObject({ confirmed_removals: 2 });
    await apply(app, both.upload_id);
    await untilEnded(app, both.sync_id);

    expect((await plan(app, both.sync_id)).body).toMatchObject({ basis: 'history', confirmed_removals: 2 });
    const later = await planned('id,email\n3,eve@x.example');
    expect(later.plan).toMatchObject({ confirmed_removals: 0 });
  });

  test('stay with the connector that has synced the app before', async () => {
    const app = await addSyncedApp(service);
    await app.sync({ person: [{ id: '1', email: 'ann@x.example' }] });

    await sync(app, ROWS);

    expect(await carrierOf(app)).toBe('nobody');
    await service.call('POST', '/api/tasks/', {
      app: app.id,
      account: (await service.call('GET', `/api/accounts/?app=${app.id}`)).body.results[0].external_uuid,
      action: 'suspend_account',
    });
    await app.bridge('GET', '/tasks/');
    expect(await carrierOf(app)).toBe(null);
  });
});

describe('a mapping', () => {
  test('is suggested again, and differences are shown', async () => {
    const app = await addSyncedApp(service);
    const mapping: Mapping = {
      columns: [
        { column: 'key', field: 'id' },
        { column: 'login', field: 'username' },
        { column: 'state', field: 'status' },
      ],
      statuses: { X: 'suspended' },
    };
    await sync(app, 'key,login,state,old\n1,ada,x,1', mapping);

    const { body } = await upload(app, 'key,login,state,new\n1,ada,X,1');
    const other = await upload(app, 'key,login\n1,ada');

    expect(body.suggestion).toMatchObject({ columns: mapping.columns, statuses: mapping.statuses });
    expect(body.since_last).toEqual({ added: ['new'], missing: ['old'] });
    expect(other.body.suggestion.columns).toEqual([
      { column: 'login', field: 'username' },
      { column: 'login', field: 'id' },
    ]);
    expect(await accountsOf(app)).toMatchObject([{ external_id: '1', status: 'SUSPENDED' }]);
  });

  test('can use the email as the ID', async () => {
    const app = await addSyncedApp(service);

    await sync(app, 'mail,team\nada@x.example,Ops', {
      columns: [
        { column: 'mail', field: 'email' },
        { column: 'mail', field: 'id' },
      ],
    });

    expect(await accountsOf(app)).toMatchObject([{ external_id: 'ada@x.example', email: 'ada@x.example' }]);
  });

  test.each([
    ['has no id', [{ column: 'email', field: 'email' }], 'holds the ID'],
    ['has no email', [{ column: 'id', field: 'id' }], 'email or the username'],
    ['names a field twice', [...FIELDS.columns, { column: 'more', field: 'email' }], 'Only one column'],
    ['names another column', [...FIELDS.columns, { column: 'none', field: 'status' }], 'no column "none"'],
    ['names an unknown field', [...FIELDS.columns, { column: 'more', field: 'shoe_size' }], 'not a field'],
    [
      'names an unknown type',
      [...FIELDS.columns, { column: 'more', field: 'groups', slug: 'x' }],
      'no resource type x',
    ],
  ])('that %s is refused', async (_, columns, words) => {
    const { body } = await upload(service, 'id,email,more\n1,a@x.example,x');

    expect(await check(service, body.upload_id, { columns })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(words) },
    });
  });

  test('registers the resource types of an app that has none', async () => {
    const { body: app } = await service.call('POST', '/api/v1/bridge/apps/', { name: 'Empty' });
    const { body } = await upload(app, 'id,email,groups\n1,a@x.example,A');

    expect((await check(app, body.upload_id)).body.status).toBe('planned');

    const { results } = (await service.call('GET', `/api/apps/${app.id}/resource-types/`)).body;
    expect(results.map(({ slug, type }: Record<string, string>) => [slug, type]).sort()).toEqual([
      ['account', 'account'],
      ['group', 'group'],
    ]);
  });
});

describe('a plan', () => {
  const FILE = 'id,email\n1,a@x.example';

  test('of another browser is replaced, and cannot be applied', async () => {
    const app = await addSyncedApp(service);
    const [first, second] = await Promise.all([upload(app, FILE), upload(app, `${FILE}\n2,b@x.example`)]);
    await check(app, first.body.upload_id);
    await check(app, second.body.upload_id);

    const refused = await apply(app, first.body.upload_id);
    const applied = await apply(app, second.body.upload_id);

    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('newer sync') } });
    expect(applied.status).toBe(200);
    expect((await check(app, first.body.upload_id)).body.status).toBe('planned');
  });

  test('is discarded without publishing anything', async () => {
    const app = await addSyncedApp(service);
    const { body } = await upload(app, FILE);
    const { sync_id } = (await check(app, body.upload_id)).body;
    const path = `${uploadsOf(app)}${body.upload_id}/`;

    expect((await service.call('DELETE', path)).status).toBe(204);

    expect(await app.view(sync_id)).toMatchObject({ status: 'abandoned' });
    expect(await accountsOf(app)).toEqual([]);
    expect((await service.call('GET', path)).body.status).toBe('discarded');
    expect((await apply(app, body.upload_id)).status).toBe(409);
    const failed = (await eventsOf(service, 'app.sync.failed')).findLast(
      ({ subject }) => subject.uuid === app.id,
    );
    expect(failed?.payload).toMatchObject({ reason: 'discarded', sync_id });
  });

  test('ends once its rows are checked or read again', async () => {
    const app = await addSyncedApp(service);
    const { body } = await upload(app, FILE);
    const { sync_id: first } = (await check(app, body.upload_id)).body;

    const invalid = await check(app, body.upload_id, {
      columns: [...FIELDS.columns]
        .reverse()
        .map(({ column }, index) => ({ column, field: index === 0 ? 'id' : 'email' })),
    });
    const { sync_id: second } = (await check(app, body.upload_id)).body;
    await service.call('POST', `${uploadsOf(app)}${body.upload_id}/read/`, {});

    expect(invalid.body.status).toBe('invalid');
    for (const session of [first, second])
      expect(await app.view(session)).toMatchObject({ status: 'abandoned' });
  });

  test('that is being applied cannot be discarded, and does not keep old uploads from being deleted', async () => {
    const app = await addSyncedApp(service);
    const { db } = service.database;
    const { body } = await upload(app, FILE);
    const { sync_id } = (await check(app, body.upload_id)).body;
    const path = `${uploadsOf(app)}${body.upload_id}/`;
    // As a process leaves it that dies while it applies the upload.
    await app.complete(sync_id);

    expect(await service.call('DELETE', path)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('was applied') },
    });
    await setTimes(db, 'upload', { created_at: '25 hours ago' }, { id: body.upload_id });
    await deleteOldUploads(db);
    expect((await service.call('GET', path)).status).toBe(404);
  });

  test('that nobody applies is discarded after a day', async () => {
    const app = await addSyncedApp(service);
    const { body } = await upload(app, FILE);
    const { sync_id } = (await check(app, body.upload_id)).body;
    const { db } = service.database;
    await setTimes(db, 'upload', { created_at: '25 hours ago' }, { id: body.upload_id });

    await deleteOldUploads(db);

    expect(await app.view(sync_id)).toMatchObject({ status: 'abandoned' });
    expect((await service.call('GET', `${uploadsOf(app)}${body.upload_id}/`)).status).toBe(404);
    const { rows } = await sql`select from upload_chunk where upload_id = ${body.upload_id}`.execute(db);
    expect(rows).toEqual([]);
  });

  test('is made again if the process dies while it pushes', async () => {
    const app = await addSyncedApp(service);
    const { body } = await upload(app, `${FILE}\n2,b@x.example`);
    const { sync_id: before } = (await check(app, body.upload_id)).body;
    // As a process leaves it that dies before the end of the check.
    await sql`update upload set status = 'checking' where id = ${body.upload_id}`.execute(
      service.database.db,
    );

    await checkUpload(service.database, within(service.database.db, service.orgId), body.upload_id, {
      number: 2,
      last: false,
    });

    const { body: after } = await service.call('GET', `${uploadsOf(app)}${body.upload_id}/`);
    expect(after).toMatchObject({ status: 'planned', rows: 2 });
    expect(await app.view(before)).toMatchObject({ status: 'abandoned', superseded_by: after.sync_id });
    await apply(app, body.upload_id);
    expect(await untilEnded(app, after.sync_id)).toMatchObject({ status: 'completed' });
    expect(await accountsOf(app)).toHaveLength(2);
  });
});

describe('people', () => {
  const PATH = '/api/users/uploads/';
  const checkPeople = async (id: string, mapping?: Mapping) => {
    const chosen = mapping ?? (await service.call('GET', `${PATH}${id}/`)).body.suggestion;
    return service.call('POST', `${PATH}${id}/check/`, { mapping: chosen });
  };

  test('of a workbook are checked, shown and imported', async () => {
    const rows = [
      ['E-Mail', 'Vorname', 'Nachname', 'Vorgesetzter', 'Abteilung'],
      ['ada@people.example', 'Ada', 'König', 'boss@people.example', 'R&D'],
      ['boss@people.example', 'Bo', '', '', ''],
    ];
    const { status, body } = await send(PATH, writeXlsx('People', rows), 'people.xlsx');
    expect(status).toBe(201);
    expect(body.suggestion.columns.map(({ field }: { field: string }) => field)).toEqual([
      'email',
      'first_name',
      'last_name',
      'manager_email',
      'department',
    ]);

    const checked = await checkPeople(body.upload_id);
    const found = () => service.call('GET', '/api/users/?email=ada@people.example');
    expect(checked.body).toMatchObject({ status: 'planned', rows: 2, result: { dry_run: true, created: 2 } });
    expect((await found()).body.count).toBe(0);

    const applied = await service.call('POST', `${PATH}${body.upload_id}/apply/`);

    expect(applied.body).toMatchObject({ status: 'applied', result: { dry_run: false, created: 2 } });
    expect((await found()).body.results[0]).toMatchObject({
      last_name: 'König',
      attributes: { department: 'R&D' },
    });
  });

  test('with problems are listed by row', async () => {
    const { body } = await send(PATH, CP1252('email;first_name\n\nzo\xeb;Zo\xeb\nok@people.example;Ok'));

    const checked = await checkPeople(body.upload_id);

    expect(body.encoding).toBe('windows-1252');
    expect(checked.body).toMatchObject({
      status: 'invalid',
      problems: [
        { row: 3, column: 'email', value: 'zo\xeb', message: expect.stringContaining('valid email') },
      ],
    });
    expect((await service.call('POST', `${PATH}${body.upload_id}/apply/`)).status).toBe(409);
  });

  test.each([
    [
      'Entra ID',
      'userPrincipalName,surname,mail,givenName,jobTitle,department,accountEnabled,officeLocation,city',
      [
        'username',
        'last_name',
        'email',
        'first_name',
        'title',
        'department',
        'status',
        'location',
        'attribute',
      ],
    ],
    [
      'a German HR system',
      'E-Mail-Adresse,Vorname,Familienname,Vorgesetzte/r,Fachbereich,Tätigkeit,Arbeitsort,Aktiv,Personalnummer',
      [
        'email',
        'first_name',
        'last_name',
        'manager_email',
        'department',
        'title',
        'location',
        'status',
        'attribute',
      ],
    ],
  ])('from %s have their fields suggested', async (_, header, fields) => {
    const { body } = await send(PATH, `${header}\n${'x,'.repeat(8)}x`);

    const { columns } = body.suggestion as Mapping;
    const fieldOf = (name: string) => columns.find(({ column }) => column === name)?.field;
    expect(header.split(',').map(fieldOf)).toEqual(fields);
  });

  test('have the attributes that the console shows, from columns in the words of an HR system', async () => {
    const { body } = await send(
      PATH,
      'E-Mail;Job Title;Office Location;Kostenstelle;Status\nhr@people.example;Clerk;Basel;4711;Active\nleft@people.example;Clerk;Basel;;Terminated\naway@people.example;;;;Sabbatical',
    );
    const { columns } = body.suggestion;
    expect(Object.fromEntries(columns.map(({ column, field }: MappedColumn) => [column, field]))).toEqual({
      'E-Mail': 'email',
      'Job Title': 'title',
      'Office Location': 'location',
      Kostenstelle: 'cost_center',
      Status: 'status',
    });

    const unknown = await checkPeople(body.upload_id);
    expect(unknown.body.problems).toEqual([
      {
        ...{ row: 4, column: 'Status', value: 'Sabbatical' },
        ...{ message: expect.any(String), code: 'row_issue', values: expect.any(Object) },
      },
    ]);
    const checked = await checkPeople(body.upload_id, { columns, statuses: { sabbatical: 'active' } });
    expect(checked.body).toMatchObject({ status: 'planned', problem_count: 0 });
    await service.call('POST', `${PATH}${body.upload_id}/apply/`);

    const { body: found } = await service.call('GET', '/api/users/?email=hr@people.example');
    expect(found.results[0]).toMatchObject({
      status: 'active',
      attributes: { title: 'Clerk', location: 'Basel', cost_center: '4711' },
    });
    const { body: left } = await service.call('GET', '/api/users/?email=left@people.example');
    expect(left.results[0]).toMatchObject({ status: 'deactivated' });
  });

  test('with two columns for one attribute are refused', async () => {
    const { body } = await send(PATH, 'email,Abteilung,department\na@twice.example,R&D,Sales');
    const columns = [
      { column: 'email', field: 'email' },
      { column: 'Abteilung', field: 'department' },
      { column: 'department', field: 'attribute' },
    ];

    expect(await checkPeople(body.upload_id, { columns })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('Two columns would become the attribute department') },
    });
  });

  test('who changed since the check are not overwritten', async () => {
    const { body } = await send(PATH, 'email,first_name\nmoved@people.example,New');
    await checkPeople(body.upload_id);
    await service.call('POST', '/api/users/', { email: 'moved@people.example', first_name: 'Other' });

    const refused = await service.call('POST', `${PATH}${body.upload_id}/apply/`);

    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('have changed') } });
  });

  test('are compared with the check beyond the changes that it shows', async () => {
    const names = Array.from({ length: 1002 }, (_, n) => `many${n}@people.example,Many`);
    const { body } = await send(PATH, ['email,first_name', ...names].join('\n'));
    expect((await checkPeople(body.upload_id)).body).toMatchObject({ status: 'planned' });
    await service.call('POST', '/api/users/', { email: 'many1001@people.example', first_name: 'Other' });

    expect((await service.call('POST', `${PATH}${body.upload_id}/apply/`)).status).toBe(409);
    const again = await checkPeople(body.upload_id);
    expect(again.body.result).toMatchObject({ created: 1001, updated: 1 });
    expect(again.body.result).not.toHaveProperty('digest');
    expect((await service.call('POST', `${PATH}${body.upload_id}/apply/`)).status).toBe(200);
  });

  test('of two concurrent imports, the second does not undo what it has not shown', async () => {
    const files = await Promise.all(
      ['One', 'Two'].map((name) => send(PATH, `email,first_name\nrace@people.example,${name}`)),
    );
    for (const { body } of files) await checkPeople(body.upload_id);

    const applied = await Promise.all(
      files.map(({ body }) => service.call('POST', `${PATH}${body.upload_id}/apply/`)),
    );

    expect(applied.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('can be applied again after a lost response', async () => {
    const { body } = await send(PATH, 'email\nagain@people.example');
    await checkPeople(body.upload_id);

    const [first, second] = [
      await service.call('POST', `${PATH}${body.upload_id}/apply/`),
      await service.call('POST', `${PATH}${body.upload_id}/apply/`),
    ];

    expect(second.body).toEqual(first.body);
  });
});

test('a file name or a mapping with a NUL character is refused', async () => {
  const { body } = await upload(service, 'id,email\n1,a@x.example');
  const columns = [...FIELDS.columns, { column: 'id', field: 'groups', separator: '\0' }];

  expect((await upload(service, 'id,email\n1,a@x.example', 'a\0.csv')).status).toBe(400);
  expect((await check(service, body.upload_id, { columns })).status).toBe(400);
});

test('an upload does not exist for another app or for people', async () => {
  const app = await addSyncedApp(service);
  const { body } = await upload(app, 'id,email\n1,a@x.example');

  const paths = [`${uploadsOf(service)}${body.upload_id}/`, `/api/users/uploads/${body.upload_id}/`];
  for (const path of paths) expect((await service.call('GET', path)).status).toBe(404);
});
