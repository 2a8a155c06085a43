import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { addPersonWithRole, eventsOf } from '#test/people.ts';
import { GROUP, newUser, openScimService, patchOf } from '#test/scim.ts';

const service = await openScimService();
const { scim, owner, person } = service;
afterAll(service.close);

const addUser = async () => (await scim('POST', '/Users', newUser())).body.id as string;
const addGroup = async (members: string[] = [], more: object = {}) => {
  const { status, body } = await scim('POST', '/Groups', {
    schemas: [GROUP],
    displayName: `Group ${randomUUID()}`,
    members: members.map((value) => ({ value })),
    ...more,
  });
  expect({ status, detail: body.detail }).toEqual({ status: 201, detail: undefined });
  return body;
};
const patch = (id: string, ...operations: object[]) => scim('PATCH', `/Groups/${id}`, patchOf(...operations));
const membersOf = async (id: string): Promise<string[]> =>
  ((await scim('GET', `/Groups/${id}`)).body.members ?? [])
    .map(({ value }: { value: string }) => value)
    .sort();
const give = (id: string, role: string | null) => owner('PUT', `/api/person-groups/${id}/role/`, { role });
const groupEvents = async (id: string) =>
  (await eventsOf(service, 'person_group.'))
    .filter(({ payload }) => payload.group_id === id)
    .map(({ event_type }) => event_type);

describe('a group', () => {
  test('keeps its members and shows on them', async () => {
    const [ada, bob] = [await addUser(), await addUser()];
    const group = await addGroup([ada, bob], { externalId: randomUUID() });
    expect(group).toMatchObject({
      schemas: [GROUP],
      meta: { resourceType: 'Group', location: expect.stringContaining(`/scim/v2/Groups/${group.id}`) },
    });
    expect(await membersOf(group.id)).toEqual([ada, bob].sort());
    expect((await scim('GET', `/Users/${ada}`)).body.groups).toEqual([
      {
        value: group.id,
        display: group.displayName,
        type: 'direct',
        $ref: expect.stringContaining(`/Groups/${group.id}`),
      },
    ]);
    expect((await person(ada)).groups).toMatchObject([{ id: group.id, display_name: group.displayName }]);
    const listed = (await service.call('GET', `/api/person-groups/?q=${group.displayName}`)).body;
    expect(listed).toMatchObject({ count: 1, results: [{ id: group.id, members: 2, role: null }] });
    const members = (await service.call('GET', `/api/person-groups/${group.id}/members/`)).body;
    expect(members.results.map((one: { external_uuid: string }) => one.external_uuid).sort()).toEqual(
      [ada, bob].sort(),
    );
    const user = { type: 'platform_user' };
    expect((await eventsOf(service, 'user.updated')).at(-1)).toMatchObject({
      subject: user,
      payload: { changes: [{ field: 'groups', from: [], to: [group.displayName] }] },
    });
  });

  test('changes its members by every form of PATCH, and twice makes no difference', async () => {
    const [a, b, c] = [await addUser(), await addUser(), await addUser()];
    const { id, meta } = await addGroup();
    const steps: [object[], string[]][] = [
      [[{ op: 'Add', path: 'members', value: [{ value: a }, { value: b }] }], [a, b]],
      [[{ op: 'add', value: { members: [{ value: c }] } }], [a, b, c]],
      [[{ op: 'remove', path: `members[value eq "${a}"]` }], [b, c]],
      [[{ op: 'Remove', path: 'members', value: [{ value: b }] }], [c]],
      [[{ op: 'replace', path: 'members', value: [{ value: a }] }], [a]],
      [[{ op: 'replace', value: { MEMBERS: [{ value: b }, { value: a }] } }], [a, b]],
      [[{ op: 'remove', path: `members[value eq "${a}" or value eq "${c}"]` }], [b]],
      [
        [
          { op: 'add', path: 'members', value: { value: a } },
          { op: 'remove', path: 'members[display co "@"]' },
        ],
        [],
      ],
      [
        [
          { op: 'remove', path: 'members' },
          { op: 'add', path: 'members', value: [{ value: c }] },
        ],
        [c],
      ],
    ];
    for (const [operations, expected] of steps) {
      for (let twice = 0; twice < 2; twice++) {
        const answer = await patch(id, ...operations);
        if (JSON.stringify(operations).includes('display co') && expected.length === 0)
          expect(answer.status).toBe(400);
        else expect(answer.status).toBe(204);
      }
      if (!JSON.stringify(operations).includes('display co'))
        expect(await membersOf(id)).toEqual([...expected].sort());
    }
    expect((await patch(id, { op: 'remove', path: 'members[display co "@"]' })).status).toBe(204);
    expect(await membersOf(id)).toEqual([]);
    expect((await scim('GET', `/Groups/${id}`)).headers.etag).not.toBe(meta.version);
    const { body } = await scim(
      'PATCH',
      `/Groups/${id}?attributes=displayName`,
      patchOf({ op: 'replace', path: 'displayName', value: `Renamed ${id}` }),
    );
    expect(body.displayName).toBe(`Renamed ${id}`);
    expect(await groupEvents(id)).toEqual([
      'person_group.created',
      ...Array.from({ length: 9 }, () => 'person_group.members_changed'),
      'person_group.updated',
    ]);
  });

  test('refuses groups, unknown people and people who were deleted as members', async () => {
    const [user, other] = [await addUser(), await addGroup()];
    const gone = await addUser();
    await scim('DELETE', `/Users/${gone}`);
    const { id } = await addGroup([user]);
    for (const value of [other.id, randomUUID(), gone, 'ada']) {
      const answer = await patch(id, { op: 'add', path: 'members', value: [{ value }] });
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    }
    expect(
      (await patch(id, { op: 'add', path: 'members', value: [{ value: other.id }] })).body.detail,
    ).toContain('Groups cannot contain groups');
    expect(await membersOf(id)).toEqual([user]);
  });

  test('with a known externalId gets 409 with the address of the existing one', async () => {
    const group = await addGroup([], { externalId: randomUUID() });

    const answer = await scim('POST', '/Groups', { displayName: 'Other', externalId: group.externalId });

    expect(answer).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect(answer.body.detail).toContain(`/scim/v2/Groups/${group.id}`);
  });

  test('without an externalId is found by its name if the request is repeated', async () => {
    const group = await addGroup();

    const answer = await scim('POST', '/Groups', { displayName: ` ${group.displayName.toUpperCase()} ` });

    expect(answer).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect(answer.body.detail).toContain(`/scim/v2/Groups/${group.id}`);
  });

  test('can have the name of another group, and stays apart from it (RFC 7643, 4.2)', async () => {
    const [ada, bob] = [await addUser(), await addUser()];
    const displayName = `All staff ${randomUUID()}`;
    const named = (members: string[], more: object) => addGroup(members, { displayName, ...more });
    const berlin = await named([ada], { externalId: randomUUID() });
    const paris = await named([bob, ada], { externalId: randomUUID() });
    const third = await named([], { displayName: displayName.toUpperCase() });
    const other = await addGroup();

    expect((await patch(other.id, { op: 'replace', path: 'displayName', value: displayName })).status).toBe(
      204,
    );
    expect((await scim('PUT', `/Groups/${paris.id}`, { ...paris, displayName })).status).toBe(200);

    const filter = encodeURIComponent(`displayName eq "${displayName}"`);
    const found = (await scim('GET', `/Groups?filter=${filter}`)).body.Resources;
    expect(found.map(({ id }: { id: string }) => id).sort()).toEqual(
      [berlin.id, paris.id, third.id, other.id].sort(),
    );
    const inBoth = [berlin, paris].map(({ id, externalId }) => ({
      ...{ id, display_name: displayName, external_id: externalId },
    }));
    expect((await person(ada)).groups).toEqual(inBoth.sort((one, next) => (one.id < next.id ? -1 : 1)));
    expect(await give(berlin.id, 'auditor')).toMatchObject({ status: 200 });
    expect((await person(ada)).role).toBe('auditor');
    expect((await person(bob)).role).toBe('member');
    const listed = (await service.call('GET', `/api/person-groups/?q=${encodeURIComponent(displayName)}`))
      .body;
    expect(listed.results.find(({ id }: { id: string }) => id === berlin.id)).toMatchObject({
      display_name: displayName,
      external_id: berlin.externalId,
      members: 1,
    });
    expect((await scim('DELETE', `/Groups/${berlin.id}`)).status).toBe(204);
    expect((await person(ada)).groups).toMatchObject([{ id: paris.id, display_name: displayName }]);
  });

  test('is replaced by PUT and deleted by DELETE, each with its version', async () => {
    const [a, b] = [await addUser(), await addUser()];
    const group = await addGroup([a]);
    const put = (version: string) =>
      scim(
        'PUT',
        `/Groups/${group.id}`,
        { displayName: group.displayName, members: [{ value: b }] },
        { 'if-match': version },
      );
    expect((await put(group.meta.version)).body.members).toMatchObject([{ value: b, type: 'User' }]);
    expect((await put(group.meta.version)).status).toBe(412);
    const remove = (headers = {}) => scim('DELETE', `/Groups/${group.id}`, undefined, headers);
    expect((await remove({ 'if-match': group.meta.version })).status).toBe(412);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await person(b)).groups).toEqual([]);
  });

  test('leaves the members out if the client excludes them', async () => {
    const group = await addGroup([await addUser()]);
    const read = async (query: string) => (await scim('GET', `/Groups/${group.id}${query}`)).body;
    expect((await read('')).members).toHaveLength(1);
    expect((await read('?excludedAttributes=members')).members).toBeUndefined();
    expect((await read('?attributes=displayName')).members).toBeUndefined();
    expect((await read('?attributes=members.value')).members).toHaveLength(1);
    const filter = encodeURIComponent(`displayName eq "${group.displayName}"`);
    const [listed] = (await scim('GET', `/Groups?excludedAttributes=members&filter=${filter}`)).body
      .Resources;
    expect(listed).toMatchObject({ id: group.id });
    expect(listed.members).toBeUndefined();
  });

  test('loses a user who is deleted', async () => {
    const user = await addUser();
    const group = await addGroup([user]);
    await scim('DELETE', `/Users/${user}`);
    expect(await membersOf(group.id)).toEqual([]);
  });
});

describe('the role of a group', () => {
  test('is given to its members, the highest wins, and without it they are members', async () => {
    const [ada, bob] = [await addUser(), await addUser()];
    const [admins, auditors] = [await addGroup([ada]), await addGroup([ada, bob])];
    expect((await give(auditors.id, 'auditor')).body).toMatchObject({ role: 'auditor' });
    expect([(await person(ada)).role, (await person(bob)).role]).toEqual(['auditor', 'auditor']);
    await give(admins.id, 'admin');
    expect((await person(ada)).role).toBe('admin');
    expect((await person(ada)).sources.role).toBe('group');
    await patch(admins.id, { op: 'remove', path: `members[value eq "${ada}"]` });
    expect((await person(ada)).role).toBe('auditor');
    await patch(admins.id, { op: 'add', path: 'members', value: [{ value: bob }] });
    expect((await person(bob)).role).toBe('admin');
    await give(admins.id, null);
    expect((await person(bob)).role).toBe('auditor');
    await scim('DELETE', `/Groups/${auditors.id}`);
    expect([(await person(ada)).role, (await person(bob)).role]).toEqual(['member', 'member']);
    const roles = (await eventsOf(service, 'role.changed')).filter(({ subject }) => subject.uuid === ada);
    expect(roles.map(({ payload }) => [payload.from, payload.to])).toEqual([
      ['member', 'auditor'],
      ['auditor', 'admin'],
      ['admin', 'auditor'],
      ['auditor', 'member'],
    ]);
  });

  test('leaves owners alone, and cannot be changed for one person', async () => {
    const { external_uuid: boss } = await addPersonWithRole(
      service,
      `boss-${randomUUID()}@acme.example`,
      'owner',
    );
    const user = await addUser();
    const group = await addGroup([boss, user]);
    await give(group.id, 'auditor');
    expect((await person(boss)).role).toBe('owner');
    expect(await owner('PATCH', `/api/users/${user}/`, { role: 'admin' })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Groups give this person the role auditor') },
    });
    await give(group.id, null);
    expect((await person(boss)).role).toBe('owner');
    expect((await owner('PATCH', `/api/users/${user}/`, { role: 'admin' })).status).toBe(200);
    await patch(group.id, { op: 'remove', path: 'members' });
    expect((await person(user)).role).toBe('admin');
  });

  test('never lowers a role that was given by hand, and gives it back', async () => {
    const byHand = async (role: 'admin' | 'auditor') => {
      const email = `${role}-${randomUUID()}@acme.example`;
      return (await addPersonWithRole(service, email, role)).external_uuid as string;
    };
    const [admin, auditor, user] = [await byHand('admin'), await byHand('auditor'), await addUser()];
    const roles = async () => Promise.all([admin, auditor, user].map(async (id) => (await person(id)).role));
    const [low, high] = [await addGroup(), await addGroup()];
    await give(low.id, 'member');
    await give(high.id, 'admin');
    const add = { op: 'add', path: 'members', value: [admin, auditor, user].map((value) => ({ value })) };
    await patch(low.id, add);
    expect(await roles()).toEqual(['admin', 'auditor', 'member']);
    await patch(high.id, add);
    expect(await roles()).toEqual(['admin', 'admin', 'admin']);
    await patch(high.id, { op: 'remove', path: 'members' });
    expect(await roles()).toEqual(['admin', 'auditor', 'member']);
    await give(low.id, 'auditor');
    expect(await roles()).toEqual(['admin', 'auditor', 'auditor']);
    await scim('DELETE', `/Groups/${low.id}`);
    expect(await roles()).toEqual(['admin', 'auditor', 'member']);
    const emails = [{ value: 'thief@evil.example', type: 'work' }];
    expect(
      (await scim('PATCH', `/Users/${admin}`, patchOf({ op: 'replace', path: 'emails', value: emails })))
        .status,
    ).toBe(403);
  });

  test('does not return to another email', async () => {
    const id = await addUser();
    const { email } = await person(id);
    const group = await addGroup([id]);
    await give(group.id, 'admin');
    expect((await person(id)).role).toBe('admin');

    const leave = { op: 'remove', path: `members[value eq "${id}"]` };
    expect((await patch(group.id, leave)).status).toBe(204);
    expect((await person(id)).role).toBe('member');
    const stolen = { op: 'replace', path: 'emails[type eq "work"].value', value: 'stolen@evil.example' };
    expect(await scim('PATCH', `/Users/${id}`, patchOf(stolen))).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('only an owner can change their email') },
    });
    const change = { email: 'stolen@evil.example' };
    expect((await service.call('PATCH', `/api/users/${id}/`, change)).status).toBeGreaterThanOrEqual(403);

    await patch(group.id, { op: 'add', path: 'members', value: [{ value: id }] });
    expect(await person(id)).toMatchObject({ role: 'admin', email });
  });

  test('does not come back when a member is merged into somebody else', async () => {
    const add = async () =>
      (await service.call('POST', '/api/users/', { email: `${randomUUID()}@acme.example` })).body
        .external_uuid as string;
    const [from, into] = [await add(), await add()];
    await give((await addGroup([from])).id, 'admin');
    expect((await person(from)).role).toBe('admin');
    expect((await owner('POST', `/api/users/${into}/merge/`, { from })).status).toBe(200);
    expect(await person(from)).toMatchObject({ role: 'member', status: 'deactivated' });
  });

  test('is set by signed-in owners only, and never to owner', async () => {
    const group = await addGroup();
    expect((await give(group.id, 'owner')).status).toBe(400);
    const path = `/api/person-groups/${group.id}/role/`;
    expect((await service.call('PUT', path, { role: 'admin' })).status).toBe(403);
    expect((await give(randomUUID(), 'admin')).status).toBe(404);
  });
});

test('conditions read the groups of a person', async () => {
  const user = await addUser();
  const { displayName } = await addGroup([user]);
  const condition = `"${displayName}" in user.groups`;
  const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Condition' })).body;
  await service.call('POST', `/api/v1/bridge/apps/${app.id}/resource-types/`, {
    name: 'Users',
    slug: 'user',
    type: 'account',
  });
  const made = await service.call('POST', '/api/policies/', {
    name: 'By group',
    trigger: 'user.updated',
    condition,
    effects: [{ do: 'grant', app: app.id }],
    enabled: false,
  });
  expect(made).toMatchObject({ status: 201 });
  const preview = await service.call(
    'POST',
    `/api/policies/${made.body.external_uuid ?? made.body.policy_id}/preview/`,
  );
  expect(preview.body).toMatchObject({ count: 1, tasks: [{}] });
});
