import { describe, expect, test } from 'vitest';
import { DomainError } from '#kit/errors.ts';
import { parsePage, type RecordKind, type RecordPage, requireKnownSlugs } from './record.ts';

const NUL = '\0';
const SMILE = '😀';
const many = <T>(count: number, one: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => one(n));
const accounts = (count: number) => many(count, (n) => ({ id: `a${n}`, email: 'a@x.example' }));
const groups = (count: number) => many(count, (n) => ({ id: `g${n}`, name: 'G' }));
const refs = (count: number) => many(count, (n) => ({ id: `g${n}` }));
const account = (more: object) => ({ records: [{ id: 'a', email: 'a@x.example', ...more }] });
const group = (more: object) => ({ records: [{ id: 'g', name: 'G', ...more }] });
/** Parsed as in production: `__proto__` is a field like any other in JSON. */
const json = (text: string) => JSON.parse(text) as unknown;

function refusal(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

const refused = (kind: RecordKind, body: unknown) => {
  const { code, message, issues } = refusal(() => parsePage('slug', kind, body));
  return { code, message, issues };
};

/** Returns the records of a page in the form in which they are staged. */
const staged = (kind: RecordKind, body: unknown) => JSON.parse(parsePage('slug', kind, body).records);

describe('rejects a page with the texts of protocol 7.2', () => {
  const STRING = 'Input should be a valid string';
  const OBJECT = 'Input should be a valid object';
  const LIST = 'Input should be a valid list';
  const INTEGER = 'Input should be a valid integer';
  const BOOLEAN = 'Input should be a valid boolean';
  const REQUIRED = 'Field required';
  const UNICODE = 'String should be Unicode text without NUL characters';
  const TIME = 'Input should be a valid date-time';
  const EMAIL = 'Input should be a valid email address';
  const LONG = 'String should have at most 512 characters';
  const TOO_MANY = 'List should have at most 100 items after validation, not 101';

  test.each<[what: string, kind: RecordKind, body: unknown, detail: string]>([
    ['no body', 'account', undefined, `${OBJECT} (body)`],
    ['null', 'account', null, `${OBJECT} (body)`],
    ['a list', 'account', [], `${OBJECT} (body)`],
    ['text', 'account', 'records', `${OBJECT} (body)`],
    ['a number', 'account', 7, `${OBJECT} (body)`],
    ['no records', 'group', {}, `${REQUIRED} (records)`],
    ['records null', 'group', { records: null }, `${REQUIRED} (records)`],
    ['records ""', 'group', { records: '' }, `${REQUIRED} (records)`],
    ['records an object', 'group', { records: { 0: { id: 'g' } } }, `${LIST} (records)`],
    ['records text', 'license', { records: 'all' }, `${LIST} (records)`],
    ['101 accounts', 'account', { records: accounts(101) }, `${TOO_MANY} (records)`],
    ['101 groups', 'group', { records: groups(101) }, `${TOO_MANY} (records)`],
    ['101 licenses', 'license', { records: groups(101) }, `${TOO_MANY} (records)`],
    [
      'a sign-in that is not a time',
      'account',
      account({ last_sign_in_at: 'yesterday' }),
      `${TIME} (records[0].last_sign_in_at)`,
    ],
    [
      'a sign-in on 30 February',
      'account',
      account({ last_sign_in_at: '2026-02-30' }),
      `${TIME} (records[0].last_sign_in_at)`,
    ],
    [
      'a sign-in that is a number',
      'account',
      account({ last_sign_in_at: 7 }),
      `${STRING} (records[0].last_sign_in_at)`,
    ],
    ['an owner without @', 'account', account({ owner: 'ann' }), `${EMAIL} (records[0].owner)`],
    ['an owner of a group without @', 'group', group({ owner: 'ann' }), `${EMAIL} (records[0].owner)`],
    ['attributes as a list', 'account', account({ attributes: [] }), `${OBJECT} (records[0].attributes)`],
    [
      '51 attributes',
      'account',
      account({ attributes: Object.fromEntries(many(51, (n) => [`a${n}`, n])) }),
      'Input should have at most 50 attributes, not 51 (records[0].attributes)',
    ],
    [
      'an attribute that is an object',
      'account',
      account({ attributes: { place: {} } }),
      'Input should be a string, a number, true or false (records[0].attributes.place)',
    ],
    [
      'a long attribute name',
      'account',
      account({ attributes: { ['a'.repeat(101)]: 1 } }),
      'Input should have attribute names of 1 to 100 characters (records[0].attributes)',
    ],
    [
      'a long attribute',
      'account',
      account({ attributes: { a: 'a'.repeat(513) } }),
      `${LONG} (records[0].attributes.a)`,
    ],
    [
      'NUL in an attribute',
      'account',
      account({ attributes: { a: NUL } }),
      `${UNICODE} (records[0].attributes.a)`,
    ],
    [
      'NUL in the name of an attribute',
      'account',
      account({ attributes: { [NUL]: 1 } }),
      `${UNICODE} (records[0].attributes)`,
    ],
    [
      'an unknown risk',
      'group',
      group({ risk: 'HIGH' }),
      'Input should be one of: low, medium, high (records[0].risk)',
    ],
    ['a risk that is a number', 'group', group({ risk: 3 }), `${STRING} (records[0].risk)`],
    ['a record that is null', 'group', { records: [null] }, `${OBJECT} (records[0])`],
    ['a record that is a list', 'account', { records: [[]] }, `${OBJECT} (records[0])`],
    ['a record that is text', 'license', { records: ['l'] }, `${OBJECT} (records[0])`],

    ['an account without id', 'account', { records: [{ email: 'a@x' }] }, `${REQUIRED} (records[0].id)`],
    ['a group without id', 'group', { records: [{ name: 'G' }] }, `${REQUIRED} (records[0].id)`],
    ['id null', 'group', group({ id: null }), `${REQUIRED} (records[0].id)`],
    ['id ""', 'account', account({ id: '' }), `${REQUIRED} (records[0].id)`],
    ['a group without name', 'group', { records: [{ id: 'g' }] }, `${REQUIRED} (records[0].name)`],
    ['a license without name', 'license', { records: [{ id: 'l' }] }, `${REQUIRED} (records[0].name)`],
    ['name ""', 'license', group({ name: '' }), `${REQUIRED} (records[0].name)`],
    ['neither email nor username', 'account', { records: [{ id: 'a' }] }, `${REQUIRED} (records[0].email)`],
    [
      'email "" and username null',
      'account',
      account({ email: '', username: null }),
      `${REQUIRED} (records[0].email)`,
    ],
    ['the fourth record', 'group', { records: [...groups(3), { id: 'x' }] }, `${REQUIRED} (records[3].name)`],

    ['id a number', 'account', account({ id: 7 }), `${STRING} (records[0].id)`],
    ['id a boolean', 'group', group({ id: true }), `${STRING} (records[0].id)`],
    ['id an object', 'license', group({ id: {} }), `${STRING} (records[0].id)`],
    ['email a list', 'account', account({ email: ['a@x'] }), `${STRING} (records[0].email)`],
    ['email 0', 'account', account({ email: 0 }), `${STRING} (records[0].email)`],
    ['username a number', 'account', account({ username: 1 }), `${STRING} (records[0].username)`],
    ['first_name false', 'account', account({ first_name: false }), `${STRING} (records[0].first_name)`],
    ['last_name an object', 'account', account({ last_name: {} }), `${STRING} (records[0].last_name)`],
    ['display_name a list', 'account', account({ display_name: [] }), `${STRING} (records[0].display_name)`],
    ['name a number', 'group', group({ name: 1 }), `${STRING} (records[0].name)`],
    ['description a number', 'license', group({ description: 1 }), `${STRING} (records[0].description)`],

    ['status a number', 'account', account({ status: 1 }), `${STRING} (records[0].status)`],
    [
      'an unknown status',
      'account',
      account({ status: 'ACTIVE' }),
      "Input should be 'active', 'inactive' or 'suspended' (records[0].status)",
    ],
    [
      'a status that is a property of every object',
      'account',
      account({ status: 'constructor' }),
      "Input should be 'active', 'inactive' or 'suspended' (records[0].status)",
    ],

    ['max_count text', 'license', group({ max_count: '5' }), `${INTEGER} (records[0].max_count)`],
    ['max_count a fraction', 'license', group({ max_count: 1.5 }), `${INTEGER} (records[0].max_count)`],
    ['max_count negative', 'license', group({ max_count: -1 }), `${INTEGER} (records[0].max_count)`],
    [
      'an infinite max_count',
      'license',
      json('{"records":[{"id":"l","name":"L","max_count":1e999}]}'),
      `${INTEGER} (records[0].max_count)`,
    ],
    ['max_count beyond 2^53', 'license', group({ max_count: 2 ** 53 }), `${INTEGER} (records[0].max_count)`],
    ['used_count a boolean', 'license', group({ used_count: true }), `${INTEGER} (records[0].used_count)`],
    ['used_count a list', 'license', group({ used_count: [] }), `${INTEGER} (records[0].used_count)`],
    ['is_paid a number', 'license', group({ is_paid: 1 }), `${BOOLEAN} (records[0].is_paid)`],
    ['is_unlimited text', 'license', group({ is_unlimited: 'true' }), `${BOOLEAN} (records[0].is_unlimited)`],

    ['memberships a list', 'account', account({ memberships: [] }), `${OBJECT} (records[0].memberships)`],
    ['assignments text', 'account', account({ assignments: 'all' }), `${OBJECT} (records[0].assignments)`],
    [
      'refs that are an object',
      'account',
      account({ memberships: { team: { id: 'g' } } }),
      `${LIST} (records[0].memberships.team)`,
    ],
    [
      'a ref that is text',
      'account',
      account({ memberships: { team: [{ id: 'g' }, 'h'] } }),
      `${OBJECT} (records[0].memberships.team[1])`,
    ],
    [
      'a ref that is null',
      'account',
      account({ assignments: { seat: [null] } }),
      `${OBJECT} (records[0].assignments.seat[0])`,
    ],
    [
      'a ref without id',
      'account',
      account({ memberships: { team: [{ name: 'G' }] } }),
      `${REQUIRED} (records[0].memberships.team[0].id)`,
    ],
    [
      "a ref's id a number",
      'account',
      account({ assignments: { seat: [{ id: 1 }] } }),
      `${STRING} (records[0].assignments.seat[0].id)`,
    ],
    [
      "a ref's name a number",
      'account',
      account({ memberships: { team: [{ id: 'g', name: 1 }] } }),
      `${STRING} (records[0].memberships.team[0].name)`,
    ],
    [
      '101 refs to groups',
      'account',
      account({ memberships: { team: refs(101) } }),
      "memberships['team'] has 101 refs, max is 100. (records[0])",
    ],
    [
      '250 refs to licenses',
      'account',
      { records: [...accounts(2), { id: 'x', email: 'x@x', assignments: { seat: refs(250) } }] },
      "assignments['seat'] has 250 refs, max is 100. (records[2])",
    ],

    ['NUL in an id', 'group', group({ id: `g${NUL}` }), `${UNICODE} (records[0].id)`],
    ['NUL in a name', 'group', group({ name: NUL }), `${UNICODE} (records[0].name)`],
    ['NUL in a description', 'group', group({ description: NUL }), `${UNICODE} (records[0].description)`],
    ['NUL in an email', 'account', account({ email: `a${NUL}@x` }), `${UNICODE} (records[0].email)`],
    ['a lone high surrogate', 'account', account({ id: 'a\ud83d' }), `${UNICODE} (records[0].id)`],
    ['a lone low surrogate', 'account', account({ username: '\ude00a' }), `${UNICODE} (records[0].username)`],
    ['surrogates the wrong way', 'group', group({ name: '\ude00\ud83d' }), `${UNICODE} (records[0].name)`],
    [
      "NUL in a ref's id",
      'account',
      account({ memberships: { team: [{ id: NUL }] } }),
      `${UNICODE} (records[0].memberships.team[0].id)`,
    ],
    [
      "a lone surrogate in a ref's name",
      'account',
      account({ memberships: { team: [{ id: 'g', name: '\ud800' }] } }),
      `${UNICODE} (records[0].memberships.team[0].name)`,
    ],

    ['an id of 513', 'group', group({ id: 'x'.repeat(513) }), `${LONG} (records[0].id)`],
    [
      'an id of 513 characters beyond the basic plane',
      'account',
      account({ id: SMILE.repeat(513) }),
      `${LONG} (records[0].id)`,
    ],
    ['a name of 513', 'license', group({ name: 'x'.repeat(513) }), `${LONG} (records[0].name)`],
    ['a name of millions', 'group', group({ name: SMILE.repeat(5_000_000) }), `${LONG} (records[0].name)`],
    ['an email of 513', 'account', account({ email: 'x'.repeat(513) }), `${LONG} (records[0].email)`],
    [
      "a ref's id of 513",
      'account',
      account({ memberships: { team: [{ id: 'x'.repeat(513) }] } }),
      `${LONG} (records[0].memberships.team[0].id)`,
    ],
  ])('%s', (_what, kind, body, detail) => {
    const { code, message, issues } = refused(kind, body);

    expect({ code, message }).toEqual({ code: 'invalid', message: detail });
    expect(`${issues?.[0]?.message} (${issues?.[0]?.path})`).toBe(detail);
  });

  test('the same id twice in a page', () => {
    for (const kind of ['account', 'group', 'license'] as const) {
      const one = kind === 'account' ? accounts(2) : groups(2);
      expect(refused(kind, { records: [...one, one[0]] })).toMatchObject({
        code: 'unprocessable',
        message: "Sync failed for 'slug': a record with the same identifier already exists",
      });
    }
  });

  test.each<[relation: string, slug: string, word: string]>([
    ['memberships', 'squad', "Record 'a': unknown membership slug 'squad'"],
    ['assignments', 'desk', "Record 'a': unknown assignment slug 'desk'"],
    ['memberships', 'seat', "Record 'a': unknown membership slug 'seat'"],
    ['assignments', 'team', "Record 'a': unknown assignment slug 'team'"],
    ['memberships', 'person', "Record 'a': unknown membership slug 'person'"],
    ['memberships', '__proto__', "Record 'a': unknown membership slug '__proto__'"],
    ['assignments', 'constructor', "Record 'a': unknown assignment slug 'constructor'"],
    ['memberships', 'Team', "Record 'a': unknown membership slug 'Team'"],
    ['memberships', '', "Record 'a': unknown membership slug ''"],
  ])('%s of %s', (relation, slug, detail) => {
    for (const list of ['[{"id":"g"}]', '[]', 'null']) {
      const page = parsePage(
        'person',
        'account',
        json(`{"records":[{"id":"a","email":"a@x","${relation}":{"${slug}":${list}}}]}`),
      );

      expect(refusal(() => requireKnownSlugs(page, isKnown))).toMatchObject({
        code: 'unprocessable',
        message: detail,
      });
    }
  });
});

const isKnown = (slug: string, kind: RecordKind) =>
  new Map<string, RecordKind>([
    ['person', 'account'],
    ['team', 'group'],
    ['seat', 'license'],
  ]).get(slug) === kind;

describe('reported issues', () => {
  test('name the first twenty places', () => {
    const { issues, message } = refused('group', { records: many(30, (n) => ({ id: n })) });

    expect(issues).toHaveLength(20);
    expect(message).toBe('Input should be a valid string (records[0].id)');
    expect(issues?.slice(0, 3)).toEqual([
      { path: 'records[0].id', code: 'string_type', message: 'Input should be a valid string' },
      { path: 'records[0].name', code: 'missing', message: 'Field required' },
      { path: 'records[1].id', code: 'string_type', message: 'Input should be a valid string' },
    ]);
  });

  test('follow the order of D19: limits, fields, duplicate ids, slugs', () => {
    const wrong = { id: 1, email: 'a@x', memberships: { nowhere: [{ id: 'g' }] } };
    const twice = { ...wrong, id: 'a' };

    const tooManyRecords = { records: [...accounts(100), wrong] };
    const tooManyRefs = { records: [wrong, { ...twice, memberships: { team: refs(101) } }] };
    const fields = { records: [wrong, twice, twice] };
    const ids = { records: [twice, twice] };

    expect(refused('account', tooManyRecords).message).toContain('at most 100 items');
    expect(refused('account', tooManyRefs).message).toContain('has 101 refs');
    expect(refused('account', fields).message).toContain('valid string (records[0].id)');
    expect(refused('account', ids).message).toContain('same identifier');
    const last = parsePage('person', 'account', { records: [twice] });
    expect(refusal(() => requireKnownSlugs(last, isKnown)).message).toContain(
      "unknown membership slug 'nowhere'",
    );
  });

  test('name memberships before assignments, and the first record with an unknown slug', () => {
    const page = parsePage('person', 'account', {
      records: [
        { id: 'a', email: 'a@x', assignments: { nowhere: [] } },
        { id: 'b', email: 'b@x', memberships: { nobody: [] } },
        { id: 'c', email: 'c@x', memberships: { nobody: [] } },
      ],
    });

    expect(refusal(() => requireKnownSlugs(page, isKnown)).message).toBe(
      "Record 'b': unknown membership slug 'nobody'",
    );
  });
});

describe('accepts a page', () => {
  test('without records', () => {
    for (const kind of ['account', 'group', 'license'] as const) {
      expect(parsePage('slug', kind, { records: [] })).toMatchObject({ ids: [], records: '[]' });
    }
  });

  test('with 100 records of 100 refs for each slug', () => {
    const full = accounts(100).map((one) => ({
      ...one,
      memberships: { team: refs(100), channel: refs(100) },
    }));

    const page = parsePage('slug', 'account', { records: full });

    expect(page.ids).toHaveLength(100);
    expect(page.refs.ids).toHaveLength(20_000);
  });

  test('and keeps the known fields of accounts; null and "" count as absent', () => {
    expect(
      staged('account', {
        records: [
          {
            id: 'a',
            username: 'u',
            email: null,
            first_name: '',
            last_name: 'L',
            display_name: 'D',
            color: 'red',
          },
          { id: 'b', email: 'b@x', username: '', status: '', memberships: null, assignments: '' },
        ],
        more: 1,
      }),
    ).toEqual([
      { id: 'a', username: 'u', last_name: 'L', display_name: 'D', status: 'ACTIVE' },
      { id: 'b', email: 'b@x', status: 'ACTIVE' },
    ]);
  });

  test('and keeps the known fields of groups and licenses', () => {
    const fields = {
      description: 'D',
      max_count: 0,
      used_count: 2 ** 53 - 1,
      is_paid: false,
      is_unlimited: true,
    };

    expect(staged('license', group(fields))).toEqual([{ id: 'g', name: 'G', ...fields }]);
    expect(staged('group', group({ ...fields, max_count: 'any' }))).toEqual([
      { id: 'g', name: 'G', description: 'D' },
    ]);
    expect(
      staged('license', group({ max_count: null, used_count: '', is_paid: null, is_unlimited: '' })),
    ).toEqual([{ id: 'g', name: 'G' }]);
  });

  test.each([
    ['active', 'ACTIVE'],
    ['inactive', 'INACTIVE'],
    ['suspended', 'SUSPENDED'],
    [null, 'ACTIVE'],
    [undefined, 'ACTIVE'],
  ])('and maps the status %s to %s (D25)', (status, expected) => {
    expect(staged('account', account({ status }))[0].status).toBe(expected);
  });

  test.each([
    ['512 characters', 'x'.repeat(512)],
    ['512 characters beyond the plane', SMILE.repeat(512)],
    ['one space', ' '],
    ['a text that reads as a path', '../../etc/passwd'],
    ['quotes and backslashes', `'"\\\u2028`],
    ['joined characters', '👩‍👩‍👧'],
    ['the same letter in another form', 'e\u0301'],
    ['right to left', '\u202eabc'],
    ['noncharacters', '\uffff\ufffe'],
    ['control characters', '\u0001\u007f\u0085'],
    ['a word that every object has', 'constructor'],
  ])('and keeps an id of %s unchanged', (_what, id) => {
    expect(parsePage('slug', 'group', { records: [{ id, name: id }] }).ids).toEqual([id]);
    expect(staged('group', { records: [{ id, name: id }] })).toEqual([{ id, name: id }]);
    expect(parsePage('slug', 'account', account({ memberships: { team: [{ id, name: id }] } })).refs).toEqual(
      {
        records: [1],
        types: ['team'],
        ids: [id],
        names: [id],
        viaTypes: [null],
        viaIds: [null],
      },
    );
  });

  test('with ids that differ only in case, Unicode form or spaces', () => {
    const ids = ['é', 'e\u0301', 'E\u0301', ' é', 'é '];

    expect(parsePage('slug', 'group', { records: ids.map((id) => ({ id, name: id })) }).ids).toEqual(ids);
  });

  test('with a description of any length', () => {
    expect(staged('group', group({ description: 'x'.repeat(100_000) }))[0].description).toHaveLength(100_000);
  });

  test('and ignores fields named like prototypes', () => {
    const body = json(
      '{"records":[{"id":"a","email":"a@x","__proto__":{"username":"root","status":"suspended"}}]}',
    );

    expect(staged('account', body)).toEqual([{ id: 'a', email: 'a@x', status: 'ACTIVE' }]);
    expect(refused('account', json('{"records":[{"__proto__":{"id":"a","email":"a@x"}}]}')).message).toBe(
      'Field required (records[0].id)',
    );
    expect(refused('group', json('{"__proto__":{"records":[]}}')).message).toBe('Field required (records)');
  });

  test('with deeply nested unknown fields', () => {
    const deep = json(
      `{"records":[{"id":"g","name":"G","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`,
    );

    expect(staged('group', deep)).toEqual([{ id: 'g', name: 'G' }]);
  });

  test('and keeps each reference once, with the number of its account', () => {
    const page: RecordPage = parsePage('slug', 'account', {
      records: [
        { id: 'a', email: 'a@x' },
        {
          id: 'b',
          email: 'b@x',
          memberships: {
            team: [
              { id: 'g', name: 'G' },
              { id: 'g' },
              { id: 'h', name: '', via: { slug: 'team', id: 'g' } },
            ],
          },
        },
        { id: 'c', email: 'c@x', memberships: { team: [{ id: 'g' }] }, assignments: { seat: [{ id: 'g' }] } },
      ],
    });

    expect(page.refs).toEqual({
      records: [2, 2, 3, 3],
      types: ['team', 'team', 'team', 'seat'],
      ids: ['g', 'h', 'g', 'g'],
      names: ['G', null, null, null],
      viaTypes: [null, 'team', null, null],
      viaIds: [null, 'g', null, null],
    });
  });
});

test.each(['<ops@x.example>', 'ops@x.example.', 'Ops:all@x.example', `${'o'.repeat(65)}@x.example`])(
  'an owner that is not a valid email does not reject the page: %s',
  (owner) => {
    const [detail] = parsePage('slug', 'account', account({ owner })).details.texts;
    expect(JSON.parse(detail ?? '')).toEqual({ owner_email: owner });
    expect(staged('group', group({ owner }))).toMatchObject([{ owner_email: owner }]);
  },
);

describe('details (D54)', () => {
  const detail = (more: object) => parsePage('slug', 'account', account(more)).details;

  test('are left out if no account has any', () => {
    expect(detail({ last_sign_in_at: null, owner: '', attributes: { a: null } })).toEqual({
      texts: [],
      digests: [],
    });
  });

  test('are the same for two ways to write them, and do not change the digest of the account', () => {
    const one = { last_sign_in_at: '2026-05-01T10:00:00+02:00', attributes: { a: 1, b: true } };
    const other = { last_sign_in_at: '2026-05-01 08:00', attributes: { b: true, c: '', a: 1 } };
    expect(detail(one)).toEqual(detail(other));
    expect(detail({ ...one, owner: 'a@x.example' }).digests).not.toEqual(detail(one).digests);
    expect(parsePage('slug', 'account', account(one)).digests).toEqual(
      parsePage('slug', 'account', account({})).digests,
    );
  });

  test('keep an attribute named __proto__', () => {
    const body = json('{"records":[{"id":"a","email":"a@x.example","attributes":{"__proto__":"p"}}]}');
    expect(parsePage('slug', 'account', body).details.texts).toEqual(['{"attributes":{"__proto__":"p"}}']);
  });
});
