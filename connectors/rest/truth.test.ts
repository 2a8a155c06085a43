import type { Answer, Reply } from '@gatehouse/connector/conformance';
import { describe, expect, test } from 'vitest';
import { openDefinition as open } from './test/server.ts';

const definition = `
name: app
base_url: URL_OF_TEST
limits: { settle: 0.05 }
groups:
  team:
    name: Teams
    list: { values: [red] }
    record: { id: item, name: item }
    members: { get: '/teams/{{ group.id }}', account: item.user, group: item.team }
    add: [{ post: '/teams/{{ group.id }}/{{ account.id }}' }]
    remove: [{ delete: '/teams/{{ group.id }}/{{ account.id }}', already: [404] }]
accounts:
  user:
    name: Users
    list: { get: /users }
    record: { id: item.id, username: item.name }
    actions:
      find:
        get: /users
        query: { name: '{{ account.username }}' }
        paginate: { by: page }
        id: item.id
        key: item.name
        for: account.username
      create:
        - post: /users
          body: { name: '{{ account.username }}' }
          capture: { id: response.id }
      delete: [{ delete: '/users/{{ account.id }}' }]
      suspend: [{ put: '/users/{{ account.id }}/lock', expect: response.locked }]
      unsuspend:
        - get: /users/{{ account.id }}
          capture: { state: response.state }
        - delete: /users/{{ account.id }}/lock
          when: captured.state == "locked"
        - get: /users/{{ account.id }}
          expect: [{ that: response.state == "live", else: 'the user {{ account.id }} is {{ response.state }}' }]
`;
const ada = { id: 'ours', username: 'Ada' };
const messageOf = async (work: Promise<unknown> | undefined) =>
  (await work?.then(
    () => undefined,
    (error: Error) => error.message,
  )) ?? 'no error';

describe('find', () => {
  const find = async (...pages: object[][]) => {
    const { tasks, system, context } = await open(definition, (_line, _nth, url) => ({
      body: pages[Number(url.searchParams.get('page')) - 1] ?? [],
    }));
    return tasks.find?.(system, ada, context);
  };
  test.each<[string, object[][], string | null]>([
    ['finds the account in another case', [[{ id: 1, name: 'ADA' }]], '1'],
    ['finds nobody if a stranger is returned', [[{ id: 0, name: 'stranger' }]], null],
    ['finds nobody if a hit has no name', [[{ id: 0 }, { id: 2, name: null }]], null],
    ['finds the account behind strangers', [[{ id: 0, name: 'x' }], [{ id: 1, name: 'ada' }]], '1'],
  ])('%s', async (_, pages, id) => {
    expect(await find(...pages)).toBe(id);
  });

  test('fails if two accounts fit', async () => {
    const hits = [
      { id: 1, name: 'ada' },
      { id: 2, name: 'Ada' },
    ];
    await expect(find(hits)).rejects.toThrow('several accounts fit Ada: 1, 2');
  });

  test.each([null, undefined, ''])('asks nothing for the username %j', async (username) => {
    const { tasks, system, context, lines } = await open(definition, () => ({ body: [] }));
    const account = { id: 'ours', ...(username === undefined ? {} : { username }) };
    expect(await messageOf(tasks.find?.(system, account, context))).toMatch(
      /cannot be looked for: find.for is/,
    );
    expect(lines).toEqual([]);
  });
});

test.each([null, ''])('sends no query with the value %j', async (value) => {
  const text = definition.replace(
    '/users\n          body',
    "/users\n          query: { q: '{{ account.email }}' }\n          body",
  );
  const { tasks, system, context, lines } = await open(text, () => ({ status: 201, body: { id: 1 } }));
  const create = tasks.create?.(system, { account: { ...ada, email: value }, memberships: {} }, context);
  expect(await messageOf(create)).toMatch(/the parameter q of a request cannot be made: account.email is/);
  expect(lines).toEqual([]);
});

describe('a creation whose membership fails', () => {
  async function create(answer: Answer, isKnown?: (id: string) => boolean, text = definition) {
    const { tasks, system, context, lines } = await open(text, answer, isKnown ? { isKnown } : {});
    const memberships = { team: [{ id: 'red' }] };
    const made = tasks.create?.(system, { account: ada, memberships }, context);
    const error = await made?.then(
      () => undefined,
      (thrown: { code: string; message: string }) => thrown,
    );
    return { error, lines };
  }
  const replies =
    (all: Record<string, Reply>): Answer =>
    (line) =>
      all[line];
  const forbidden = { status: 403, body: { message: 'not your team' } };

  test('is undone if the application said that the account is new', async () => {
    const { error, lines } = await create(
      replies({
        'POST /users': { status: 201, body: { id: 7 } },
        'POST /teams/red/7': forbidden,
        'DELETE /users/7': {},
      }),
    );
    expect(lines.at(-1)).toBe('DELETE /users/7');
    expect(error?.code).toBe('PERMISSION_DENIED');
    expect(error?.message).not.toContain(';');
  });

  test.each<[string, number, ((id: string) => boolean) | undefined]>([
    ['the status is 200', 200, undefined],
    ['the last sync listed the account', 201, (id) => id === '7'],
  ])('keeps the account if %s', async (_, status, isKnown) => {
    const answer = replies({ 'POST /users': { status, body: { id: 7 } }, 'POST /teams/red/7': forbidden });
    const { error, lines } = await create(answer, isKnown);
    expect(lines).toEqual(['POST /users', 'POST /teams/red/7']);
    expect(error?.message).toMatch(/not your team.*; the account 7 stays, because it may be older/);
  });

  test('is undone with 200 if the definition says that this means a new account', async () => {
    const text = definition.replace(
      'capture: { id: response.id }',
      'created: [200]\n          capture: { id: response.id }',
    );
    const answer = replies({
      'POST /users': { body: { id: 7 } },
      'POST /teams/red/7': forbidden,
      'DELETE /users/7': {},
    });
    expect((await create(answer, undefined, text)).lines).toContain('DELETE /users/7');
  });

  test('names the first error and the account that is left behind', async () => {
    const { error } = await create(
      replies({
        'POST /users': { status: 201, body: { id: 7 } },
        'POST /teams/red/7': forbidden,
        'DELETE /users/7': { status: 405, body: { message: 'never' } },
      }),
    );
    expect(error?.code).toBe('PERMISSION_DENIED');
    expect(error?.message).toMatch(
      /not your team.*; the account 7 was created and could not be removed: .*never/,
    );
  });

  test('is repeated while the application does not know the account', async () => {
    const { error, lines } = await create((line, nth) => {
      if (line === 'POST /users') return { status: 201, body: { id: 7 } };
      return nth > 2 ? { status: 204 } : undefined;
    });
    expect(error).toBeUndefined();
    expect(lines).toEqual(['POST /users', ...Array(3).fill('POST /teams/red/7')]);
  });

  test('keeps the account if the application does not know it in time', async () => {
    const { error, lines } = await create(
      replies({ 'POST /users': { status: 201, body: { id: 7 } }, 'GET /teams/red': { body: [] } }),
    );
    expect(lines).not.toContain('DELETE /users/7');
    expect(error?.message).toMatch(/returned 404.*; the account 7 was created and stays/);
  });

  test('is undone if the group does not exist', async () => {
    const { lines } = await create(
      replies({ 'POST /users': { status: 201, body: { id: 7 } }, 'DELETE /users/7': {} }),
    );
    expect(lines.at(-1)).toBe('DELETE /users/7');
  });

  test('succeeds if the membership is there', async () => {
    const { error } = await create(
      replies({ 'POST /users': { status: 201, body: { id: 7 } }, 'GET /teams/red': { body: [{ user: 7 }] } }),
    );
    expect(error).toBeUndefined();
  });
});

describe('a state', () => {
  const user = (state: unknown) => ({ body: { id: 7, state, name: 'ada' } });

  test('that a response does not show fails the task', async () => {
    const { tasks, system, context } = await open(definition, () => ({ body: { locked: false } }));
    await expect(tasks.suspend?.(system, { id: '7' }, context)).rejects.toThrow(
      /not in the state that the task asks for: PUT .* does not show response.locked/,
    );
  });

  test('that is not reached fails the task with the sentence of the definition', async () => {
    const { tasks, system, context, lines } = await open(definition, () => user('archived'));
    await expect(tasks.unsuspend?.(system, { id: '7' }, context)).rejects.toThrow('the user 7 is archived');
    expect(lines).not.toContain('DELETE /users/7/lock');
  });

  test('that was reached before is a success', async () => {
    const { tasks, system, context } = await open(definition, () => user('live'));
    await tasks.unsuspend?.(system, { id: '7' }, context);
  });

  test('may be shown a moment later', async () => {
    const { tasks, system, context } = await open(definition, (line, nth) =>
      line.startsWith('GET') ? user(nth < 4 ? 'locked' : 'live') : {},
    );
    await tasks.unsuspend?.(system, { id: '7' }, context);
  });

  test('must be checked by the last step', async () => {
    const without = definition.replace(', expect: response.locked', '');
    await expect(open(without, () => undefined)).rejects.toThrow(
      /app.yml:\d+:\d+: the last step of suspend needs "expect"/,
    );
  });

  test('a delete whose steps do not apply fails', async () => {
    const text = definition.replace(
      "delete: [{ delete: '/users/{{ account.id }}' }]",
      "delete: [{ delete: '/users/{{ account.id }}', when: 'false' }]",
    );
    const { tasks, system, context } = await open(text, () => ({}));
    await expect(tasks.delete?.(system, { id: '7' }, context)).rejects.toThrow('no step of delete applies');
  });

  test('a condition that cannot be decided fails', async () => {
    const text = definition.replace('captured.state == "locked"', 'captured.isLocked');
    const { tasks, system, context } = await open(text, () => user('live'));
    await expect(tasks.unsuspend?.(system, { id: '7' }, context)).rejects.toThrow(
      'when is null, but must be',
    );
  });
});

describe('memberships', () => {
  const groups = `
name: app
base_url: URL_OF_TEST
groups:
  team:
    name: Teams
    list: { values: [all, sub, deep] }
    record: { id: item, name: item }
    members: { get: '/teams/{{ group.id }}', account: item.user, group: item.team }
    remove: [{ delete: '/teams/{{ group.id }}/{{ account.id }}', already: [404] }]
accounts:
  user:
    name: Users
    list: { get: /users }
    record: { id: item.id, username: item.name }
    memberships: { }
`;
  const teams: Record<string, object[]> = {
    all: [{ team: 'sub' }, { user: 2 }],
    sub: [{ team: 'deep' }, { user: 1 }, { user: 2 }],
    deep: [{ team: 'all' }, { user: 3 }],
  };
  const answer: Answer = (line) => {
    if (line === 'GET /users') return { body: [1, 2, 3].map((id) => ({ id, name: `u${id}` })) };
    const members = teams[line.replace('GET /teams/', '')];
    return members && { body: members };
  };

  test('through a group in the group name that group', async () => {
    const { list } = await open(groups, answer);
    const held = (await list('user')).map(({ memberships }) => (memberships as { team: object[] }).team);
    const via = (id: string, giver?: string) => ({
      id,
      name: id,
      ...(giver ? { via: { slug: 'team', id: giver } } : {}),
    });
    expect(held).toEqual([
      [via('all', 'sub'), via('sub'), via('deep', 'all')],
      [via('all'), via('sub'), via('deep', 'all')],
      [via('all', 'sub'), via('sub', 'deep'), via('deep')],
    ]);
  });

  test('through a group in the group cannot be removed', async () => {
    const { tasks, system, context } = await open(groups, answer);
    const changes = { team: { added: [], removed: [{ id: 'all' }] } };
    await expect(tasks.update?.(system, { account: { id: '3' }, changes }, context)).rejects.toThrow(
      'the account 3 is in the group all through the group deep; remove it from that group instead',
    );
  });

  test.each([
    ['is missing', {}],
    ['is null', { teams: null }],
    ['is not a list', { teams: 'all' }],
  ])('that are a list which %s are not an empty list', async (_, fields) => {
    const text = groups
      .replace('memberships: { }', 'memberships: { team: item.teams }')
      .replace(/ {4}members: .*\n/, '');
    const { list, skipped } = await open(text, () => ({ body: [{ id: 1, name: 'ada', ...fields }] }));
    expect(await list('user')).toEqual([]);
    expect(skipped).toEqual([expect.stringMatching(/^1: team is .*, but must be a list/)]);
  });
});

test.each([
  ['item.slug', true],
  ['item.profile.email', true],
  ['item.userPrincipalName', true],
  ['item["login"]', true],
  ['item.id', false],
  ['item.groupId', false],
])('warns of the id %s: %s', async (id, isWarned) => {
  const { warnings } = await open(
    definition.replace('record: { id: item.id', `record: { id: '${id}'`),
    () => undefined,
  );
  expect(warnings).toHaveLength(isWarned ? 1 : 0);
  if (isWarned) expect(warnings[0]).toMatch(/^app.yml:\d+:\d+: the id .* looks like a name/);
});

describe('members on several pages', () => {
  const paged = definition.replace('account: item.user,', 'account: item.user, paginate: { by: page },');
  const users = { body: ['a', 'b', 'c'].map((id) => ({ id, name: id })) };
  /** Lists how many teams each user has. Each reading of the members gets its own pages, and later ones those of the last. */
  const listChanging = async (...readings: string[][][]) => {
    let reading = -1;
    const opened = await open(paged, (line, _nth, url) => {
      if (line === 'GET /users') return users;
      const page = Number(url.searchParams.get('page'));
      if (page === 1) reading++;
      const pages = readings[Math.min(reading, readings.length - 1)] ?? [];
      return { body: (pages[page - 1] ?? []).map((user) => ({ user, team: null })) };
    });
    return (await opened.list('user')).map(
      ({ memberships }) => (memberships as { team: object[] }).team.length,
    );
  };
  const list = (...pages: string[][]) => listChanging(pages);

  test('are read from all of them', async () => {
    expect(await list(['a', 'b'], ['c'])).toEqual([1, 1, 1]);
  });

  test('may contain an equal one twice', async () => {
    expect(await list(['a', 'b'], ['b', 'c'])).toEqual([1, 1, 1]);
    expect(await list(['a', 'b'], ['b'])).toEqual([1, 1, 0]);
  });

  test('are read again if a page repeats one, since another one may have been missing', async () => {
    expect(await listChanging([['a', 'b'], ['b']], [['a', 'b'], ['c']])).toEqual([1, 1, 1]);
  });

  test('end the listing if a page repeats one of them, and another one the next time', async () => {
    await expect(listChanging([['a', 'b'], ['b']], [['a', 'b'], ['a']])).rejects.toThrow(
      /each reading of the members of 'red' had other items/,
    );
  });

  test('end the listing if the application ignores the number of the page', async () => {
    await expect(
      listChanging([
        ['a', 'b'],
        ['a', 'b'],
      ]),
    ).rejects.toThrow(/returned the same page twice/);
  });
});
