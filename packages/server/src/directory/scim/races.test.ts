// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, openTestApp, type TestApp } from '#test/app.ts';
import { eventsOf } from '#test/people.ts';
import { newUser, openScim, patchOf, type Scim, scimCaller } from '#test/scim.ts';

/** Two identity providers, or two workers of one, that write the same organization at the same time. */
let service: TestApp;
let one: Scim;
let other: Scim;
beforeAll(async () => {
  service = await openTestApp();
  const { scim, owner } = await openScim(service);
  const { body } = await owner('POST', '/api/api-keys/', { name: 'the other', scopes: ['scim'] });
  [one, other] = [scim, scimCaller(service, body.key)];
});
afterAll(() => service.close());

const ROUNDS = 5;

/** Sends a request of each client at the same time. */
const both = (first: (scim: Scim) => Promise<Answer>, second = first) =>
  Promise.all([first(one), second(other)]);
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
const winnerOf = (answers: Answer[]) => answers.find(({ status }) => status < 300) as Answer;
const loserOf = (answers: Answer[]) => answers.find(({ status }) => status >= 300) as Answer;
const totalOf = async (path: string, filter: string) =>
  (await one('GET', `${path}?filter=${encodeURIComponent(filter)}`)).body.totalResults;
const ifMatch = ({ meta }: { meta: { version: string } }) => ({ 'if-match': meta.version });

describe('two POSTs', () => {
  test.each([
    ['userName', () => ({ userName: `Same-${randomUUID()}` })],
    ['externalId', () => ({ externalId: randomUUID() })],
    ['email', () => ({ emails: [{ value: `${randomUUID()}@acme.example`, type: 'work' }] })],
  ])('of users with the same %s create one, and name it to the other client', async (name, same) => {
    for (let round = 0; round < ROUNDS; round++) {
      const more = same();
      const answers = await both((scim) => scim('POST', '/Users', newUser(more)));
      expect(statuses(answers)).toEqual([201, 409]);
      expect(loserOf(answers).body).toMatchObject({
        scimType: 'uniqueness',
        detail: expect.stringMatching(
          new RegExp(`this ${name} already exists: .*/Users/${winnerOf(answers).body.id}\\.$`),
        ),
      });
    }
  });

  test('of groups with the same name create one, and name it to the other client', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const displayName = `Same ${randomUUID()}`;
      const answers = await both((scim) => scim('POST', '/Groups', { displayName }));
      expect(statuses(answers)).toEqual([201, 409]);
      expect(loserOf(answers).body.detail).toContain(`/Groups/${winnerOf(answers).body.id}`);
      expect(await totalOf('/Groups', `displayName eq "${displayName}"`)).toBe(1);
    }
  });

  test('for a person whom the client deleted bring them back once', async () => {
    const sent = newUser();
    const { id } = (await one('POST', '/Users', sent)).body;
    await one('DELETE', `/Users/${id}`);
    const answers = await both((scim) => scim('POST', '/Users', sent));
    expect(statuses(answers)).toEqual([201, 409]);
    expect(winnerOf(answers).body).toMatchObject({ id, active: true });
    expect(await totalOf('/Users', `userName eq "${sent.userName}"`)).toBe(1);
  });
});

describe('two changes with the same ETag', () => {
  const addUser = async () => (await one('POST', '/Users', newUser())).body;
  const addGroup = async () => (await one('POST', '/Groups', { displayName: randomUUID() })).body;

  test('of a user: one wins, and the other gets 412', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await addUser();
      const change = (title: string) => (scim: Scim) =>
        scim(
          'PATCH',
          `/Users/${user.id}`,
          patchOf({ op: 'replace', path: 'title', value: title }),
          ifMatch(user),
        );
      const answers = await both(change('A'), change('B'));
      expect(statuses(answers)).toEqual([200, 412]);
      expect((await one('GET', `/Users/${user.id}`)).body).toEqual(winnerOf(answers).body);
    }
  });

  test('of a group: one wins, and the other gets 412', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [group, ...people] = [await addGroup(), await addUser(), await addUser()];
      const add = (person: { id: string }) => (scim: Scim) =>
        scim(
          'PATCH',
          `/Groups/${group.id}`,
          patchOf({ op: 'add', path: 'members', value: [{ value: person.id }] }),
          ifMatch(group),
        );
      const answers = await both(add(people[0]), add(people[1]));
      expect(statuses(answers)).toEqual([204, 412]);
      const { members } = (await one('GET', `/Groups/${group.id}`)).body;
      const winner = people[answers.findIndex(({ status }) => status === 204)];
      expect(members.map(({ value }: { value: string }) => value)).toEqual([winner.id]);
    }
  });

  test('a change and a deletion: one wins, and the other is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await addUser();
      const body = patchOf({ op: 'replace', path: 'title', value: 'A' });
      const [changed, deleted] = await both(
        (scim) => scim('PATCH', `/Users/${user.id}`, body, ifMatch(user)),
        (scim) => scim('DELETE', `/Users/${user.id}`, undefined, ifMatch(user)),
      );
      expect([
        [200, 412],
        [404, 204],
      ]).toContainEqual([changed?.status, deleted?.status]);
    }
  });
});

describe('two changes without an ETag', () => {
  test('of different attributes of a user both stay', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = (await one('POST', '/Users', newUser())).body;
      const set = (path: string) => (scim: Scim) =>
        scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path, value: 'set' }));
      expect(statuses(await both(set('title'), set('nickName')))).toEqual([200, 200]);
      expect((await one('GET', `/Users/${id}`)).body).toMatchObject({ title: 'set', nickName: 'set' });
    }
  });

  test('of different members of a group both stay, and the same member joins once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const group = (await one('POST', '/Groups', { displayName: randomUUID() })).body;
      const people: string[] = [];
      for (let n = 0; n < 3; n++) people.push((await one('POST', '/Users', newUser())).body.id);
      const add = (ids: string[]) => (scim: Scim) =>
        scim(
          'PATCH',
          `/Groups/${group.id}`,
          patchOf({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) }),
        );
      expect(statuses(await both(add(people.slice(0, 2)), add(people.slice(1))))).toEqual([204, 204]);
      const { members } = (await one('GET', `/Groups/${group.id}`)).body;
      expect(members.map(({ value }: { value: string }) => value).sort()).toEqual(people.sort());
      const joined = (await eventsOf(service, 'person_group.members_changed'))
        .filter(({ payload }) => payload.group_id === group.id)
        .map(({ payload }) => payload.added);
      expect(joined.sort()).toEqual([1, 2]);
    }
  });

  test('two renames to one name: both succeed', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const groups = await both((scim) => scim('POST', '/Groups', { displayName: randomUUID() }));
      const displayName = randomUUID();
      const rename = (group: Answer | undefined) => (scim: Scim) =>
        scim(
          'PATCH',
          `/Groups/${group?.body.id}`,
          patchOf({ op: 'replace', path: 'displayName', value: displayName }),
        );
      const answers = await both(rename(groups[0]), rename(groups[1]));
      expect(statuses(answers)).toEqual([204, 204]);
    }
  });
});
