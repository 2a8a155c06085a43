import type { Reply } from '@gatehouse/connector/conformance';
import { describe, expect, test } from 'vitest';
import { openDefinition } from './test/server.ts';

const definition = `
name: app
base_url: URL_OF_TEST
errors:
  LICENSE_EXHAUSTED: ['response.code == "no_seats"']
groups:
  team:
    name: Teams
    list: { values: [red] }
    record: { id: item, name: item }
    add:
      - put: /teams/{{ group.id }}/{{ account.id }}
        already: [409]
accounts:
  user:
    name: Users
    list: { get: /users }
    record: { id: item.id, username: item.name }
    actions:
      create:
        - post: /users
          body: { name: '{{ account.username }}', mail: '{{ account.email }}', team: null, size: '{{ 1 + 1 }}' }
          capture: { id: response.id, etag: headers.etag }
        - patch: /users/{{ account.id }}
          headers: { if-match: '{{ captured.etag }}' }
          when: account.first_name != null
          body: { first: '{{ account.first_name }}' }
      delete: [{ delete: '/users/{{ account.id }}' }]
      suspend:
        - post: /users/{{ account.id }}/suspension
          already: ['response.code == "already_suspended"']
          expect: response.suspended
      unsuspend:
        - delete: /users/{{ account.id }}/suspension
          success: [204]
          expect: status == 204
      reset_password:
        - post: /users/{{ account.id }}/password
          form: { password: '{{ password }}' }
`;

/** Opens the definition with responses by method and path. */
const open = (replies: Record<string, Reply>, settings: Record<string, unknown> = {}) =>
  openDefinition(definition, (line) => replies[line], { settings });

const account = { id: 'ours', username: 'ada', email: null, first_name: 'Ada' };

test('runs the steps of create with values of earlier responses', async () => {
  const { tasks, system, context, requests, lines } = await open({
    'POST /users': { status: 201, body: { id: 7 }, headers: { etag: '"v1"' } },
    'PATCH /users/7': {},
    'PUT /teams/red/7': { status: 409 },
  });
  const memberships = { team: [{ id: 'red' }] };
  expect(await tasks.create?.(system, { account, memberships }, context)).toEqual({ id: '7' });
  expect(lines).toEqual(['POST /users', 'PATCH /users/7', 'PUT /teams/red/7']);
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ name: 'ada', team: null, size: 2 });
  expect(requests[1]?.headers['if-match']).toBe('"v1"');
});

test('skips a step that is not needed', async () => {
  const { tasks, system, context, lines } = await open({ 'POST /users': { body: { id: 7 } } });
  await tasks.create?.(system, { account: { ...account, first_name: null }, memberships: {} }, context);
  expect(lines).toEqual(['POST /users']);
});

test('undoes a creation if a later step fails', async () => {
  const { tasks, system, context, lines } = await open({
    'POST /users': { status: 201, body: { id: 7 } },
    'PATCH /users/7': { status: 400, body: { code: 'no_seats' } },
    'DELETE /users/7': { status: 204 },
  });
  await expect(tasks.create?.(system, { account, memberships: {} }, context)).rejects.toMatchObject({
    code: 'LICENSE_EXHAUSTED',
  });
  expect(lines).toEqual(['POST /users', 'PATCH /users/7', 'DELETE /users/7']);
});

test('does not create an account twice after a server error', async () => {
  const { tasks, system, context, lines } = await open({ 'POST /users': { status: 502 } });
  await expect(tasks.create?.(system, { account, memberships: {} }, context)).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
    message: expect.stringContaining('returned 502'),
  });
  expect(lines).toEqual(['POST /users']);
});

describe('reports', () => {
  test.each([
    [409, {}, 'ACCOUNT_ALREADY_EXISTS'],
    [403, {}, 'PERMISSION_DENIED'],
    [200, { code: 'no_seats' }, 'LICENSE_EXHAUSTED'],
    [404, {}, 'INTERNAL_ERROR'],
    [200, { name: 'no id' }, 'INTERNAL_ERROR'],
  ])('%i with %j on create as %s', async (status, body, code) => {
    const { tasks, system, context } = await open({ 'POST /users': { status, body } });
    const create = tasks.create?.(system, { account, memberships: {} }, context);
    await expect(create).rejects.toMatchObject({ code });
  });

  test.each([
    [{ status: 404 }, 'ACCOUNT_NOT_FOUND'],
    [{ status: 400, body: { code: 'already_suspended' } }, undefined],
    [{ status: 400, body: { code: 'other' } }, 'INTERNAL_ERROR'],
    [{ status: 408 }, 'TIMEOUT'],
    [{ status: 429, headers: { 'retry-after': '600' } }, 'RATE_LIMITED'],
  ])('%j on suspend as %s', async (reply: Reply, code) => {
    const { tasks, system, context } = await open({ 'POST /users/7/suspension': reply });
    const done = async () => {
      await tasks.suspend?.(system, { id: '7' }, context);
    };
    const error: { code?: string } | undefined = await done().catch((thrown) => thrown);
    expect(error?.code).toBe(code);
  });

  test('a status that the step does not expect', async () => {
    const { tasks, system, context } = await open({ 'DELETE /users/7/suspension': { status: 202 } });
    await expect(tasks.unsuspend?.(system, { id: '7' }, context)).rejects.toThrow(/returned 202/);
  });
});

test.each(['', '..', '.'])('sends nothing for the id %j', async (id) => {
  const { tasks, system, context, lines } = await open({});
  await expect(tasks.delete?.(system, { id }, context)).rejects.toThrow(/cannot be made/);
  expect(lines).toEqual([]);
});

test('encodes ids in paths', async () => {
  const { tasks, system, context, requests } = await open({ 'DELETE /users/../a?b': { status: 204 } });
  await tasks.delete?.(system, { id: '../a?b' }, context);
  expect(requests.map(({ path }) => path)).toEqual(['/users/..%2Fa%3Fb']);
});

test('sets a password only if it can be delivered', async () => {
  const replies = { 'POST /users/7/password': {} };
  const without = await open(replies);
  await expect(without.tasks.resetPassword?.(without.system, { id: '7' }, without.context)).rejects.toThrow(
    'set deliverTo',
  );
  expect(without.lines).toEqual([]);
  const { tasks, system, context, requests } = await open(replies, { deliverTo: 'cat' });
  const reset = await tasks.resetPassword?.(system, { id: '7' }, context);
  expect(requests[0]?.body).toBe(new URLSearchParams({ password: reset?.password ?? '' }).toString());
});
