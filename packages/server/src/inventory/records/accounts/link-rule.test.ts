// @module-tag engine
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { openScim, patchOf, type Scim, type ScimTest, USER } from '#test/scim.ts';
import { linkForgotten } from './links.ts';

/** An account changes its person by itself only if the email of its record becomes that of another person (D83). */
let service: ProvisioningTest;
let scim: Scim;
let owner: ScimTest['owner'];
let call: ProvisioningTest['call'];
beforeAll(async () => {
  service = await openProvisioningTest();
  call = service.call;
  ({ scim, owner } = await openScim(service));
  await owner('PATCH', '/api/organization/', { person_key: 'employee_number' });
});
afterAll(() => service.close());

let number = 0;
const newEmail = (name = 'lena') => `${name}-${++number}@rule.example`;

interface Record {
  id: string;
  email?: string | undefined;
  [field: string]: unknown;
}

/** All pushed accounts. Each test adds its own, so that no sync removes those of another test. */
const pushed = new Map<string, Record>();
async function sync(...records: Record[]) {
  for (const record of records) pushed.set(record.id, { username: record.id, ...record });
  await service.sync([...pushed.values()]);
}
async function syncWithout(id: string) {
  pushed.delete(id);
  await sync();
}

const done = async (answer: ReturnType<Scim>) => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
};
const addPerson = async (email: string, more: object = {}): Promise<string> =>
  (await done(call('POST', '/api/users/', { email, ...more }))).external_uuid;
const rename = (id: string, email: string) => done(call('PATCH', `/api/users/${id}/`, { email }));
const accountOf = async (externalId: string) => {
  const { results } = await done(call('GET', `/api/accounts/?app=${service.appId}&limit=200`));
  return results.find(({ external_id }: { external_id: string }) => external_id === externalId);
};
const movesOf = async (externalId: string) =>
  (await eventsOf(service, 'account_link.changed'))
    .filter(({ payload }) => payload.external_id === externalId)
    .map(({ payload }) => [payload.from, payload.to]);

let record = 0;
/** A person with an account of the same email. `id` is the external id of the account. */
async function addHolder(more: object = {}) {
  const email = newEmail();
  const lena = await addPerson(email, more);
  const id = `record-${++record}`;
  const given = { id, email, first_name: 'A', memberships: { team: [{ id: 'red' }] } };
  await sync(given);
  expect(await accountOf(id)).toMatchObject({ user: lena, status: 'ACTIVE' });
  return { lena, email, id, given };
}

/** Renames the person, and gives the address to somebody else. */
async function passOn(lena: string, email: string): Promise<string> {
  await rename(lena, newEmail('married'));
  return addPerson(email);
}

describe('an address that passes to another person takes no account along', () => {
  test('when an identity provider deactivates and renames its holder', async () => {
    const email = newEmail();
    const user = (externalId: string) => ({
      ...{ schemas: [USER], externalId, userName: email },
      emails: [{ value: email, type: 'work', primary: true }],
    });
    const lena = await done(scim('POST', '/Users', user('o-1')));
    const given = { id: 'l1', email, first_name: 'A', memberships: { team: [{ id: 'red' }] } };
    await sync(given);
    const { external_uuid: accountId } = await accountOf('l1');
    const planned = { appId: service.appId, accountId, taskType: 'POLICY', createdBy: null } as const;
    const executeAfter = new Date(Date.now() + 86_400_000);
    const tasks = await service.create(
      { ...planned, action: 'suspend_account', executeAfter },
      { ...planned, action: 'delete_account', executeAfter },
    );

    const operations = [
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `zz-${email}` },
      { op: 'Replace', path: 'userName', value: `zz-${email}` },
    ];
    await done(scim('PATCH', `/Users/${lena.id}`, patchOf(...operations)));
    const stranger = await done(scim('POST', '/Users', user('o-2')));
    await sync({ ...given, first_name: 'B' });
    await linkForgotten(service.database.db);

    expect(stranger.id).not.toBe(lena.id);
    expect(await accountOf('l1')).toMatchObject({
      ...{ user: lena.id, status: 'ACTIVE', memberships: { team: [{ id: 'red' }] } },
    });
    for (const { id } of tasks)
      expect(await done(call('GET', `/api/tasks/${id}/`))).toMatchObject({
        ...{ status: 'scheduled', app_user: { external_uuid: accountId } },
      });
    expect((await done(call('GET', `/api/accounts/?user=${stranger.id}`))).results).toEqual([]);
    expect(await movesOf('l1')).toEqual([]);
  });

  test.each<[string, (id: string, email: string, given: { number: string }) => Promise<unknown>]>([
    ['an administrator', (id, email) => call('PATCH', `/api/users/${id}/`, { email })],
    [
      'a PATCH of an identity provider',
      (id, value) =>
        scim(
          'PATCH',
          `/Users/${id}`,
          patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value }),
        ),
    ],
    [
      'a PUT of an identity provider',
      (id, value) =>
        scim('PUT', `/Users/${id}`, {
          ...{ schemas: [USER], userName: value, emails: [{ value, type: 'work' }], active: true },
        }),
    ],
    [
      'an import',
      (_, email, given) =>
        call(
          'POST',
          '/api/users/import/?match=employee_number',
          `email,employee_number\n${email},${given.number}`,
          {
            headers: { 'content-type': 'text/csv' },
          },
        ),
    ],
  ])('when %s renames its holder', async (_, door) => {
    const employee = String(++number);
    const { lena, email, id, given } = await addHolder({ attributes: { employee_number: employee } });
    const other = newEmail('other');
    await done(door(lena, other, { number: employee }) as ReturnType<Scim>);
    expect((await done(call('GET', `/api/users/${lena}/`))).email).toBe(other);
    await addPerson(email);

    await sync({ ...given, first_name: 'B' });
    await sync({ ...given, email: email.toUpperCase() });
    await linkForgotten(service.database.db);

    expect(await accountOf(id)).toMatchObject({ user: lena });
    expect(await movesOf(id)).toEqual([]);
  });

  test('when the holder is deleted for good', async () => {
    const { lena, email, id, given } = await addHolder();
    await done(owner('DELETE', `/api/users/${lena}/`));
    await addPerson(email);
    await sync({ ...given, first_name: 'B' });
    expect(await accountOf(id)).toMatchObject({ user: null });
  });

  test('when the record lacks its email, or is away, for a while', async () => {
    const [one, two] = [await addHolder(), await addHolder()];
    for (const { lena, email } of [one, two]) await passOn(lena, email);
    await sync({ ...one.given, email: undefined });
    await syncWithout(two.id);
    await sync(one.given, two.given);

    expect(await accountOf(one.id)).toMatchObject({ user: one.lena });
    expect(await accountOf(two.id)).toMatchObject({ user: two.lena });
  });

  test('when a sync gave the record another email and is reverted', async () => {
    const { lena, email, id, given } = await addHolder();
    const bob = await addPerson(newEmail('bob'));
    const { email: other } = await done(call('GET', `/api/users/${bob}/`));
    await sync({ ...given, email: other });
    expect(await accountOf(id)).toMatchObject({ user: bob });
    const { results } = await done(call('GET', `/api/apps/${service.appId}/syncs/?limit=1`));
    const session = results[0].external_uuid ?? results[0].sync_id;
    await done(
      call('POST', `/api/apps/${service.appId}/syncs/${session}/revert/`, { reason: 'Wrong export.' }),
    );
    expect(await accountOf(id)).toMatchObject({ user: lena, email });

    await passOn(lena, email);
    await sync({ ...given, first_name: 'B' });
    expect(await accountOf(id)).toMatchObject({ user: lena, email });
  });

  test('when a task wrote the new email of its holder to the account', async () => {
    const { lena, email, id, given } = await addHolder();
    await sync({ ...given, status: 'inactive' });
    await passOn(lena, email);
    await service.create({
      ...{ action: 'create_account', appId: service.appId, userId: lena },
      ...{ taskType: 'POLICY', createdBy: null },
    });
    expect(await accountOf(id)).toMatchObject({ user: lena, status: 'NEW' });

    await sync(given);
    expect(await accountOf(id)).toMatchObject({ user: lena, status: 'ACTIVE', email });
  });

  test('when syncs cross with the change', async () => {
    const holders = [await addHolder(), await addHolder(), await addHolder()];
    await Promise.all([
      sync(...holders.map(({ given }) => ({ ...given, first_name: 'B' }))),
      ...holders.map(({ lena, email }) => passOn(lena, email)),
    ]);
    await sync(...holders.map(({ given }) => ({ ...given, first_name: 'C' })));
    await linkForgotten(service.database.db);

    for (const { id, lena } of holders) expect(await accountOf(id)).toMatchObject({ user: lena });
  });
});

describe('a record that gets another email', () => {
  test('moves to the person who has it, and back, and stays while nobody does', async () => {
    const { lena, id, given } = await addHolder();
    const address = newEmail('bob');
    const bob = await addPerson(address);

    await sync({ ...given, email: newEmail('nobody') });
    expect(await accountOf(id)).toMatchObject({ user: lena });
    await sync({ ...given, email: address });
    expect(await accountOf(id)).toMatchObject({ user: bob });
    await sync(given);
    expect(await accountOf(id)).toMatchObject({ user: lena });
    expect(await movesOf(id)).toEqual([
      [lena, bob],
      [bob, lena],
    ]);
  });

  test('stays where an administrator linked or unlinked it', async () => {
    const [linked, unlinked] = [await addHolder(), await addHolder()];
    const address = newEmail('bob');
    await addPerson(address);
    const grace = await addPerson(newEmail('grace'));
    for (const [{ id }, user] of [[linked, grace] as const, [unlinked, null] as const])
      await done(call('PATCH', `/api/accounts/${(await accountOf(id)).external_uuid}/`, { user }));

    await sync(...[linked, unlinked].map(({ given }) => ({ ...given, email: address })));
    expect(await accountOf(linked.id)).toMatchObject({ user: grace });
    expect(await accountOf(unlinked.id)).toMatchObject({ user: null });
  });

  test('does not move to a person who gets the email later', async () => {
    const { lena, id, given } = await addHolder();
    const address = newEmail('later');
    await sync({ ...given, email: address });
    await addPerson(address);
    await sync({ ...given, email: address, first_name: 'B' });
    expect(await accountOf(id)).toMatchObject({ user: lena });
  });
});

test('the plan of a sync shows the people of accounts by the same rule', async () => {
  const [kept, moved] = [await addHolder(), await addHolder()];
  await passOn(kept.lena, kept.email);
  const address = newEmail('bob');
  const bob = await addPerson(address);
  for (const one of [
    { ...kept.given, first_name: 'B' },
    { ...moved.given, email: address },
  ])
    pushed.set(one.id, { username: one.id, ...one });
  const { sync_id } = await done(service.bridge('POST', '/sync/'));
  await done(service.bridge('PUT', `/sync/${sync_id}/person/`, { records: [...pushed.values()] }));

  const plan = `/api/apps/${service.appId}/syncs/${sync_id}/plan/?type=account&change=changed&limit=200`;
  const { results } = await done(call('GET', plan));
  const people = results.map(
    (one: { account: { external_id: string }; person: { external_uuid: string } }) => [
      one.account.external_id,
      one.person?.external_uuid,
    ],
  );
  expect(Object.fromEntries(people)).toEqual({ [kept.id]: kept.lena, [moved.id]: bob });
});

describe('the owner of a service account', () => {
  const bot = (id: string, owner?: string, more: object = {}) => ({ id, owner, ...more });
  const ownerOf = async (id: string) => (await accountOf(id)).owner?.external_uuid ?? null;

  test('does not pass on with an address, whatever the app spells', async () => {
    const email = newEmail('olga');
    const olga = await addPerson(email);
    await sync(bot('bot-1', email));
    await passOn(olga, email);

    await sync(bot('bot-1', email.toUpperCase(), { attributes: { title: 'Batch' } }));
    await linkForgotten(service.database.db);

    expect(await accountOf('bot-1')).toMatchObject({
      owner: { external_uuid: olga },
      owner_confirmed: false,
    });
  });

  test('changes with the email that the app names', async () => {
    const [one, two, three] = [newEmail('olga'), newEmail('otto'), newEmail('nobody')];
    const [olga, otto] = [await addPerson(one), await addPerson(two)];
    const [a, b] = ['bot-2', 'bot-3'];
    await sync(bot(a, one), bot(b, one));
    await sync(bot(a, two), bot(b, three));
    expect([await ownerOf(a), await ownerOf(b)]).toEqual([otto, null]);
    const third = await addPerson(three);
    expect(await ownerOf(b)).toBe(third);
    await passOn(third, three);
    expect(await ownerOf(b)).toBe(third);
    await sync(bot(b, one));
    expect(await ownerOf(b)).toBe(olga);
  });

  test('stays the same person under a new address, also when that passes on', async () => {
    const [before, after] = [newEmail('olga'), newEmail('olga')];
    const olga = await addPerson(before);
    await sync(bot('bot-4', before));
    await rename(olga, after);
    await sync(bot('bot-4', after));
    await passOn(olga, after);
    await sync(bot('bot-4', after, { attributes: { title: 'Night' } }));
    expect(await ownerOf('bot-4')).toBe(olga);
    const { external_uuid } = await accountOf('bot-4');
    const changes = (await eventsOf(service, 'account_owner.changed')).filter(
      ({ payload }) => payload.account_id === external_uuid,
    );
    expect(changes.flatMap(({ payload }) => payload.changes)).toMatchObject([
      { field: 'kind', to: 'service' },
      { field: 'owner', to: olga },
    ]);
  });

  test('who was deleted is followed by nobody with the same address, until the app names another one', async () => {
    const [email, other] = [newEmail('olga'), newEmail('otto')];
    const olga = await addPerson(email);
    await sync(bot('bot-5', email));
    await done(owner('DELETE', `/api/users/${olga}/`));
    await addPerson(email);
    await sync(bot('bot-5', email, { attributes: { title: 'Night' } }));
    expect(await ownerOf('bot-5')).toBe(null);
    const otto = await addPerson(other);
    await sync(bot('bot-5', other));
    expect(await ownerOf('bot-5')).toBe(otto);
  });
});

test('an owner whom the app names again after a while is the same person', async () => {
  const [email, other] = [newEmail('olga'), newEmail('otto')];
  const olga = await addPerson(email);
  const show = async (owner?: string) => {
    await sync({ id: 'bot-6', owner });
    await service.sync([...pushed.values()], { team: [{ id: 'again', name: 'Again', owner }] });
  };
  const owners = async () => {
    const { kind, owner } = await accountOf('bot-6');
    const { results } = await done(call('GET', `/api/apps/${service.appId}/resources/?slug=team&q=again`));
    return [kind, owner?.external_uuid ?? null, results[0].owner?.external_uuid ?? null];
  };
  await show(email);
  expect(await owners()).toEqual(['service', olga, olga]);
  await show();
  expect(await owners()).toEqual(['person', null, null]);
  await passOn(olga, email);
  await show();
  expect(await owners()).toEqual(['person', null, null]);
  await show(email.toUpperCase());
  expect(await owners()).toEqual(['service', olga, olga]);

  await show();
  const otto = await addPerson(other);
  await show(other);
  expect(await owners()).toEqual(['service', otto, otto]);

  await show();
  await done(owner('DELETE', `/api/users/${otto}/`));
  await addPerson(other);
  await show(other);
  expect(await owners()).toEqual(['service', null, null]);
});

test('a merge does not count accounts whose owner the app no longer names', async () => {
  const email = newEmail('olga');
  const [olga, into] = [await addPerson(email), await addPerson(newEmail('otto'))];
  await sync({ id: 'bot-7', owner: email });
  await sync({ id: 'bot-8', owner: email });
  await sync({ id: 'bot-7' });
  const { moved } = await done(call('POST', `/api/users/${into}/merge/`, { from: olga }));
  expect(moved.owned_accounts).toBe(1);
  await sync({ id: 'bot-7', owner: email });
  expect((await accountOf('bot-7')).owner?.external_uuid).toBe(into);
});

test('the owner of a group follows the same rule', async () => {
  const [one, two, three] = [newEmail('olga'), newEmail('otto'), newEmail('nobody')];
  const [olga, otto] = [await addPerson(one), await addPerson(two)];
  const show = (...owners: (string | undefined)[]) =>
    service.sync([...pushed.values()], {
      team: owners.map((owner, i) => ({ id: `owned-${i}`, name: `Owned ${i}`, owner })),
    });
  const ownersOf = async () => {
    const { results } = await done(call('GET', `/api/apps/${service.appId}/resources/?slug=team&q=owned`));
    return results.map(
      (one: { owner: { external_uuid: string } | null }) => one.owner?.external_uuid ?? null,
    );
  };
  const ownedBy = async (id: string) =>
    (await done(call('GET', `/api/apps/${service.appId}/resources/?owner=${id}`))).count;

  await show(one, one, one, three);
  expect(await ownersOf()).toEqual([olga, olga, olga, null]);
  const stranger = await passOn(olga, one);
  const third = await addPerson(three);
  await show(one.toUpperCase(), two, undefined, three);
  expect(await ownersOf()).toEqual([olga, otto, null, third]);
  expect([await ownedBy(olga), await ownedBy(stranger)]).toEqual([1, 0]);

  await done(owner('DELETE', `/api/users/${olga}/`));
  await done(call('POST', `/api/users/${otto}/merge/`, { from: third }));
  await show(one, three, two, three);
  expect(await ownersOf()).toEqual([null, otto, otto, otto]);
  await show(two);
  expect(await ownersOf()).toEqual([otto]);
});
