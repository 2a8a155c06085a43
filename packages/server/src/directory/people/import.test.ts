import { array, assert, asyncProperty, string, tuple } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cell, csvOf } from '#kit/csv.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addOrganization, addPersonWithKey, eventsOf } from '#test/people.ts';
import { signInAs } from '#test/sign-in.ts';
import { readCsv } from './csv.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp({ own: true });
  call = service.call;
});
afterAll(() => service.close());

const CSV = { headers: { 'content-type': 'text/csv' } };
const upload = (text: string, query = '', more: { key?: string } = {}) =>
  call('POST', `/api/users/import/${query}`, text, { ...CSV, ...more });
const find = async (email: string) =>
  (await call('GET', `/api/users/?email=${encodeURIComponent(email)}`)).body.results[0];
const typesOf = async (id: string) =>
  (await eventsOf(service, 'user.'))
    .filter(({ subject }) => subject.uuid === id)
    .map(({ event_type }) => event_type);

describe('the lines of problems', () => {
  /** Each file has a bad row on line 4 and another one on line 6. */
  test.each<[string, string]>([
    ['with one kind of ends', 'email,a\nok@x.example,\n\nbad,\nok2@x.example,\nworse,\n'],
    ['with CRLF after a header with LF', 'email,a\nok@x.example,\r\n\r\nbad,\r\nok2@x.example,\r\nworse,'],
    ['with LF after a header with CRLF', 'email,a\r\nok@x.example,\n\nbad,\nok2@x.example,\nworse,'],
    ['with each end of its own', 'email,a\rok@x.example,\r\n\nbad,\rok2@x.example,\r\nworse,\n'],
    ['with breaks in cells', 'email,a\r\nok@x.example,"one\r\ntwo"\r\nbad,"\n"\r\nworse,"one\ntwo"'],
    ['with a break in a name', '"email","a\nb"\nok@x.example,\nbad,"one\rtwo"\nworse,'],
    ['with blank lines of spaces', '\ufeffemail,a\n  \n\t\nbad,\n \nworse,'],
  ])('are those that editors show: %s', async (_, text) => {
    const { status, body } = await upload(text);

    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['line 4', 'line 6']);
  });

  test('are right in a file of many slices', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `p${n}@slices.example,"break\r\nwithin"\r\n`);

    const { body } = await upload(`email,a\n${rows.join('')}bad,`);

    expect(body.errors).toMatchObject([{ path: 'line 6002' }]);
  });

  test('grow no faster than the emails of all who have the value of a row', async () => {
    const emails = Array.from({ length: 200 }, (_, n) => `p${n}@team.example`);
    await upload(`email,team\n${emails.map((email) => `${email},blue`).join('\n')}`);

    const { body } = await upload('email,team\nx@team.example,blue', '?match=team');

    expect(body.errors[0].message.split(' and ')).toHaveLength(200);
    expect(JSON.stringify(body).length).toBeLessThan(100_000);
  });

  test('are those of the row if a quote is never closed', async () => {
    const { body } = await upload('email,a\r\nok@x.example,"1\n2"\n\nbad@x.example,"open\nand\non');

    expect(body.detail).toMatch(
      /^The file is not valid CSV at line 5: Quote Not Closed.*Check the quotes there\.$/,
    );
    expect(body.detail).not.toMatch(/line \d.*line \d/);
  });
});

describe('an exported file', () => {
  test('changes nobody, whatever the cells hold', async () => {
    const email = 'round@trip.example';
    const attributes = {
      ...{ id: '-1001', dn: 'CN=a,-OU=b;+c', phone: '+49 30 1234', handle: '@handle', formula: '=x' },
      ...{ quoted: "'=x", twice: "''=SUM(A1)", tab: '\tA', cr: '\rA', lines: 'a\r\n=b\nc', spaces: '  a ' },
      ...{ bom: '\ufeff=1', number: '007', float: '1e5', quotes: 'the "first"', empty: '', '=column': 'b' },
      ...{ inner: 'a;=HYPERLINK("x")', count: 5, list: ['a', 'b'], flag: true },
    };
    await call('POST', '/api/users/', { email, first_name: ' =Ada', last_name: "'-", attributes });
    const person = await find(email);
    const file = await exported(
      {
        ...Object.fromEntries(['email', 'first_name', 'last_name'].map((name) => [name, () => person[name]])),
        ...Object.fromEntries(
          Object.entries<unknown>(person.attributes).map(([name, value]) => [
            name,
            () => (typeof value === 'string' ? value : JSON.stringify(value)),
          ]),
        ),
      },
      [person],
    );

    expect((await upload(file)).body).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    expect(await find(email)).toEqual(person);

    // Elsewhere the person is new. A file has only text, and an empty cell is not an attribute.
    const callOther = await addOrganization(service);
    await callOther('POST', '/api/users/import/', file, CSV);
    const { empty: _, ...others } = attributes;
    const { body } = await callOther('GET', `/api/users/?email=${encodeURIComponent(email)}`);
    expect(body.results[0]).toMatchObject({
      ...{ first_name: ' =Ada', last_name: "'-" },
      attributes: { ...others, count: '5', list: '["a","b"]', flag: 'true' },
    });
  });

  test('has the cells that were exported, for any text', async () => {
    await assert(
      asyncProperty(array(tuple(text, text), { minLength: 1, maxLength: 5 }), async (rows) => {
        const columns = { '=id': ([id]: [string, string]) => id, x: ([, x]: [string, string]) => x };
        const file = await exported(columns, rows);
        const read = await readCsv(Buffer.from(file), () => ({ cells }) => [...cells]);
        expect(read).toEqual(
          rows.map(([id, x]) => [
            ['=id', id],
            ['x', x],
          ]),
        );
      }),
    );
  });
});

test.each([0, 1, 2])(
  'reads characters of three bytes wherever a large file is cut, shifted by %i',
  async (shift) => {
    const cell = '\u20ac'.repeat(1000);
    const file = Buffer.from(`${'x'.repeat(1 + shift)}\n${`${cell}\n`.repeat(200)}`);

    expect(
      await readCsv(file, () => ({ cells }) => [...cells.values()]),
    ).toEqual(Array.from({ length: 200 }, () => [cell]));
    file[file.length - 2] = 0xff;
    await expect(readCsv(file, () => () => 0)).rejects.toThrow('not UTF-8');
  },
);

async function exported<T>(columns: Record<string, (row: T) => Cell>, rows: T[]): Promise<string> {
  async function* slices() {
    yield rows;
  }
  return (await Array.fromAsync(csvOf(columns, slices()))).join('');
}

/** Text that a file can hold: not empty, since rows of empty cells are left out, and without NUL. */
const text = string({ unit: 'binary', minLength: 1 }).filter((each) => !each.includes('\0'));

describe('a day', () => {
  test.each([
    ['31.12.2026', /^start_date: This is not a day\. Write it as YYYY-MM-DD, such as/],
    ['2026-1-5', /YYYY-MM-DD/],
    ['46022', /YYYY-MM-DD/],
    ['1900-01-00', /YYYY-MM-DD/],
    ['1899-12-30', /^start_date: 1899-12-30 is before 1950\./],
    ['1949-12-31', /before 1950/],
  ])('%s is a problem that says what is wanted', async (day, message) => {
    const { status, body } = await upload(`email,start_date\nday@x.example,${day}`, '?dry_run=true');

    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ path: 'line 2', message: expect.stringMatching(message) }],
    });
  });
});

describe('a file', () => {
  test('creates and updates people, also with managers further down', async () => {
    await call('POST', '/api/users/', {
      email: 'Known@first.example',
      last_name: 'Old',
      attributes: { title: 'Clerk', site: 'A' },
    });

    const { status, body } = await upload(
      [
        'email,first_name,last_name,manager_email,start_date,status,title,Cost center',
        'ada@first.example,Ada,King,known@FIRST.example,2026-01-01,,Countess,12',
        'known@first.example,Kim,,top@first.example,,,,"a, ""b"""',
        'top@first.example,Top,,,,deactivated,Chair,',
      ].join('\r\n'),
    );

    expect(status).toBe(200);
    expect(body).toMatchObject({ dry_run: false, created: 2, updated: 1, unchanged: 0 });
    const [ada, known, top] = [await find('ada@first'), await find('known@first'), await find('top@first')];
    expect(ada).toMatchObject({
      username: 'ada@first.example',
      first_name: 'Ada',
      manager: known.external_uuid,
      start_date: '2026-01-01',
      status: 'active',
      attributes: { title: 'Countess', 'Cost center': '12' },
    });
    expect(known).toMatchObject({
      email: 'Known@first.example',
      first_name: 'Kim',
      last_name: '',
      manager: top.external_uuid,
      attributes: { site: 'A', 'Cost center': 'a, "b"' },
    });
    expect(known.attributes).not.toHaveProperty('title');
    expect(top).toMatchObject({ status: 'deactivated', attributes: { title: 'Chair' } });
    expect(await typesOf(ada.external_uuid)).toEqual(['user.created']);
    expect(await typesOf(known.external_uuid)).toEqual(['user.created', 'user.updated']);
    expect(await typesOf(top.external_uuid)).toEqual(['user.created', 'user.deactivated']);
  });

  test('without changes writes nothing and records nothing', async () => {
    const text =
      'email,first_name,manager_email,title\none@same.example,One,two@same.example,A\ntwo@same.example,Two,,';
    await upload(text);
    const before = await find('one@same');

    const { body } = await upload(text.replaceAll('@same', '@SAME'));

    expect(body).toMatchObject({ created: 0, updated: 0, unchanged: 2, changes: [] });
    expect(await find('one@same')).toEqual(before);
    expect(await typesOf(before.external_uuid)).toEqual(['user.created']);
  });

  test('names managers by their emails in its changes', async () => {
    await upload('email,manager_email\nled@named.example,boss@named.example\nboss@named.example,');

    const { body } = await upload(
      'email,manager_email\nled@named.example,new@named.example\nnew@named.example,',
      '?dry_run=true',
    );

    expect(body.changes).toMatchObject([
      {
        email: 'led@named.example',
        changes: [{ field: 'manager_email', from: 'boss@named.example', to: 'new@named.example' }],
      },
      { email: 'new@named.example', action: 'created' },
    ]);
  });

  test('shows its changes in a dry run and writes nothing', async () => {
    await upload('email,first_name\nknown@dry.example,Kim');

    const { status, body } = await upload(
      'email,first_name\nknown@dry.example,Kay\nnew@dry.example,Neo',
      '?dry_run=true',
    );

    expect(status).toBe(200);
    expect(body).toEqual({
      dry_run: true,
      created: 1,
      updated: 1,
      unchanged: 0,
      changes: [
        {
          line: 2,
          email: 'known@dry.example',
          action: 'updated',
          changes: [{ field: 'first_name', from: 'Kim', to: 'Kay' }],
        },
        {
          line: 3,
          email: 'new@dry.example',
          action: 'created',
          changes: [
            { field: 'email', from: null, to: 'new@dry.example' },
            { field: 'first_name', from: null, to: 'Neo' },
          ],
        },
      ],
    });
    expect(await find('known@dry')).toMatchObject({ first_name: 'Kim' });
    expect(await find('new@dry')).toBeUndefined();
  });

  test('may start with a byte order mark, contain empty lines, and end without a newline', async () => {
    const { body } = await upload(
      '\uFEFFEmail,First_Name\r\n\r\nbom@odd.example,"Zoë"\r\n\r\nbom2@odd.example,李',
    );

    expect(body).toMatchObject({ created: 2 });
    expect(await find('bom@odd')).toMatchObject({ first_name: 'Zoë', attributes: {} });
    expect(await find('bom2@odd')).toMatchObject({ first_name: '李' });
  });

  test('may name attributes like inherited object properties', async () => {
    await upload('email,__proto__,constructor\nproto@odd.example,a,b');

    const { attributes, external_uuid } = await find('proto@odd');
    await upload('email,__proto__,constructor,toString\nproto@odd.example,a,c,d');
    expect(Object.entries(attributes)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(
      (await eventsOf(service, 'user.updated')).findLast(({ subject }) => subject.uuid === external_uuid),
    ).toMatchObject({
      payload: {
        changes: [
          { field: 'attributes.constructor', from: 'b', to: 'c' },
          { field: 'attributes.toString', from: null, to: 'd' },
        ],
      },
    });
  });
});

describe('invalid rows', () => {
  test('are all named by their line, and nothing is written', async () => {
    await call('POST', '/api/users/', { email: 'old@bad.example' });
    const { status, body } = await upload(
      [
        'email,identity_type,start_date,end_date,manager_email,manager,first_name',
        'good@bad.example,human,,,,,Good',
        ',human,,,,,Nameless',
        'no-email,,,,,,',
        'robot@bad.example,robot,,,,,',
        'day@bad.example,,2026-02-31,,,,',
        'order@bad.example,,2026-02-02,2026-02-01,,,',
        'GOOD@bad.example,,,,,,"twice,',
        'over two lines"',
        'lost@bad.example,,,,ghost@bad.example,,',
        'loop1@bad.example,,,,loop2@bad.example,,',
        'loop2@bad.example,,,,loop1@bad.example,,',
        'self@bad.example,,,,self@bad.example,,',
        'short@bad.example',
        'manager@bad.example,,,,,not-a-uuid,',
        'stranger@bad.example,,,,,01980000-0000-7000-8000-000000000000,',
        'fine@bad.example,,,,good@bad.example,,',
      ].join('\n'),
    );

    expect(status).toBe(400);
    expect(body.detail).toContain(
      '13 of 15 rows are invalid, so nothing was imported. line 3: email: Field required',
    );
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(
      [3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16].map((line) => `line ${line}`),
    );
    const messages = Object.fromEntries(
      body.errors.map(({ path, message }: { path: string; message: string }) => [path, message]),
    );
    expect(messages).toMatchObject({
      'line 4': 'email: Input should be a valid email address.',
      'line 5': expect.stringContaining('human, service_account'),
      'line 6': 'start_date: This is not a day. Write it as YYYY-MM-DD, such as 2026-03-31.',
      'line 7': 'end_date is before start_date.',
      'line 8': 'Line 2 has the same email.',
      'line 10': 'manager_email: No person has the email ghost@bad.example.',
      'line 11': expect.stringContaining('own manager'),
      'line 12': expect.stringContaining('own manager'),
      'line 13': expect.stringContaining('own manager'),
      'line 14': 'The row has 1 cell, and the first line 7.',
      'line 15': expect.stringContaining('UUID'),
      'line 16': 'Manager not found.',
    });
    expect((await call('GET', '/api/users/?email=@bad.example')).body.count).toBe(1);
  });

  test.each([
    ['is empty', '', 'empty'],
    ['has no email column', 'mail;name\na;b', 'mail;name'],
    ['names a column twice', 'email,title,title\na@x.example,b,c', 'twice'],
    ['has a column without a name', 'email,\na@x.example,b', 'without a name'],
    ['has a column of ids', 'email,external_uuid\na@x.example,b', 'external_uuid'],
    ['does not close a quote', 'email,title\na@x.example,"b\nc', 'line'],
  ])('are not checked in a file that %s', async (_, text, words) => {
    expect(await upload(text)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(words) },
    });
  });

  test('include a management loop through people outside the file', async () => {
    await upload(
      'email,manager_email\na@ring.example,b@ring.example\nb@ring.example,c@ring.example\nc@ring.example,',
    );

    const { status, body } = await upload('email,manager_email\nc@ring.example,a@ring.example');

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: 'line 2' }]);
    expect(await find('c@ring')).toMatchObject({ manager: null });
  });

  test('do not include a management loop that the file itself resolves', async () => {
    await upload('email,manager_email\nx@turn.example,y@turn.example\ny@turn.example,');

    const { status } = await upload('email,manager_email\nx@turn.example,\ny@turn.example,x@turn.example');

    expect(status).toBe(200);
    expect((await find('y@turn')).manager).toBe((await find('x@turn')).external_uuid);
  });

  test("include an administrator's changes to owners", async () => {
    const admin = await addPersonWithKey(service, 'admin');
    const { call } = await signInAs(service, { ...admin, external_uuid: admin.id });
    const owner = await addPersonWithKey(service, 'owner');

    const { status, body } = await call(
      'POST',
      '/api/users/import/',
      `email,role,first_name\n${owner.email},,Changed\nrise@own.example,owner,\nfine@own.example,admin,`,
      { headers: { 'content-type': 'text/csv' } },
    );

    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['line 2', 'line 3']);
    expect(await find('rise@own')).toBeUndefined();
  });

  test('include roles that an API key cannot give', async () => {
    const { email } = await addPersonWithKey(service, 'auditor');

    const { status, body } = await upload(
      `email,role\n${email},auditor\nking@keyed.example,admin\nmember@keyed.example,member`,
    );

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { path: 'line 3', message: expect.stringContaining('API keys cannot give the role') },
    ]);
  });

  test('include the deactivation of the last owner', async () => {
    const { body } = await call('GET', '/api/users/?role=owner&status=active&limit=200');
    const owners = body.results.map(({ email }: { email: string }) => email);

    const answer = await upload(
      `email,status\n${owners.map((email: string) => `${email},deactivated`).join('\n')}`,
    );

    expect(answer).toMatchObject({ status: 409 });
    expect((await call('GET', '/api/users/?role=owner&status=active')).body.count).toBe(owners.length);
  });
});

describe('the body', () => {
  test('must be text/csv in UTF-8', async () => {
    const asJson = await call('POST', '/api/users/import/', { email: 'a@x.example' });
    const latin = await service.app.http.inject({
      method: 'POST',
      url: `/org/${service.org}/api/users/import/`,
      headers: { authorization: `Api-Key ${service.key}`, 'content-type': 'text/csv; charset=utf-8' },
      payload: Buffer.from('email,first_name\nzoe@x.example,Zo\xeb', 'latin1'),
    });

    expect(asJson).toMatchObject({ status: 415, body: { detail: expect.stringContaining('text/csv') } });
    expect([latin.statusCode, latin.json()]).toEqual([
      400,
      { detail: 'The file is not UTF-8. Save it as UTF-8 and try again.', code: 'people_file_not_utf8' },
    ]);
    expect(await call('POST', '/api/users/', 'email\na@x.example', CSV)).toMatchObject({ status: 415 });
    expect(await call('GET', '/api/users/import/')).toMatchObject({ status: 405 });
  });
});

test('creates each person once in two concurrent imports', async () => {
  const text = `email\n${Array.from({ length: 50 }, (_, n) => `p${n}@twice.example`).join('\n')}`;

  const answers = await Promise.all([upload(text), upload(text)]);

  expect(answers.map(({ status, body }) => [status, body.created, body.unchanged]).sort()).toEqual([
    [200, 0, 50],
    [200, 50, 0],
  ]);
  expect((await call('GET', '/api/users/?email=@twice.example')).body.count).toBe(50);
});

test('does not match people of another organization', async () => {
  const other = await addOrganization(service, 'strangers');
  const { body } = await other('POST', '/api/users/', {
    email: 'boss@strangers.example',
    first_name: 'Boss',
  });

  const refused = await upload('email,manager_email\nx@mine.example,boss@strangers.example');
  const byId = await upload(`email,manager\nx@mine.example,${body.external_uuid}`);
  await upload('email,first_name\nboss@strangers.example,Mine');

  expect([refused.status, byId.status]).toEqual([400, 400]);
  expect((await other('GET', `/api/users/${body.external_uuid}/`)).body.first_name).toBe('Boss');
});

test('imports 100,000 people with managers from one file', { tags: ['long'], timeout: 300_000 }, async () => {
  const rows = Array.from(
    { length: 100_000 },
    (_, n) =>
      `m${n}@many.example,First ${n},${n === 0 ? '' : `m${n >> 1}@many.example`},Department ${n % 50}`,
  );
  const text = `email,first_name,manager_email,department\n${rows.reverse().join('\n')}`;

  const { status, body } = await upload(text);

  expect({ status, created: body.created }).toEqual({ status: 200, created: 100_000 });
  expect(body.changes).toHaveLength(1000);
  const [leaf, parent] = [await find('m99999@many'), await find('m49999@many')];
  expect(leaf).toMatchObject({ manager: parent.external_uuid, attributes: { department: 'Department 49' } });
  expect((await call('GET', '/api/users/?q=@many.example')).body.count).toBe(100_000);
});

describe('limits', () => {
  test.each([
    ['rows', `email\n${'a@x.example\n'.repeat(100_001)}`, 'The file has more than 100000 rows.'],
    ['columns', `email,${Array.from({ length: 250 }, (_, n) => `c${n}`)}`, 'names 251 columns'],
    ['a long row', `email,a\na@x.example,"${'x'.repeat(300_000)}"`, 'line 2 has more than 262144 characters'],
    ['attributes', `email,a\na@x.example,${'x'.repeat(4097)}`, 'attributes.a has 4097 characters'],
  ])('a file with too many or too large %s returns 400', async (_what, text, detail) => {
    const reply = await upload(text);
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toContain(detail);
  });
});

test('a column keeps the spelling that a person has of its attribute', async () => {
  for (const [email, attributes] of [
    ['scim@spelled.example', { costCenter: '41', employeeNumber: '7' }],
    ['file@spelled.example', { 'Cost center': '41', 'Employee number': '8' }],
  ] as const)
    await call('POST', '/api/users/', { email, attributes });

  const rows = 'scim2@spelled.example,7,42\nfile2@spelled.example,8,42\nnew@spelled.example,9,42';
  const { status } = await upload(`email,employee_number,cost_center\n${rows}`, '?match=employee_number');

  expect(status).toBe(200);
  expect((await find('scim2@spelled.example'))?.attributes).toEqual({
    costCenter: '42',
    employeeNumber: '7',
  });
  expect((await find('file2@spelled.example'))?.attributes).toEqual({
    ...{ 'Cost center': '42', 'Employee number': '8' },
  });
  expect((await find('new@spelled.example'))?.attributes).toEqual({
    cost_center: '42',
    employee_number: '9',
  });
});

test('columns with two spellings of one attribute keep both', async () => {
  const email = 'both@spelled.example';
  await call('POST', '/api/users/', { email, attributes: { costCenter: '41' } });
  expect((await upload(`email,cost_center,Cost center\n${email},42,43`)).status).toBe(200);
  expect((await find(email))?.attributes).toEqual({
    costCenter: '41',
    cost_center: '42',
    'Cost center': '43',
  });
});
