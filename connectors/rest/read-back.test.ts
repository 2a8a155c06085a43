import type { Answer, Reply } from '@gatehouse/connector/conformance';
import { describe, expect, test } from 'vitest';
import { openDefinition, shipped } from './test/server.ts';

const page: Reply = { status: 404, text: '<!DOCTYPE html><h1>Not Found</h1>' };
const definition = `
name: app
base_url: URL_OF_TEST
limits: { settle: 0.05 }
who_am_i: { get: /me, id: response.id }
groups:
  team:
    name: Teams
    list: { get: /teams }
    record: { id: item.id, name: item.id }
    members: { get: '/teams/{{ group.id }}', account: item.user, group: item.team }
    add: [{ post: '/teams/{{ group.id }}/{{ account.id }}' }]
    remove: [{ delete: '/teams/{{ group.id }}/{{ account.id }}', already: [404] }]
  role:
    name: Roles
    list: { values: [admin] }
    record: { id: item, name: item }
licenses:
  plan:
    name: Plans
    list: { values: [pro] }
    record: { id: item, name: item }
accounts:
  user:
    name: Users
    list: { get: /users }
    joins:
      lock: { get: /locks, key: item.user }
    record:
      id: item.id
      username: item.name
      status: 'has(item.state) ? item.state : joined.lock != null ? "suspended" : "active"'
    read: { get: '/users/{{ account.id }}' }
    memberships:
      role: 'has(item.roles) ? item.roles : []'
    actions:
      delete: [{ delete: '/users/{{ account.id }}' }]
      suspend: [{ put: '/users/{{ account.id }}/lock', expect: status == 200 }]
      create:
        - post: /users
          body: { name: '{{ account.username }}' }
          capture: { id: response.id }
      find: { get: /users, id: item.id, key: item.name, for: account.username }
`;

const open = (answer: Answer) =>
  openDefinition(definition, (line, nth, url, body) => {
    const given = answer(line, nth, url, body);
    if (given) return given;
    if (line === 'GET /users/7') return { body: { id: 7, name: 'ada', state: 'active', roles: ['admin'] } };
    if (line === 'GET /teams/red') return { body: [{ user: 7 }] };
    if (line === 'GET /teams/all') return { body: [{ team: 'red' }] };
    return undefined;
  });
const none: Answer = () => undefined;
const wanting = (...entitlements: [string, string][]) => ({
  entitlements: entitlements.map(([slug, id]) => ({ slug, id })),
});

describe('an account that is read after a task', () => {
  test('needs one request for its state', async () => {
    const { get, lines } = await open(none);
    expect(await get('7', wanting())).toMatchObject({ id: '7', status: 'active' });
    expect(lines).toEqual(['GET /users/7']);
  });

  test('needs one more for each group, and none for what the account itself shows', async () => {
    const { get, lines } = await open(none);
    expect(await get('7', wanting(['team', 'red'], ['role', 'admin'], ['plan', 'pro']))).toMatchObject({
      memberships: { team: [{ id: 'red' }], role: [{ id: 'admin' }] },
      // Nothing in the definition says who has the plan.
      assignments: { plan: undefined },
    });
    expect(lines.filter((line) => !line.startsWith('GET /teams/red'))).toEqual(['GET /users/7']);
  });

  test('names the group through which it is in another one', async () => {
    const { get } = await open(none);
    const shown = await get('7', wanting(['team', 'all']));
    expect(shown?.memberships?.team).toEqual([{ id: 'all', via: { slug: 'team', id: 'red' } }]);
  });

  test('has unknown groups if one of them is not shown, because it may be hidden from the credentials', async () => {
    const { get } = await open(none);
    const shown = await get('7', wanting(['team', 'red'], ['team', 'gone']));
    expect(shown?.memberships).toEqual({ team: undefined });
  });

  test('needs no request for a group that the account itself shows, also if the group has a list of members', async () => {
    const both = definition.replace(
      "role: 'has",
      "team: 'has(item.teams) ? item.teams : []'\n      role: 'has",
    );
    const { get, lines } = await openDefinition(both, (line) => {
      if (line === 'GET /users/7') return { body: { id: 7, name: 'ada', state: 'active', teams: ['red'] } };
      return line === 'GET /teams/blue' ? { body: [] } : undefined;
    });
    const shown = await get('7', wanting(['team', 'red'], ['team', 'blue']));
    expect(shown?.memberships?.team).toEqual([{ id: 'red' }]);
    expect(lines).toEqual(['GET /users/7', 'GET /teams/blue']);
  });

  test('has the state of now, not that of a list from before the task', async () => {
    let locks: object[] = [];
    const { get } = await open((line) => {
      if (line === 'GET /users/7') return { body: { id: 7, name: 'ada' } };
      return line === 'GET /locks' ? { body: locks } : undefined;
    });
    expect(await get('7', wanting())).toMatchObject({ status: 'active' });
    locks = [{ user: 7 }];
    expect(await get('7', wanting())).toMatchObject({ status: 'suspended' });
  });

  test('is nobody else', async () => {
    const { get } = await open(() => ({ body: { id: 8, name: 'bob', state: 'active' } }));
    await expect(get('7', wanting())).rejects.toThrow('asked for the account 7, the application returned 8');
  });

  test('is null only if the application says so', async () => {
    expect(await (await open(() => ({ status: 404, body: {} }))).get('7', wanting())).toBeNull();
    const { get } = await open(() => page);
    await expect(get('7', wanting())).rejects.toThrow(
      /^GET .*\/users\/7 returned 404 with a page of HTML, which is not from the API; check base_url and the path$/,
    );
  });
});

describe('a page of HTML', () => {
  const failure = async (work: Promise<unknown> | undefined) =>
    (await work?.then(
      () => ({ code: 'none' }),
      (error: unknown) => error,
    )) as { code: string; message: string };

  test.each<[string, Reply]>([
    ['404', page],
    ['200', { text: '<html>Sign in</html>' }],
    ['405', { status: 405, text: '<html></html>' }],
  ])('with %s neither deletes an account nor removes a membership', async (status, reply) => {
    const { tasks, system, context } = await open((line) => (line.startsWith('DELETE') ? reply : undefined));
    const deleted = await failure(tasks.delete?.(system, { id: '7' }, context));
    expect(deleted).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(deleted.message).toContain(`returned ${status} with a page of HTML`);
    const changes = { team: { added: [], removed: [{ id: 'red' }] } };
    const update = tasks.update?.(system, { account: { id: '7' }, changes }, context);
    expect(await failure(update)).toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  test('does not mean that nobody was found', async () => {
    const { tasks, system, context } = await open(() => page);
    await expect(tasks.find?.(system, { id: 'x', username: 'ada' }, context)).rejects.toThrow(/page of HTML/);
  });

  test('with 403 is a missing permission', async () => {
    const { tasks, system, context } = await open(() => ({ status: 403, text: '<html></html>' }));
    expect(await failure(tasks.delete?.(system, { id: '7' }, context))).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });
});

test.each<[string, Reply, string]>([
  ['text', { status: 400, text: 'quota is used up' }, 'returned 400 (quota is used up)'],
  ['405', { status: 405 }, 'returned 405 (it does not support this method at this address)'],
])('a refusal keeps the words of the application (%s)', async (_, reply, message) => {
  const { tasks, system, context } = await open((line) => (line.startsWith('DELETE') ? reply : undefined));
  await expect(tasks.delete?.(system, { id: '7' }, context)).rejects.toThrow(message);
});

describe('the account of the credentials', () => {
  const users = [
    { id: 7, name: 'ada', state: 'active' },
    { id: 8, name: 'bot', state: 'active' },
  ];
  const listed = async (me: Reply) => {
    const { list, get, lines } = await open((line) => {
      if (line === 'GET /me') return me;
      if (line === 'GET /users') return { body: users };
      return line === 'GET /teams' || line === 'GET /locks' ? { body: [] } : undefined;
    });
    const own = (await list('user')).map(({ is_own }) => is_own === true);
    return { own, get, lines };
  };

  test('is marked in lists and when it is read', async () => {
    const { own, get, lines } = await listed({ body: { id: 7 } });
    expect(own).toEqual([true, false]);
    expect(await get('7')).toMatchObject({ is_own: true });
    expect(lines.filter((line) => line === 'GET /me')).toHaveLength(1);
  });

  test.each<[string, Reply]>([
    ['belong to no account', { body: { id: null } }],
    ['may not ask', { status: 403, body: {} }],
    ['are unknown', { status: 404, body: {} }],
  ])('is unknown if the credentials %s', async (_, me) => {
    expect((await listed(me)).own).toEqual([false, false]);
  });

  test('is unknown for a page of HTML, which ends the list', async () => {
    await expect(listed(page)).rejects.toThrow(/page of HTML/);
  });
});

describe('GitLab', () => {
  test('marks the user of the token', async () => {
    const user = { id: 7, username: 'ada', state: 'active' };
    const { list } = await openDefinition(
      shipped('gitlab', /\$\{URL\}/g),
      (line) => ({
        body:
          line === 'GET /api/v4/users' ? [user, { ...user, id: 8 }] : line === 'GET /api/v4/user' ? user : [],
      }),
      { settings: { TOKEN: 'x' } },
    );
    expect((await list('user')).map(({ id, is_own }) => [id, is_own === true])).toEqual([
      ['7', true],
      ['8', false],
    ]);
  });
});

describe('Zendesk', () => {
  const account = { id: 'ours', username: null, email: 'Ada@Example.com', first_name: 'Ada', last_name: 'L' };
  const endUser = { id: 7, email: 'ada@example.com', role: 'end-user', active: true, suspended: false };
  const zendesk = async (found: object[], role = 'agent') =>
    openDefinition(
      shipped('zendesk', /https:\/\/\$\{SUBDOMAIN\}\.zendesk\.com/g),
      (line) => {
        if (line === 'GET /api/v2/users/search') return { body: { users: found } };
        if (line === 'PUT /api/v2/users/7') return { body: { user: { ...endUser, role } } };
        if (line === 'GET /api/v2/users/7') return { body: { user: { ...endUser, role } } };
        return line === 'POST /api/v2/users' ? { status: 201, body: { user: { id: 9 } } } : undefined;
      },
      { settings: { SUBDOMAIN: 'x', EMAIL: 'x', API_TOKEN: 'x' } },
    );
  const sent = ({ requests }: Awaited<ReturnType<typeof zendesk>>) =>
    requests.filter(({ line }) => !line.startsWith('GET')).map(({ line, body }) => [line, JSON.parse(body)]);

  test('makes an end user an agent', async () => {
    const opened = await zendesk([endUser]);
    const { tasks, system, context } = opened;
    expect(await tasks.find?.(system, account, context)).toBeNull();
    expect(await tasks.create?.(system, { account, memberships: {} }, context)).toEqual({ id: '7' });
    expect(sent(opened)).toEqual([['PUT /api/v2/users/7', { user: { role: 'agent' } }]]);
  });

  test('fails if the end user does not become an agent', async () => {
    const { tasks, system, context } = await zendesk([endUser], 'end-user');
    await expect(tasks.create?.(system, { account, memberships: {} }, context)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
    });
  });

  test('creates somebody who is unknown, also if similar users are found', async () => {
    const opened = await zendesk([{ ...endUser, email: 'ada@example.com.org' }]);
    const { tasks, system, context } = opened;
    expect(await tasks.create?.(system, { account, memberships: {} }, context)).toEqual({ id: '9' });
    expect(sent(opened).map(([line]) => line)).toEqual(['POST /api/v2/users']);
  });

  test('finds an agent, who exists already', async () => {
    const { tasks, system, context } = await zendesk([{ ...endUser, role: 'agent' }]);
    expect(await tasks.find?.(system, account, context)).toBe('7');
  });

  test('does not show an end user as an agent', async () => {
    expect(await (await zendesk([], 'end-user')).get('7', wanting())).toBeNull();
    expect(await (await zendesk([], 'admin')).get('7', wanting())).toMatchObject({ id: '7' });
  });
});

test('Redmine shows the state of a user who is read without reading lists', async () => {
  const { get, lines } = await openDefinition(
    shipped('redmine', /\$\{\w*URL\w*\}/g),
    (line) =>
      line === 'GET /users/7.json'
        ? { body: { user: { id: 7, login: 'ada', firstname: 'A', lastname: 'L', status: 3, admin: false } } }
        : undefined,
    { settings: { API_KEY: 'x' } },
  );
  expect(await get('7', wanting())).toMatchObject({ status: 'suspended' });
  expect(lines).toEqual(['GET /users/7.json']);
});
