import fc from 'fast-check';
import { type Filter, parse } from 'scim2-parse-filter';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { ENTERPRISE, newUser, openScim, type Scim, USER } from '#test/scim.ts';

type Values = Record<string, unknown>;

let service: TestApp;
let scim: Scim;
let users: Values[];
beforeAll(async () => {
  service = await openTestApp();
  ({ scim } = await openScim(service));
  const words = ['Ada', 'ada l', 'Bob"by', 'c\\d', 'Éve', undefined];
  for (let n = 0; n < 24; n++) {
    const word = words[n % words.length];
    const { status, body } = await scim('POST', '/Users', {
      ...newUser({ title: word, active: n % 3 !== 0, externalId: n % 4 === 0 ? undefined : `Ext-${n}` }),
      name: { givenName: words[(n + 1) % words.length], familyName: n % 2 === 0 ? 'Even' : undefined },
      phoneNumbers:
        n % 5 === 0
          ? [
              { value: `+${n}`, type: 'work' },
              { value: '+2', type: 'home', primary: true },
            ]
          : undefined,
      [ENTERPRISE]: n % 2 === 0 ? { department: word, costCenter: String(n) } : undefined,
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    if (n % 5 === 1)
      await scim('PATCH', `/Users/${body.id}`, {
        Operations: [{ op: 'add', path: 'emails', value: [{ value: `home-${n}@x.example`, type: 'home' }] }],
      });
  }
  await scim('POST', '/Groups', {
    displayName: 'Readers',
    members: [{ value: (await all())[1]?.id }, { value: (await all())[2]?.id }],
  });
  users = await all();
});
afterAll(() => service.close());

const all = async (): Promise<Values[]> => (await scim('GET', '/Users?count=200')).body.Resources;
const find = async (filter: string, more = '') =>
  scim('GET', `/Users?count=200&filter=${encodeURIComponent(filter)}${more}`);
const idsOf = (list: Values[]) => list.map(({ id }) => id).sort();

/** A second, independent reading of RFC 7644, 3.4.2.2: over the resources as they were returned. */
function holds(filter: Filter, resource: Values): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((part) => holds(part, resource));
    case 'or':
      return filter.filters.some((part) => holds(part, resource));
    case 'not':
      return !holds(filter.filter, resource);
    case '[]':
      return valuesAt(resource, filter.attrPath).some((one) => holds(filter.valFilter, one as Values));
    case 'pr':
      return valuesAt(resource, filter.attrPath).length > 0;
    default: {
      const found = valuesAt(resource, filter.attrPath).map((one) =>
        typeof one === 'object' && one !== null ? (one as Values).value : one,
      );
      const { op, compValue } = filter;
      const isList = /^(emails|phoneNumbers|groups)/i.test(filter.attrPath);
      if (compValue === null) return (found.length === 0) === (op === 'eq');
      if (found.length === 0 && !isList) return op === 'ne';
      return found.some((one) => compare(one, op, compValue, /externalId|^id$/i.test(filter.attrPath)));
    }
  }
}

function valuesAt(resource: Values, path: string): unknown[] {
  const lower = path.toLowerCase();
  const urn = [USER, ENTERPRISE].find((one) => lower.startsWith(`${one.toLowerCase()}:`));
  const start: unknown[] = urn === ENTERPRISE ? [resource[ENTERPRISE]] : [resource];
  const names = (urn === undefined ? path : path.slice(urn.length + 1)).split('.');
  return names.reduce<unknown[]>(
    (found, name) =>
      found.flat().flatMap((one) => {
        if (typeof one !== 'object' || one === null) return [];
        const value = Object.entries(one).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
        return value === undefined || value === '' ? [] : [value].flat();
      }),
    start,
  );
}

function compare(one: unknown, op: string, other: unknown, isExact: boolean): boolean {
  const text = (value: unknown) => (isExact ? String(value) : String(value).toLowerCase());
  const [a, b] = [text(one), text(other)];
  const results: Record<string, boolean> = {
    eq: a === b,
    ne: a !== b,
    co: a.includes(b),
    sw: a.startsWith(b),
    ew: a.endsWith(b),
    gt: Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0,
    ge: Buffer.compare(Buffer.from(a), Buffer.from(b)) >= 0,
    lt: Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0,
    le: Buffer.compare(Buffer.from(a), Buffer.from(b)) <= 0,
  };
  return results[op] ?? false;
}

const word = fc.constantFrom(
  'Ada',
  'ada',
  'a',
  'BOB',
  'c',
  'Éve',
  'Even',
  'work',
  'home',
  '+2',
  'x.example',
  '1',
  'Ext-1',
  'Readers',
  '',
);
const textPath = fc.constantFrom(
  ...['userName', 'TITLE', 'name.givenName', 'name.familyname', 'name.formatted', 'externalId', 'nickName'],
  ...[`${USER}:title`, `${ENTERPRISE}:department`, `${ENTERPRISE.toLowerCase()}:costCenter`, 'displayName'],
  ...['emails.value', 'emails', 'emails.type', 'phoneNumbers.value', 'phoneNumbers', 'groups.display'],
);
const comparison = (path: fc.Arbitrary<string>) =>
  fc
    .tuple(path, fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'EQ', 'Co'), word)
    .map(([name, op, value]) => `${name} ${op} ${JSON.stringify(value)}`);
const element = fc.oneof(
  comparison(fc.constantFrom('value', 'type', 'display')),
  fc.constantFrom('primary eq true', 'type pr', 'not (type eq "work")'),
);
const leaf = fc.oneof(
  comparison(textPath),
  fc.tuple(textPath, fc.constantFrom('pr', 'eq null', 'ne null')).map(([name, rest]) => `${name} ${rest}`),
  fc.constantFrom('active eq true', 'active ne true', 'active eq false', 'active pr', 'name pr'),
  fc
    .tuple(fc.constantFrom('emails', 'phoneNumbers'), element, element, fc.constantFrom('and', 'or'))
    .map(([name, one, other, by]) => `${name}[${one} ${by} ${other}]`),
);
const { filter: anyFilter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter'))
      .map(([a, by, b]) => `(${a}) ${by} ${b}`),
    tie('filter').map((one) => `not (${one})`),
  ),
}));

test('filters find what a reference evaluator finds', async () => {
  await fc.assert(
    fc.asyncProperty(anyFilter, async (filter) => {
      const { status, body } = await find(filter);
      expect({ status, detail: body.detail }, filter).toEqual({ status: 200, detail: undefined });
      const expected = users.filter((user) => holds(parse(filter), user));
      expect(idsOf(body.Resources), filter).toEqual(idsOf(expected));
      expect(body.totalResults).toBe(expected.length);
    }),
    { numRuns: 300 },
  );
});

describe('a filter', () => {
  test.each(['Bob"by', 'c\\d'])('finds %j as JSON escapes it', async (title) => {
    const { body } = await find(`title eq ${JSON.stringify(title)}`);
    expect(body.Resources.map((user: Values) => user.title)).toEqual(Array(4).fill(title));
  });

  test('compares times and ids', async () => {
    const [first] = users;
    const meta = first?.meta as { created: string; lastModified: string };
    expect((await find(`id eq "${String(first?.id).toUpperCase()}"`)).body.totalResults).toBe(1);
    expect((await find(`meta.created eq "${meta.created}"`)).body.totalResults).toBeGreaterThan(0);
    expect(
      (await find(`meta.lastModified lt "${meta.lastModified}" and id eq "${first?.id}"`)).body.totalResults,
    ).toBe(0);
    expect((await find('meta.created gt "2020-01-01T00:00:00Z"')).body.totalResults).toBe(users.length);
    expect((await find('meta.resourceType eq "Group"')).body.totalResults).toBe(0);
  });

  test.each([
    'userName',
    'userName eq',
    'userName eq ada',
    'shoeSize eq "1"',
    'userName eq "a" and',
    '(userName eq "a"',
    'active gt true',
    'active eq "perhaps"',
    'meta.created co "20"',
    'meta.created gt "yesterday"',
    'title[value eq "x"]',
    'emails[shoe eq "x"]',
    'name eq "x"',
    'userName gt null',
    '('.repeat(5000),
    `title eq "${'x'.repeat(9000)}"`,
    Array(200).fill('title eq "x"').join(' or '),
    Array(101).fill('title pr').join(' or '),
    Array(101).fill('active eq true').join(' and '),
    `emails[${Array(100).fill('type eq null').join(' or ')}]`,
    `${'not '.repeat(101)}(title pr)`,
    'not userName eq "x"',
    'not not (userName eq "x")',
    'emails[not type eq "work"]',
    'title pr and not title eq "x"',
    Array(21).fill('groups pr').join(' or '),
    `title eq "${'\\"'.repeat(4000)}`,
    'userName eq 5',
    'userName ne true',
    'emails[value eq 5]',
    'not (not userName eq "ada")',
  ])('is refused with invalidFilter: %.60s', async (filter) => {
    const answer = await scim('POST', '/Users/.search', { filter });
    expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidFilter', status: '400' } });
  });
});

describe('a filter within the limits', () => {
  test.each([
    'not (userName eq "not x")',
    'NOT  (title pr) and not(title eq "x")',
    Array(100).fill('title pr').join(' or '),
    Array(20).fill('groups pr').join(' or '),
    Array(20).fill('emails[type eq "work" and value pr]').join(' and '),
  ])('is evaluated: %.60s', async (filter) => {
    expect((await scim('POST', '/Users/.search', { filter })).status).toBe(200);
  });
});

test.runIf(inject('prepared').engine === 'postgres')('a search that takes too long is ended', async () => {
  const answer = await service.database.db.transaction().execute(async (tx) => {
    await sql`lock table person_group in access exclusive mode`.execute(tx);
    return scim('GET', '/Groups');
  });
  expect(answer).toMatchObject({ status: 400, body: { scimType: 'tooMany' } });
  expect((await scim('GET', '/Groups')).status).toBe(200);
});

describe('a list', () => {
  test('is paged by startIndex and count', async () => {
    const read = async (query: string) => (await scim('GET', `/Users?${query}`)).body;
    expect(await read('count=0')).toMatchObject({
      totalResults: users.length,
      itemsPerPage: 0,
      Resources: [],
    });
    expect(await read('count=-5')).toMatchObject({ itemsPerPage: 0 });
    const found: Values[] = [];
    for (let start = 1; start <= users.length; start += 7)
      found.push(...(await read(`startIndex=${start}&count=7`)).Resources);
    expect(found).toEqual(users);
    expect(await read('startIndex=0&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    expect((await read('count=100000')).itemsPerPage).toBe(users.length);
    expect((await scim('GET', '/Users?count=many')).status).toBe(400);
  });

  test.each(['userName', 'name.givenName', 'emails', 'active', 'meta.created', `${ENTERPRISE}:department`])(
    'is sorted by %s, in both directions',
    async (sortBy) => {
      const sorted = async (sortOrder: string): Promise<unknown[]> => {
        const { body } = await scim('POST', '/Users/.search', { sortBy, sortOrder, count: 200 });
        const keyOf = (user: Values) => {
          const [value] = valuesAt(user, sortBy);
          const plain = typeof value === 'object' && value !== null ? (value as Values).value : value;
          return plain === undefined ? undefined : String(plain).toLowerCase();
        };
        return body.Resources.map(keyOf);
      };
      const ascending = await sorted('ascending');
      const bytes = (text: unknown) => Buffer.from(String(text));
      const expected = [...ascending]
        .filter((key) => key !== undefined)
        .sort((a, b) => Buffer.compare(bytes(a), bytes(b)));
      const missing = ascending.filter((key) => key === undefined);
      expect(ascending).toEqual([...expected, ...missing]);
      expect(await sorted('descending')).toEqual([...missing, ...expected.reverse()]);
    },
  );

  test('of the root holds users and groups, and pages through both', async () => {
    const read = async (body: object) => (await scim('POST', '/.search', body)).body;
    const whole = await read({ count: 200 });
    expect(whole.totalResults).toBe(users.length + 1);
    expect(whole.Resources.at(-1)).toMatchObject({ displayName: 'Readers' });
    expect(
      (await read({ startIndex: users.length, count: 2 })).Resources.map(({ id }: Values) => id),
    ).toEqual([users.at(-1)?.id, whole.Resources.at(-1).id]);
    expect(await read({ filter: 'displayName eq "Readers"' })).toMatchObject({ totalResults: 1 });
    expect(await read({ filter: 'meta.resourceType eq "User"', attributes: ['id'] })).toMatchObject({
      totalResults: users.length,
      Resources: expect.arrayContaining([{ schemas: expect.any(Array), id: users[0]?.id }]),
    });
    expect((await scim('POST', '/.search', { filter: 'shoeSize pr' })).status).toBe(400);
  });
});
