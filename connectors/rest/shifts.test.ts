import type { Unseen } from '@gatehouse/connector';
import type { Answer, Reply } from '@gatehouse/connector/conformance';
import { describe, expect, test } from 'vitest';
import { openDefinition } from './test/server.ts';

const paginations = {
  page: 'by: page',
  offset: 'by: offset',
  'offset with a total': 'by: offset, total: response.total',
  cursor: 'by: cursor, param: after, next: response.next',
  link: 'by: link',
  url: 'by: url, next: response.next',
};

const definition = (list: string, members = '') => `
name: app
base_url: URL_OF_TEST/api
groups:
  team:
    name: Teams
    list: { get: /teams, items: response.items${members ? `, paginate: { ${members} }` : ''} }
    record: { id: item.id, name: item.id }
    members:
      get: /teams/{{ group.id }}
      items: response.items
      skip: 'has(item.device)'
      account: item.user
      group: item.team
      ${members ? `paginate: { ${members} }` : ''}
accounts:
  user:
    name: Users
    list:
      get: /users
      items: response.items
      skip: 'has(item.robot)'
      paginate: { ${list} }
    record: { id: item.id, username: item.id }
    actions:
      find: { get: /users, items: response.items, paginate: { ${list} }, id: item.id, key: item.id, for: account.username }
      create: [{ post: /users, capture: { id: response.id } }]
`;

/** Serves a page of a list by the parameter of any strategy: the place of its first item, or its number. */
function pageOf(url: URL, all: object[], size = 2): Reply {
  const { searchParams: query, pathname } = url;
  const from = query.has('page')
    ? (Number(query.get('page')) - 1) * size
    : Number(query.get('offset') ?? query.get('after') ?? query.get('at') ?? 0);
  const [next, link] = from + size < all.length ? [from + size, `${pathname}?at=${from + size}`] : [];
  const body = { items: all.slice(from, from + size), total: all.length };
  return {
    body: { ...body, next: url.searchParams.has('at') || !next ? link : next },
    headers: link ? { link: `<${link}>; rel="next"` } : {},
  };
}

const ids = (...all: string[]) => all.map((id) => ({ id }));
const users = (...all: string[]) => all.map((user) => ({ user }));

describe('a list of records reports that records may move between its pages', () => {
  test.each(Object.entries(paginations))('by %s', async (name, paginate) => {
    const byAddress = name === 'url';
    const answer = (people: object[]): Answer => {
      return (line, _nth, url) => {
        if (line !== 'GET /api/users') return { body: { items: [] } };
        const reply = pageOf(url, people);
        const { next } = reply.body as { next?: unknown };
        if (byAddress && typeof next === 'number')
          return { ...reply, body: { ...(reply.body as object), next: `/api/users?at=${next}` } };
        return reply;
      };
    };
    const several = await openDefinition(definition(paginate), answer(ids('1', '2', '3', '4')));
    expect((await several.list('user')).map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
    expect([...several.reports.shifts]).toEqual(['user']);
  });

  test('unless it is one page', async () => {
    const one = await openDefinition(definition('by: link'), (line, _nth, url) =>
      pageOf(url, line === 'GET /api/users' ? ids('1', '2') : []),
    );
    await one.list('user');
    expect([...one.reports.shifts]).toEqual([]);
  });
});

describe('a list of members on several pages', () => {
  const people = ids('a', 'b', 'c', 'd');
  /** Each reading of the members of the team has its own members: those from its second page on may differ. */
  const listing = async (...readings: [first: string[], then: string[]][]) => {
    let reading = -1;
    const opened = await openDefinition(definition('by: link', 'by: link'), (line, _nth, url) => {
      if (line === 'GET /api/users') return { body: { items: people } };
      if (line === 'GET /api/teams') return pageOf(url, ids('red'));
      if (!url.searchParams.has('at')) reading++;
      const [first, then] = readings[Math.min(reading, readings.length - 1)] ?? [[], []];
      return pageOf(url, users(...(url.searchParams.has('at') ? then : first)));
    });
    const work = opened.list('user').then((records) =>
      records
        .filter(({ memberships }) => (memberships as { team: object[] }).team.length > 0)
        .map(({ id }) => id)
        .join(''),
    );
    return { held: await work.catch((error: Error) => error.message), lines: opened.lines };
  };
  const all: [string[], string[]] = [
    ['a', 'b', 'c', 'd'],
    ['a', 'b', 'c', 'd'],
  ];
  const shifted: [string[], string[]] = [
    ['a', 'b', 'c', 'd'],
    ['b', 'c', 'd'],
  ];

  test('is read twice, and loses nobody who moved to an earlier page', async () => {
    expect(
      (
        await listing(shifted, [
          ['b', 'c', 'd'],
          ['b', 'c', 'd'],
        ])
      ).held,
    ).toBe('bcd');
  });

  test('costs each of its requests twice, and a list of one page only once', async () => {
    const { lines } = await listing(all);
    expect(lines.filter((line) => line === 'GET /api/teams/red')).toHaveLength(4);
    expect(lines.filter((line) => line !== 'GET /api/teams/red')).toEqual([
      'GET /api/teams',
      'GET /api/users',
    ]);
  });

  test('ends the listing if it never has the same members twice', async () => {
    const { held } = await listing(shifted, all, [
      ['a', 'b', 'd'],
      ['a', 'b', 'd'],
    ]);
    expect(held).toBe(
      "each reading of the members of 'red' had other items, so one may be missing; it changes while it is read, try again",
    );
  });
});

describe('the groups whose members are read', () => {
  const open = (groups: (nth: number) => string[]) => {
    let nth = 0;
    return openDefinition(definition('by: link', 'by: link'), (line, _nth, url) => {
      if (line === 'GET /api/users') return { body: { items: ids('a') } };
      if (line !== 'GET /api/teams') return { body: { items: users('a') } };
      return pageOf(url, ids(...groups(++nth)));
    });
  };
  const teamsOf = (records: object[]) =>
    (records[0] as { memberships: { team: { id: string }[] } }).memberships.team.map(({ id }) => id).join('');

  test('are not read again if their list just had the same ones', async () => {
    const { list, lines } = await open(() => ['1', '2', '3']);
    await list('team');
    expect(teamsOf(await list('user'))).toBe('123');
    expect(lines.filter((line) => line === 'GET /api/teams')).toHaveLength(4);
  });

  test('lose none that moved to an earlier page', async () => {
    // The third request is the first page of the accounts' reading.
    const { list } = await open((nth) => (nth < 4 ? ['1', '2', '3', '4'] : ['2', '3', '4']));
    await list('team');
    expect(teamsOf(await list('user'))).toBe('234');
  });
});

test('an account that moved to an earlier page is found before it is created a second time', async () => {
  const { tasks, system, context } = await openDefinition(definition('by: link'), (_line, nth, url) =>
    pageOf(url, nth === 1 ? ids('a', 'b', 'ada') : ids('b', 'ada')),
  );
  expect(await tasks.find?.(system, { id: 'ours', username: 'ada' }, context)).toBe('ada');
});

describe('a listing reports', () => {
  const listed = async (teams: Record<string, object[]>, people: object[]) => {
    const opened = await openDefinition(definition('by: link'), (line) => {
      if (line === 'GET /api/users') return { body: { items: people } };
      if (line === 'GET /api/teams') return { body: { items: ids(...Object.keys(teams)) } };
      return { body: { items: teams[line.replace('GET /api/teams/', '')] } };
    });
    await opened.list('user');
    return opened.reports.unseen;
  };
  const hidden = (id: string, rule: Unseen['rule'], count: number) => ({ slug: 'team', id, rule, count });
  const robot = { id: 'r1', robot: true };

  test.each<[string, Record<string, object[]>, object[], Unseen[]]>([
    ['nothing if it has all members', { red: users('a') }, ids('a'), []],
    ['members that no list has', { red: users('a', 'x', 'y') }, ids('a'), [hidden('red', 'foreign', 2)]],
    [
      'members whom the definition skips, and skipped accounts',
      { red: [{ device: 'd' }, { user: 'r1' }] },
      [{ id: 'a' }, robot],
      [hidden('red', 'filter', 2), { slug: 'user', rule: 'filter', count: 1 }],
    ],
    [
      'members who are written differently',
      { red: users('ANN') },
      ids('ann'),
      [hidden('red', 'unreadable', 1)],
    ],
    [
      'groups in groups that no list has, and what hides behind listed ones',
      { red: [{ team: 'gone' }, ...users('a')], all: [{ team: 'red' }, ...users('x')], one: users('a') },
      ids('a'),
      [hidden('red', 'unreadable', 1), hidden('all', 'unreadable', 1), hidden('all', 'foreign', 1)],
    ],
    [
      'a member once per group',
      { red: users('x'), all: [{ team: 'red' }, ...users('x')] },
      ids('a'),
      [hidden('red', 'foreign', 1), hidden('all', 'foreign', 1)],
    ],
  ])('%s', async (_, teams, people, unseen) => {
    expect(await listed(teams, people)).toEqual(unseen.map((each) => expect.objectContaining(each)));
  });
});
