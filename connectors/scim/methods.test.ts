import { type Answer, type Reply, startScriptedServer } from '@gatehouse/connector/conformance';
import { afterEach, describe, expect, test } from 'vitest';
import { meaningOf, type Scim } from './client.ts';
import { createUser, deleteUser, setActive, updateUser } from './tasks.ts';
import { readUser } from './users.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const page: Reply = { status: 404, text: '<!doctype html><h1>Not Found</h1>' };
type Stored = { id: string } & Record<string, unknown>;

/** A server with the user u1 in the group red, which answers PATCH and whatever else is given in its own way. */
async function serverThat(answer: Answer, group: object = { members: [{ value: 'u1' }, { value: 'u2' }] }) {
  const stored: Record<string, Stored | undefined> = {
    '/Users/u1': { id: 'u1', userName: 'ada', active: true, meta: { version: 'W/"7"' }, groups: [] },
    '/Groups/red': { id: 'red', displayName: 'Red', ...group },
  };
  const { url, lines, requests, close } = await startScriptedServer((line, nth, at, body) => {
    const special = answer(line, nth, at, body);
    if (special) return special;
    const [method = '', path = ''] = line.split(' ');
    if (method === 'PUT') stored[path] = JSON.parse(body) as Stored;
    if (method === 'DELETE') {
      stored[path] = undefined;
      return { status: 204 };
    }
    if (line === 'GET /Groups') return { body: { totalResults: 1, Resources: [stored['/Groups/red']] } };
    return stored[path] ? { body: stored[path] } : { status: 404, body: { detail: 'gone' } };
  });
  cleanups.push(close);
  const scim: Scim = { url, token: 't', deliverTo: undefined, settle: 0.05 };
  const writes = () => lines.filter((line) => !line.startsWith('GET'));
  return { scim, stored, requests, writes };
}

const refusing =
  (reply: Reply, ...methods: string[]): Answer =>
  (line) =>
    methods.some((method) => line.startsWith(method)) ? reply : undefined;

const replies: [string, Reply][] = [
  ['405', { status: 405, body: { detail: 'method not allowed' } }],
  ['501', { status: 501 }],
  ['a page of HTML with 404', page],
];

describe.each(replies)('a server that answers PATCH with %s', (_, reply) => {
  test('gets PUT, with what it showed before', async () => {
    const { scim, stored, requests } = await serverThat(refusing(reply, 'PATCH'));
    await setActive(scim, 'u1', false);
    expect(stored['/Users/u1']).toEqual({ id: 'u1', userName: 'ada', active: false });
    const put = requests.find(({ line }) => line === 'PUT /Users/u1');
    expect(put?.headers['if-match']).toBe('W/"7"');
  });

  test('changes names, groups and entitlements', async () => {
    const { scim, stored } = await serverThat(refusing(reply, 'PATCH'));
    await updateUser(
      scim,
      { id: 'u1', first_name: 'Ada' },
      {
        group: { added: [], removed: [{ id: 'red' }] },
        entitlement: { added: [{ id: 'pro' }], removed: [] },
      },
    );
    expect(stored['/Users/u1']).toMatchObject({
      name: { givenName: 'Ada' },
      entitlements: [{ value: 'pro', display: 'pro' }],
    });
    expect(stored['/Groups/red']?.members).toEqual([{ value: 'u2' }]);
    await updateUser(scim, { id: 'u1' }, { group: { added: [{ id: 'red' }], removed: [] } });
    expect(stored['/Groups/red']?.members).toEqual([{ value: 'u2' }, { value: 'u1' }]);
  });

  test('and PUT, too, is named in the error', async () => {
    const { scim } = await serverThat(refusing(reply, 'PATCH', 'PUT'));
    const error: unknown = await setActive(scim, 'u1', false).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(
      /supports neither PATCH \(\d+\) nor PUT \(\d+\) for \/Users\/u1$/,
    );
    expect(meaningOf(error)).toBeUndefined();
  });

  test('deletes a member of a group', async () => {
    const { scim, writes } = await serverThat(refusing(reply, 'PATCH', 'PUT'));
    await deleteUser(scim, 'u1');
    expect(writes().at(-1)).toBe('DELETE /Users/u1');
  });

  test('loses no members that it does not list', async () => {
    const { scim, writes } = await serverThat(refusing(reply, 'PATCH'), {});
    const removed = updateUser(scim, { id: 'u1' }, { group: { added: [{ id: 'red' }], removed: [] } });
    await expect(removed).rejects.toThrow(/nor lists the members of the group, which a PUT would remove/);
    expect(writes()).toEqual(['PATCH /Groups/red']);
  });
});

describe('a page of HTML', () => {
  const any: Answer = () => page;

  test('is not a user who does not exist', async () => {
    const { scim } = await serverThat(any);
    const error: unknown = await readUser(scim, 'u1').catch((thrown: unknown) => thrown);
    expect((error as Error).message).toBe(
      'the SCIM server returned 404 for /Users/u1, with a page of HTML for GET; check the URL, and whether the server supports GET',
    );
    expect(meaningOf(error)).toBeUndefined();
  });

  test('with the status 200 is not a success', async () => {
    const { scim } = await serverThat(refusing({ text: '<html>Sign in</html>' }, 'DELETE'), { members: [] });
    await expect(deleteUser(scim, 'u1')).rejects.toThrow(/returned 200 for \/Users\/u1, with a page of HTML/);
  });

  test.each<[string, Reply]>([
    ['HTML', page],
    ['HTML with 200', { text: '<html></html>' }],
    ['403', { status: 403, body: { detail: 'no' } }],
    ['501', { status: 501 }],
  ])('as ServiceProviderConfig (%s) does not prevent a creation', async (_, reply) => {
    const { scim } = await serverThat((line) => {
      if (line === 'GET /ServiceProviderConfig') return reply;
      return line === 'POST /Users' ? { status: 201, body: { id: 'u9', userName: 'bob' } } : undefined;
    });
    const account = { id: 'ours', username: 'bob' };
    const made = await createUser({ ...scim, deliverTo: 'cat' }, account, {}, { isKnown: () => false });
    expect(made).toMatchObject({ id: 'u9', password: expect.any(String) });
  });
});

describe('a user that is read after a task', () => {
  const lines = (requests: { line: string }[]) => requests.map(({ line }) => line);
  const none: Answer = () => undefined;

  test('needs one request for its state', async () => {
    const { scim, requests } = await serverThat(none);
    expect(await readUser(scim, 'u1', { entitlements: [] })).toMatchObject({ status: 'active' });
    expect(lines(requests)).toEqual(['GET /Users/u1']);
  });

  test('needs one request for groups that the user names, and after the removal of one of them', async () => {
    const { scim, stored, requests } = await serverThat(refusing({ status: 405 }, 'PATCH'));
    const named = (...groups: object[]) => {
      stored['/Users/u1'] = { id: 'u1', userName: 'ada', groups };
    };
    const red = { value: 'red', display: 'Red', type: 'direct' };
    const readGroups = async () => {
      requests.length = 0;
      const user = await readUser(scim, 'u1', { entitlements: [{ slug: 'group', id: 'red' }] });
      return { groups: user?.memberships?.group, lines: lines(requests) };
    };
    named(red);
    expect(await readGroups()).toEqual({ groups: [{ id: 'red', name: 'Red' }], lines: ['GET /Users/u1'] });

    await updateUser(scim, { id: 'u1' }, { group: { added: [], removed: [{ id: 'red' }] } });
    // A user who still names the group may be out of date.
    expect(await readGroups()).toEqual({ groups: [], lines: ['GET /Users/u1', 'GET /Groups/red'] });
    named();
    expect(await readGroups()).toEqual({ groups: [], lines: ['GET /Users/u1'] });
  });

  test('is asked about no group if the user gained it', async () => {
    const { scim, stored, requests } = await serverThat(none, { members: [] });
    stored['/Users/u1'] = { id: 'u1', userName: 'ada', groups: [{ value: 'red' }] };
    await updateUser(scim, { id: 'u1' }, { group: { added: [{ id: 'red' }], removed: [] } });
    requests.length = 0;
    const user = await readUser(scim, 'u1', { entitlements: [{ slug: 'group', id: 'red' }] });
    expect(user?.memberships).toEqual({ group: [{ id: 'red', name: undefined }] });
    expect(lines(requests)).toEqual(['GET /Users/u1']);
  });

  test.each<[string, object[]]>([
    ['never named it', [{ value: 'blue' }]],
    ['is in it through another one', [{ value: 'red', type: 'indirect' }]],
  ])('asks the group if the user %s', async (_, groups) => {
    const { scim, stored, requests } = await serverThat(none);
    stored['/Users/u1'] = { id: 'u1', userName: 'ada', groups };
    const user = await readUser(scim, 'u1', { entitlements: [{ slug: 'group', id: 'red' }] });
    expect(user?.memberships).toEqual({ group: [{ id: 'red', name: 'Red' }] });
    expect(lines(requests)).toEqual(['GET /Users/u1', 'GET /Groups/red']);
  });

  test('needs one more for each group that the user does not name', async () => {
    const { scim, requests } = await serverThat(none);
    const user = await readUser(scim, 'u1', { entitlements: [{ slug: 'group', id: 'red' }] });
    expect(user?.memberships).toEqual({ group: [{ id: 'red', name: 'Red' }] });
    expect(lines(requests)).toEqual(['GET /Users/u1', 'GET /Groups/red']);
  });

  test('has unknown groups if the server does not show one', async () => {
    const { scim } = await serverThat(none);
    const user = await readUser(scim, 'u1', { entitlements: [{ slug: 'group', id: 'hidden' }] });
    expect(user?.memberships).toEqual({ group: undefined });
  });

  test('has unknown groups if neither the group nor the user says them', async () => {
    const { scim, stored } = await serverThat(none, {});
    stored['/Users/u1'] = { id: 'u1', userName: 'ada' };
    const user = await readUser(scim, 'u1', { entitlements: [{ slug: 'group', id: 'red' }] });
    expect(user?.memberships).toEqual({ group: undefined });
  });

  test('names the group through which it is in another one', async () => {
    const members = [{ value: 'blue', type: 'Group' }];
    const { scim } = await serverThat(
      (line) =>
        line === 'GET /Groups/blue' ? { body: { id: 'blue', members: [{ value: 'u1' }] } } : undefined,
      { members },
    );
    const user = await readUser(scim, 'u1', { entitlements: [{ slug: 'group', id: 'red' }] });
    expect(user?.memberships?.group).toEqual([
      { id: 'red', name: 'Red', via: { slug: 'group', id: 'blue' } },
    ]);
  });
});
