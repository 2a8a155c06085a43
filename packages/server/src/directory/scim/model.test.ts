// @module-tag engine
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { openScim, patchOf, type Scim, USER } from '#test/scim.ts';

let service: TestApp;
let scim: Scim;
beforeAll(async () => {
  service = await openTestApp();
  ({ scim } = await openScim(service));
});
afterAll(() => service.close());

/** A person as the model expects them. `id` is known after the first creation. */
interface Modeled {
  id: string;
  title: string | undefined;
  active: boolean;
  isKnown: boolean;
}

type Step =
  | { do: 'post' | 'put'; user: number; title: string | undefined; active: boolean }
  | { do: 'title'; user: number; title: string }
  | { do: 'active'; user: number; active: boolean }
  | { do: 'untitle' | 'delete'; user: number }
  | { do: 'join' | 'leave'; user: number; group: number }
  | { do: 'fill'; group: number; users: number[] };

const user = fc.integer({ min: 0, max: 3 });
const group = fc.integer({ min: 0, max: 1 });
const title = fc.constantFrom('Clerk', 'Chief');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('post', 'put'),
    user,
    title: fc.option(title, { nil: undefined }),
    active: fc.boolean(),
  }),
  fc.record({ do: fc.constant('title' as const), user, title }),
  fc.record({ do: fc.constant('active' as const), user, active: fc.boolean() }),
  fc.record({ do: fc.constantFrom('untitle', 'delete'), user }),
  fc.record({ do: fc.constantFrom('join', 'leave'), user, group }),
  fc.record({ do: fc.constant('fill' as const), group, users: fc.uniqueArray(user) }),
);

let run = 0;

/** Makes the calls, and the same changes of a model. Returns both. */
async function play(steps: Step[]) {
  const name = (n: number) => `model-${run}-${n}@acme.example`;
  const people = new Map<number, Modeled>();
  const groups: { id: string; members: Set<number> }[] = [];
  for (const n of [0, 1]) {
    const { body } = await scim('POST', '/Groups', { displayName: `Model ${run} ${n}` });
    groups.push({ id: body.id, members: new Set() });
  }
  const bodyOf = (n: number, one: { title: string | undefined; active: boolean }) => ({
    schemas: [USER],
    userName: name(n),
    emails: [{ value: name(n), type: 'work' }],
    ...one,
  });
  const known = (n: number) => {
    const person = people.get(n);
    return person?.isKnown ? person : undefined;
  };
  const idOf = (n: number) => people.get(n)?.id ?? '0199a000-0000-7000-8000-000000000001';
  const expectStatus = async (answer: ReturnType<Scim>, status: number, about: Step) =>
    expect((await answer).status, JSON.stringify(about)).toBe(status);

  for (const one of steps) {
    if (one.do === 'fill') {
      const able = one.users.every((n) => known(n) !== undefined);
      const value = one.users.map((n) => ({ value: idOf(n) }));
      const target = groups[one.group];
      const call = scim('PATCH', `/Groups/${target?.id}`, patchOf({ op: 'replace', path: 'members', value }));
      await expectStatus(call, able ? 204 : 400, one);
      if (able && target !== undefined) target.members = new Set(one.users);
      continue;
    }
    const person = known(one.user);
    const path = `/Users/${idOf(one.user)}`;
    const patch = (operation: object) =>
      expectStatus(scim('PATCH', path, patchOf(operation)), person ? 200 : 404, one);
    switch (one.do) {
      case 'post': {
        const answer = await scim('POST', '/Users', bodyOf(one.user, one));
        expect(answer.status, JSON.stringify(one)).toBe(person ? 409 : 201);
        const { id } = answer.body;
        const before = people.get(one.user);
        if (before !== undefined && !person) expect(id).toBe(before.id);
        // A person who comes back keeps an attribute that the body does not name.
        if (!person)
          people.set(one.user, { id, title: one.title ?? before?.title, active: one.active, isKnown: true });
        break;
      }
      case 'put':
        await expectStatus(scim('PUT', path, bodyOf(one.user, one)), person ? 200 : 404, one);
        if (person) Object.assign(person, { title: one.title, active: one.active });
        break;
      case 'title':
        await patch({ op: 'replace', path: 'title', value: one.title });
        if (person) person.title = one.title;
        break;
      case 'untitle':
        await patch({ op: 'remove', path: 'title' });
        if (person) person.title = undefined;
        break;
      case 'active':
        await patch({ op: 'replace', value: { active: one.active } });
        if (person) person.active = one.active;
        break;
      case 'delete':
        await expectStatus(scim('DELETE', path), person ? 204 : 404, one);
        if (person) Object.assign(person, { active: false, isKnown: false });
        if (person) for (const { members } of groups) members.delete(one.user);
        break;
      default: {
        const target = groups[one.group];
        const isJoin = one.do === 'join';
        const operation = isJoin
          ? { op: 'add', path: 'members', value: [{ value: idOf(one.user) }] }
          : { op: 'remove', path: `members[value eq "${idOf(one.user)}"]` };
        const call = scim('PATCH', `/Groups/${target?.id}`, patchOf(operation));
        await expectStatus(call, isJoin && !person ? 400 : 204, one);
        if (isJoin && person) target?.members.add(one.user);
        if (!isJoin) target?.members.delete(one.user);
      }
    }
  }
  return { people, groups, name };
}

test('any sequence of calls leaves the people and groups that a model expects', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      run++;
      const { people, groups, name } = await play(steps);
      const filter = encodeURIComponent(`userName sw "model-${run}-"`);
      const { body } = await scim('GET', `/Users?filter=${filter}`);
      const found = new Map<string, { title?: string; active: boolean }>(
        body.Resources.map((one: { id: string }) => [one.id, one]),
      );
      for (const [n, person] of people) {
        const { body: stored } = await service.call('GET', `/api/users/${person.id}/`);
        const own = groups.flatMap(({ members }, i) => (members.has(n) ? [`Model ${run} ${i}`] : []));
        expect(stored).toMatchObject({
          username: name(n),
          email: name(n),
          status: person.active ? 'active' : 'deactivated',
          groups: own.map((display_name) => ({ display_name })),
        });
        expect(stored.attributes.title).toBe(person.title);
        const resource = found.get(person.id);
        if (!person.isKnown) expect(resource).toBeUndefined();
        else expect(resource).toMatchObject({ active: person.active });
        if (person.isKnown) expect(resource?.title).toBe(person.title);
      }
      expect(found.size).toBe([...people.values()].filter(({ isKnown }) => isKnown).length);
    }),
    { numRuns: (process.env.GATEHOUSE_TESTS ?? 'once') === 'once' ? 15 : 100 },
  );
}, 240_000);
