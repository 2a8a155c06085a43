import { type Ref, silent, type TaskContext } from '@gatehouse/connector';
import { type Answer, type Reply, startScriptedServer } from '@gatehouse/connector/conformance';
import { afterEach, describe, expect, test } from 'vitest';
import { call, meaningOf, type Scim } from './client.ts';
import { connector } from './connector.ts';
import { setActive, updateUser } from './tasks.ts';
import { type Account, findUser, listUsers, readUser } from './users.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A SCIM server that returns scripted responses by method and path, and the requests that it received. */
async function serverThat(answer: Answer, settle = 0.05): Promise<{ scim: Scim; lines: string[] }> {
  const { url, lines, close } = await startScriptedServer(answer);
  cleanups.push(close);
  return { scim: { url, token: 't', deliverTo: undefined, settle }, lines };
}

const listOf = (...resources: object[]) => ({
  body: { totalResults: resources.length, Resources: resources },
});
const missing: Reply = { status: 404, body: { detail: 'not found' } };

async function listed(groups: object[], users: object[]) {
  const { scim } = await serverThat((line) => {
    if (line === 'GET /Groups') return listOf(...groups);
    if (line === 'GET /Users') return listOf(...users);
    return { body: groups.find((each) => line === `GET /Groups/${(each as { id: string }).id}`) };
  });
  const found: Account[] = [];
  for await (const user of listUsers(scim)) found.push(user);
  return found.map(({ memberships }) => memberships?.group?.map((each: Ref) => each.id));
}

describe('memberships', () => {
  const red = { id: 'red', displayName: 'Red' };
  const blue = { id: 'blue', displayName: 'Blue' };
  const user = (id: string, groups?: unknown) => ({ id, userName: id, groups });
  const inRed = [{ value: 'red' }];

  test('are read from the users if no group has members', async () => {
    const users = [user('u1', inRed), user('u2', [])];
    expect(await listed([red, blue], users)).toEqual([['red'], []]);
  });

  test('include groups that a user is in through another group', async () => {
    const groups = [
      { value: 'red', type: 'direct' },
      { value: 'blue', type: 'indirect' },
    ];
    expect(await listed([red, blue], [user('u1', groups)])).toEqual([['red', 'blue']]);
  });

  test('end the listing if a page repeats a group, since another one may be missing', async () => {
    const one = { ...red, members: [{ value: 'u1' }] };
    await expect(listed([one, one], [user('u1')])).rejects.toThrow(/lists the group "Red" twice/);
  });

  test.each<[string, object[], string]>([
    ['carries it out', [], 'done'],
    ['ignores it', [{ $ref: '/Users/u1' }], 'accepted the removal from members but did not carry it out'],
  ])(
    'of members with an address instead of an id are removed, if the server %s',
    async (_, left, outcome) => {
      let members: object[] = [{ $ref: '/Users/u1' }];
      const { scim, lines } = await serverThat((line) => {
        if (line === 'GET /Groups/red') return { body: { ...red, members } };
        if (line.startsWith('GET')) return { body: user('u1') };
        members = left;
        return { status: 204 };
      });
      const changes = { group: { added: [], removed: [{ id: 'red' }] } };
      const ended = updateUser(scim, { id: 'u1' }, changes).then(
        () => 'done',
        (error: Error) => error.message,
      );
      expect(await ended).toContain(outcome);
      expect(lines.filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
    },
  );

  describe('are removed from a server that does not list members', () => {
    const remove = async (answer: Answer) => {
      const { scim, lines } = await serverThat((line, nth, url, body) =>
        line === 'GET /Groups/red' ? { body: red } : answer(line, nth, url, body),
      );
      const changes = { group: { added: [], removed: [{ id: 'red' }] } };
      const ended = updateUser(scim, { id: 'u1' }, changes).then(
        () => 'done',
        (error: Error) => error.message,
      );
      return { ended: await ended, patches: lines.filter((line) => line.startsWith('PATCH')) };
    };

    test.each<[string, Answer, string, number]>([
      [
        'no user has groups',
        (line) => (line.startsWith('GET') ? { body: user('u1') } : { status: 204 }),
        'done',
        1,
      ],
      [
        'the user is not in it',
        (line) =>
          line.startsWith('GET') ? { body: user('u1') } : { status: 400, body: { scimType: 'noTarget' } },
        'done',
        1,
      ],
      ['the user says so', () => ({ body: user('u1', []) }), 'done', 0],
      [
        'the server ignores it',
        () => ({ body: user('u1', inRed) }),
        'the SCIM server accepted the removal from members but did not carry it out',
        1,
      ],
    ])('if %s', async (_, answer, outcome, patches) => {
      const done = await remove(answer);
      expect(done.ended).toBe(outcome);
      expect(done.patches).toHaveLength(patches);
    });
  });

  test('are empty for an empty list of members', async () => {
    expect(await listed([{ ...red, members: [] }], [user('u1')])).toEqual([[]]);
  });

  test('are empty for a group without members that no user names', async () => {
    const groups = [{ ...red, members: [{ value: 'u1' }] }, blue];
    expect(await listed(groups, [user('u1', inRed)])).toEqual([['red']]);
  });

  test.each<[string, object[], object[]]>([
    ['no group has members and no user has groups', [red, blue], [user('u1')]],
    ['no group has members and one user has no groups', [red], [user('u1', inRed), user('u2')]],
    ['one group has none', [red, { ...blue, members: [] }], [user('u1')]],
    ['one group has none, but a user is in it', [red, { ...blue, members: [] }], [user('u1', inRed)]],
    [
      'the members of a group are null',
      [
        { ...red, members: null },
        { ...blue, members: [] },
      ],
      [user('u1')],
    ],
    [
      'the members of a group are not a list',
      [
        { ...red, members: 'u1' },
        { ...blue, members: [] },
      ],
      [user('u1')],
    ],
  ])('end the listing if %s', async (_, groups, users) => {
    await expect(listed(groups, users)).rejects.toThrow(/lists the group "Red" without members.*are unknown/);
  });

  test('through a group in the group name that group, and cannot be removed', async () => {
    const outer = { id: 'all', displayName: 'All', members: [{ value: 'red', type: 'Group' }] };
    const inner = { ...red, members: [{ value: 'u1' }] };
    const { scim } = await serverThat((line) => {
      if (line === 'GET /Groups') return listOf(outer, inner);
      if (line.startsWith('GET /Groups/')) return { body: line.endsWith('all') ? outer : inner };
      return line === 'GET /Users' ? listOf(user('u1')) : { body: user('u1') };
    });
    const found: Account[] = [];
    for await (const each of listUsers(scim)) found.push(each);
    expect(found[0]?.memberships?.group).toEqual([
      { id: 'all', name: 'All', via: { slug: 'group', id: 'red' } },
      { id: 'red', name: 'Red' },
    ]);
    const changes = { group: { added: [], removed: [{ id: 'all' }] } };
    await expect(updateUser(scim, { id: 'u1' }, changes)).rejects.toThrow(
      'the user u1 is in the group all through the group red; remove the user from that group instead',
    );
  });

  test('of a group whose members are missing in the list are read from the group', async () => {
    const { scim } = await serverThat((line) => {
      if (line === 'GET /Groups') return listOf(red, { ...blue, members: [] });
      if (line === 'GET /Groups/red') return { body: { ...red, members: [{ value: 'u1' }] } };
      return listOf(user('u1'));
    });
    const found: Account[] = [];
    for await (const each of listUsers(scim)) found.push(each);
    expect(found[0]?.memberships?.group).toEqual([{ id: 'red', name: 'Red' }]);
  });
});

describe('a list', () => {
  const people = (count: number, from = 1) =>
    Array.from({ length: count }, (_, n) => ({ id: `u${from + n}`, userName: `u${from + n}` }));
  const read = async (answer: Answer) => {
    const { scim } = await serverThat((line, nth, url, body) =>
      line === 'GET /Users' ? answer(line, nth, url, body) : listOf(),
    );
    return (await Array.fromAsync(listUsers(scim))).length;
  };
  const pages = (totalResults: number, count: number) => (_line: string, _nth: number, url: URL) => ({
    body: {
      totalResults,
      Resources: people(count)
        .slice(Number(url.searchParams.get('startIndex')) - 1)
        .slice(0, 100),
    },
  });

  test('whose total is that of the page is an error', async () => {
    await expect(read(pages(100, 250))).rejects.toThrow('has more Users than its totalResults, 100');
    await expect(read(pages(0, 2))).rejects.toThrow('has more Users than its totalResults, 0');
  });

  test.each<[string, Answer]>([
    ['has nothing behind its full last page', pages(200, 200)],
    [
      'refuses the page behind the last one',
      (line, nth, url) => (nth > 2 ? { status: 400 } : pages(200, 200)(line, nth, url)),
    ],
    ['always returns all', () => ({ body: { totalResults: 200, Resources: people(200) } })],
  ])('is whole if the server %s', async (_, answer) => {
    expect(await read(answer)).toBe(200);
  });
});

describe('an account', () => {
  const read = async (fields: object) => {
    const { scim } = await serverThat((line) =>
      line === 'GET /Users' ? listOf({ id: '1', userName: 'a', ...fields }) : listOf(),
    );
    return (await Array.fromAsync(listUsers(scim)))[0];
  };

  test.each<[unknown, string]>([
    [false, 'suspended'],
    ['False', 'suspended'],
    [0, 'suspended'],
    ['1', 'active'],
    [null, 'active'],
  ])('with active %j is %s', async (active, status) => {
    expect(await read({ active })).toMatchObject({ status });
  });

  test('with an unknown state ends the listing', async () => {
    await expect(read({ active: 'disabled' })).rejects.toThrow(
      'returned the unknown value "disabled" for active',
    );
  });

  test.each([
    ['the primary email', [{ value: 'b@x' }, { value: 'c@x', primary: 'True' }], ['c@x']],
    ['all emails in one order', [{ value: 'b@x' }, { value: 'a@x' }], ['a@x', 'b@x']],
    ['no text that is not an email', [{ value: 'n/a' }, { value: 'b@x' }], ['b@x']],
  ])('has %s', async (_, emails, found) => {
    expect(await read({ emails })).toMatchObject({ email: found[0], candidates: { email: found } });
  });

  test('is not read from another answer', async () => {
    const { scim } = await serverThat((line) =>
      line === 'GET /Users/1' ? { body: { status: '404', detail: 'gone' } } : listOf(),
    );
    await expect(readUser(scim, '1')).rejects.toThrow('returned something else for Users/1');
  });
});

test.each([true, false])('a change of active to %s that the server ignores fails', async (active) => {
  const { scim } = await serverThat(() => ({ body: { id: 'u1', active: !active } }));
  await expect(setActive(scim, 'u1', active)).rejects.toThrow(
    /accepted the change, but the user u1 is still/,
  );
});

describe('find', () => {
  const ada = { id: 'ours', username: 'Ada@Example.com' };
  const find = async (...hits: object[]) => findUser((await serverThat(() => listOf(...hits))).scim, ada);

  test.each<[string, object[], string | null]>([
    ['accepts the user who was asked for', [{ id: '1', userName: 'ada@example.com' }], '1'],
    ['finds nobody if a stranger is returned', [{ id: '0', userName: 'stranger@example.com' }], null],
    ['finds nobody if a hit has no userName', [{ id: '0' }], null],
    [
      'looks at all hits',
      [
        { id: '0', userName: 'x' },
        { id: '1', userName: 'ADA@example.com' },
      ],
      '1',
    ],
  ])('%s', async (_, hits, id) => {
    expect(await find(...hits)).toBe(id);
  });

  test('looks at all pages of a server that ignores the filter', async () => {
    const { scim } = await serverThat((_line, _nth, url) => {
      const first = Number(url.searchParams.get('startIndex'));
      const hit = { id: `${first}`, userName: first === 2 ? 'ada@example.com' : 'x' };
      return { body: { totalResults: 2, startIndex: first, Resources: [hit] } };
    });
    expect(await findUser(scim, ada)).toBe('2');
  });

  test('fails if two users fit', async () => {
    const hits = [
      { id: '1', userName: 'ada@example.com' },
      { id: '2', userName: 'Ada@example.com' },
    ];
    await expect(find(...hits)).rejects.toThrow('several users have the userName Ada@Example.com: 1, 2');
  });

  test('asks nothing without a name', async () => {
    const { scim, lines } = await serverThat(() => listOf());
    await expect(findUser(scim, { id: 'ours', email: null })).rejects.toThrow(
      /neither a username nor an email/,
    );
    expect(lines).toEqual([]);
  });
});

describe('a creation whose grant fails', () => {
  const account = { id: 'ours', username: 'ada' };
  const memberships = { group: [{ id: 'red' }] };

  async function create(answer: Answer, isKnown = () => false) {
    const { scim, lines } = await serverThat((line, nth, url, body) =>
      line === 'GET /Groups/red' ? { body: { id: 'red', members: [] } } : answer(line, nth, url, body),
    );
    const context: TaskContext = {
      resourceType: 'user',
      signal: new AbortController().signal,
      log: silent,
      isKnown,
    };
    const made = await connector.tasks?.create?.(scim, { account, memberships }, context).then(
      (value) => value.id,
      (error: Error) => connector.mapError?.(error) ?? error,
    );
    const writes = lines.filter((line) => !line.startsWith('GET'));
    return { made, error: made as { code?: string; message: string }, writes };
  }

  const created = (status = 201, id = 'new-1'): Reply => ({ status, body: { id, userName: 'ADA' } });

  test('is undone', async () => {
    const { error, writes } = await create((line) =>
      line === 'POST /Users' ? created() : { status: line === 'PATCH /Groups/red' ? 500 : 204 },
    );
    expect(writes).toEqual(['POST /Users', 'PATCH /Groups/red', 'DELETE /Users/new-1']);
    expect(error.message).toBe('the SCIM server returned 500 for /Groups/red');
  });

  test('removes no user whom the server returned with 200', async () => {
    const { error, writes } = await create((line) =>
      line === 'POST /Users' ? created(200, 'old-7') : { status: 500 },
    );
    expect(writes).toEqual(['POST /Users', 'PATCH /Groups/red']);
    expect(error.message).toMatch(/returned 500 .*; the user old-7 stays, because the server returned 200/);
  });

  test.each<[string, Reply, boolean, RegExp]>([
    ['the last sync listed', created(201, 'old-7'), true, /already exists with the id old-7/],
    [
      'was created long ago',
      { status: 201, body: { id: 'old-7', meta: { created: '2020-01-01T00:00:00Z' } } },
      false,
      /already exists with the id old-7/,
    ],
    ['is somebody else', { status: 201, body: { id: 'x', userName: 'bob' } }, false, /returned the user bob/],
  ])('gives nothing to a user who %s', async (_, reply, known, message) => {
    const { error, writes } = await create(
      () => reply,
      () => known,
    );
    expect(writes).toEqual(['POST /Users']);
    expect(error.message).toMatch(message);
  });

  test('reports the first error and what is left behind', async () => {
    const replies: Record<string, Reply> = {
      'POST /Users': created(),
      'PATCH /Groups/red': { status: 403, body: { detail: 'not your group' } },
      'DELETE /Users/new-1': { status: 405, body: { detail: 'DELETE is not supported' } },
    };
    const { error } = await create((line) => replies[line] ?? missing);
    expect(error).toMatchObject({
      code: 'PERMISSION_DENIED',
      message:
        'not your group; the account new-1 was created and could not be removed: DELETE is not supported',
    });
  });

  test('is repeated while the server does not know the user', async () => {
    const { made, writes } = await create((line, nth) => {
      if (line === 'POST /Users') return created();
      return nth < 3 ? missing : { status: 204 };
    });
    expect(made).toBe('new-1');
    expect(writes.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });

  test('keeps a user whom the server does not know in time', async () => {
    const { error, writes } = await create((line) => (line === 'POST /Users' ? created() : missing));
    expect(writes).not.toContain('DELETE /Users/new-1');
    expect(error).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/new-1 was created and stays/),
    });
  });
});

describe('a refusal', () => {
  const refused = async (path: string, reply: Reply) => {
    const { scim } = await serverThat(() => reply);
    const error: unknown = await call(scim, 'PATCH', path, {}).catch((thrown: unknown) => thrown);
    return { code: meaningOf(error)?.code, message: (error as Error).message };
  };

  test.each([
    ['a missing user', '/Users/7', 404, 'ACCOUNT_NOT_FOUND'],
    ['a missing group', '/Groups/7', 404, undefined],
    ['a wrong address', '/Users', 404, undefined],
    ['a user name that is taken', '/Users', 409, 'ACCOUNT_ALREADY_EXISTS'],
    ['a group that was changed at the same time', '/Groups/7', 409, undefined],
  ])('is about the account only if it is: %s', async (_, path, status, code) => {
    expect(await refused(path, { status, body: { detail: 'Why.' } })).toEqual({ code, message: 'Why.' });
  });

  test('keeps the words of a server that explains it in its own way', async () => {
    const { message } = await refused('/Users/7', { status: 400, body: { error: 'The seat is on hold.' } });
    expect(message).toBe('the SCIM server returned 400 for /Users/7: {"error":"The seat is on hold."}');
  });
});
