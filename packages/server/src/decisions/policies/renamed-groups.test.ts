import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';
import { GROUP, newUser, openScim, patchOf, type Scim } from '#test/scim.ts';

/** Policies whose condition names a group that is renamed or deleted (D65). */
const inRed = { memberships: { team: [{ id: 'red' }] } };
const EMAILS = [1, 2, 3].map((n) => `member${n}@acme.example`);

let service: PolicyTest;
let scim: Scim;
const members: string[] = [];
beforeAll(async () => {
  service = await openPolicyTest(EMAILS.map((email) => ({ id: email, email, ...inRed })));
  ({ scim } = await openScim(service));
  for (const email of EMAILS)
    members.push(
      (
        await scim('POST', '/Users', {
          ...newUser(),
          userName: email,
          emails: [{ value: email, type: 'work', primary: true }],
        })
      ).body.id,
    );
  await service.settled();
});
afterAll(() => service.close());
afterEach(async () => {
  const { body } = await service.call('GET', '/api/policies/?limit=200');
  for (const { external_uuid: id } of body.results)
    await service.call('DELETE', `/api/policies/${id}/?cancel_tasks=true`);
});

let number = 0;
async function openGroup() {
  const name = `Finance ${++number}`;
  const { body } = await scim('POST', '/Groups', {
    schemas: [GROUP],
    displayName: name,
    members: members.map((value) => ({ value })),
  });
  await service.settled();
  const rename = (value: string) =>
    scim('PATCH', `/Groups/${body.id}`, patchOf({ op: 'replace', path: 'displayName', value }));
  return { id: body.id as string, name, rename };
}
const among = EMAILS.map((email) => `"${email}"`).join(', ');
const outside = (name: string, trigger = 'daily') =>
  service.policy({
    trigger,
    condition: `user.email in [${among}] && !("${name}" in user.groups)`,
    effects: [{ do: 'revoke', app: service.appId }],
  });
const read = async (id: string) => (await service.call('GET', `/api/policies/${id}/`)).body;
const held = (count: number, because: object) => ({
  pending_confirmation: { status: 'held', count, because },
});

test.each(['daily', 'user.updated'])(
  'a renamed group fires no %s policy, until somebody confirms',
  async (trigger) => {
    const { id: group, name, rename } = await openGroup();
    const id = await outside(name, trigger);
    await rename(`${name} EMEA`);
    await service.settled();
    const because = {
      ...{ kind: 'group_renamed', group_id: group, from: name, to: `${name} EMEA` },
      is_named: true,
    };
    expect(await read(id)).toMatchObject(held(3, because));
    await service.nextDay();
    await service.settled();
    expect(await service.tasksOf(id)).toEqual([]);
    expect(
      (await eventsOf(service, 'policy.held')).filter(({ payload }) => payload.policy_id === id),
    ).toMatchObject([{ payload: { count: 3, because } }]);
    expect(await service.call('POST', `/api/policies/${id}/discard/`)).toMatchObject({ status: 409 });

    await service.call('POST', `/api/policies/${id}/confirm/`);
    await service.settled();
    expect(await service.tasksOf(id)).toHaveLength(3);
    expect(await read(id)).toMatchObject({ pending_confirmation: null });
  },
);

test('a rename of case only, and a deletion, hold the policies that name the group', async () => {
  const first = await openGroup();
  const id = await outside(first.name);
  await first.rename(first.name.toUpperCase());
  await service.settled();
  expect(await read(id)).toMatchObject(held(3, { to: first.name.toUpperCase() }));

  const second = await openGroup();
  const other = await outside(second.name);
  await scim('DELETE', `/Groups/${second.id}`);
  await service.settled();
  expect(await read(other)).toMatchObject(held(3, { kind: 'group_deleted', from: second.name, to: null }));
  await service.nextDay();
  await service.settled();
  expect(await service.tasksOf(other)).toEqual([]);
});

test('a rename that only changes the form of letters holds nothing and changes nobody (D89)', async () => {
  const { name, rename } = await openGroup();
  const [nfc, nfd] = (['NFC', 'NFD'] as const).map((form) => `${name} Köln`.normalize(form));
  await rename(nfc as string);
  await service.settled();
  const ids = [await outside(nfd as string), await outside(nfc as string, 'user.updated')];
  const updates = async () => (await eventsOf(service, 'user.updated')).length;
  const before = await updates();

  await rename(nfd as string);
  await service.nextDay();
  await service.settled();

  expect(await updates()).toBe(before);
  for (const id of ids) {
    expect(await read(id)).toMatchObject({ pending_confirmation: null });
    expect(await service.tasksOf(id)).toEqual([]);
  }
});

test('somebody in a new group with the former name gets nothing before the confirmation', async () => {
  const { name, rename } = await openGroup();
  const id = await service.policy({
    trigger: 'user.updated',
    condition: `"${name}" in user.groups`,
    effects: [{ do: 'grant', app: service.appId, assignments: { seat: ['gold'] } }],
  });
  await rename(`${name} EMEA`);
  await service.settled();
  const intern = (await scim('POST', '/Users', newUser())).body.id;
  await scim('POST', '/Groups', { schemas: [GROUP], displayName: name, members: [{ value: intern }] });
  await service.settled();
  expect(await service.tasksOf(id)).toEqual([]);
  expect(await read(id)).toMatchObject(held(1, { kind: 'group_renamed' }));
});

test('a group that gets a name that a condition mentions holds the policy, too', async () => {
  const { name, rename } = await openGroup();
  const id = await outside(`${name} of the board`);
  await rename(`${name} of the board`);
  await service.settled();
  expect(await read(id)).toMatchObject(held(0, { from: name }));
});

test('another change does not end the wait', async () => {
  const { name, rename } = await openGroup();
  const id = await outside(name);
  await rename(`${name} EMEA`);
  await service.settled();
  for (const change of [{ delay: 'P1D' }, { enabled: false }, { enabled: true }])
    expect((await service.call('PATCH', `/api/policies/${id}/`, change)).body).toMatchObject(
      held(3, { from: name }),
    );
  await service.nextDay();
  await service.settled();
  expect(await service.tasksOf(id)).toEqual([]);
});

test('a condition with the new name ends the wait', async () => {
  const { name, rename } = await openGroup();
  const id = await outside(name);
  await rename(`${name} EMEA`);
  await service.settled();
  const condition = `user.email in [${among}] && !("${name} EMEA" in user.groups)`;
  expect((await service.call('PATCH', `/api/policies/${id}/`, { condition })).body).toMatchObject({
    pending_confirmation: null,
  });
  await service.nextDay();
  await service.settled();
  expect(await service.tasksOf(id)).toEqual([]);
  expect(await read(id)).toMatchObject({ pending_confirmation: null });
});

test.each([
  ['revoke', `user.email in [${among}] && !(user.attributes.department in user.groups)`],
  ['grant', `user.email in [${among}] && user.groups.exists(g, g == user.attributes.department)`],
])(
  'a change of any group holds a policy that would %s by comparing groups with an attribute',
  async (kind, condition) => {
    const { id: group, name, rename } = await openGroup();
    for (const id of members)
      await service.call('PATCH', `/api/users/${id}/`, { attributes: { department: name } });
    await service.settled();
    const id = await service.policy({
      ...{ trigger: 'daily', condition },
      effects: [
        kind === 'grant'
          ? { do: kind, app: service.appId, assignments: { seat: ['gold'] } }
          : { do: kind, app: service.appId },
      ],
    });
    await rename(`${name} EMEA`);
    await service.settled();
    const because = { group_id: group, from: name, to: `${name} EMEA`, is_named: false };
    expect(await read(id)).toMatchObject(held(kind === 'grant' ? 0 : 3, because));
    await service.nextDay();
    await service.settled();
    expect(await service.tasksOf(id)).toEqual([]);
    expect(
      (await eventsOf(service, 'policy.held')).filter(({ payload }) => payload.policy_id === id),
    ).toMatchObject([{ payload: { because } }]);
  },
);

test('other policies fire on', async () => {
  const { rename } = await openGroup();
  const id = await service.policy({
    trigger: 'daily',
    condition: `user.email in [${among}] && !("Somebody else" in user.groups)`,
    effects: [{ do: 'suspend', app: service.appId }],
  });
  await rename('Something else');
  await service.nextDay();
  await service.settled();
  expect(await service.tasksOf(id)).toHaveLength(3);
});
