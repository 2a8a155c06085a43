// @module-tag engine
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type List, openTestApp, type TestApp } from '#test/app.ts';

let service: TestApp;
beforeEach(async () => {
  service = await openTestApp();
});
afterEach(() => service.close());

const add = async (email: string, more: object = {}) =>
  (await service.call('POST', '/api/users/', { email, ...more })).body.external_uuid as string;
const duplicates = async (query = '') => (await service.call('GET', `/api/users/duplicates/?${query}`)).body;

test('lists pairs of people with their reasons, the likeliest first', async () => {
  const name = { first_name: 'Ada', last_name: 'Lovelace' };
  const one = await add('ada@acme.example', { ...name, attributes: { employee_number: 'E1' } });
  const other = await add('ada@acme.test', { ...name, attributes: { employeeNumber: 'e1' } });
  const [first, second] = [await add('rn.burn@acme.example'), await add('m.bum@acme.example')];
  await add('alan@acme.example', { first_name: 'Alan', last_name: 'Turing' });

  const { count, results } = await duplicates();

  expect(count).toBe(2);
  expect(results).toMatchObject([
    {
      score: 100,
      reasons: ['employee_number', 'name', 'local_part'],
      people: [{ external_uuid: one }, { external_uuid: other }],
    },
    {
      score: 80,
      reasons: ['lookalike_email'],
      people: [{ external_uuid: first }, { external_uuid: second }],
    },
  ]);
  expect(await duplicates('limit=1&offset=1')).toMatchObject({ count: 2, results: [{ score: 80 }] });
});

test('follows changes of people', async () => {
  const one = await add('ada@acme.example', { attributes: { employee_number: 'E1' } });
  const other = await add('grace@acme.example', { attributes: { employee_number: 'E2' } });
  const patch = (id: string, change: object) => service.call('PATCH', `/api/users/${id}/`, change);
  expect((await duplicates()).count).toBe(0);

  await patch(other, { attributes: { employee_number: 'e1' } });
  expect((await duplicates()).results).toMatchObject([{ reasons: ['employee_number'] }]);

  await patch(one, { email: 'grace@acme.test', attributes: { employee_number: null } });
  expect((await duplicates()).results).toMatchObject([{ reasons: ['local_part'] }]);

  await service.call('DELETE', `/api/users/${other}/`);
  expect((await duplicates()).count).toBe(0);
});

test('leaves out a value that more than ten people have', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 11; n++)
    ids.push(await add(`${'abcdefghijk'[n]}@acme.example`, { first_name: 'Ada', last_name: 'Lovelace' }));
  expect((await duplicates()).count).toBe(0);

  await service.call('PATCH', `/api/users/${ids[0]}/`, { last_name: 'Byron' });
  expect((await duplicates()).count).toBe(45);
});

test('leaves out people who were merged', async () => {
  const name = { first_name: 'Ada', last_name: 'Lovelace' };
  const [into, from] = [await add('ada@acme.example', name), await add('ada@acme.test', name)];
  await add('rn.burn@acme.example');
  await add('m.bum@acme.example');
  expect((await duplicates()).count).toBe(2);
  await service.call('POST', `/api/users/${into}/merge/`, { from });

  expect((await duplicates()).count).toBe(1);
});

interface Person {
  external_uuid: string;
  email: string;
  first_name: string;
  last_name: string;
  attributes: Record<string, string>;
  merged_into?: unknown;
}

/** The pairs and their reasons, found by comparing everybody with everybody. */
async function compared(): Promise<string[]> {
  const { results: people }: List<Person> = (await service.call('GET', '/api/users/?limit=200')).body;
  const values: Record<string, (person: Person) => string | undefined> = {
    employee_number: ({ attributes: { employee_number: a, employeeId: b } }) => (a || b)?.toLowerCase(),
    name: ({ first_name, last_name }) => (first_name && last_name ? `${first_name} ${last_name}` : undefined),
    local_part: ({ email }) => email.split('@')[0],
  };
  return people.flatMap((one) =>
    people.flatMap((other) => {
      const reasons = Object.keys(values).filter((reason) => {
        const value = values[reason]?.(one);
        return value && value === values[reason]?.(other);
      });
      return one.external_uuid < other.external_uuid && reasons.length > 0
        ? [`${one.external_uuid} ${other.external_uuid} ${reasons}`]
        : [];
    }),
  );
}

const fields = fc.record(
  {
    email: fc
      .record({
        name: fc.constantFrom('ada', 'grace', 'alan'),
        at: fc.constantFrom('acme', 'initech', 'hooli'),
      })
      .map(({ name, at }) => `${name}@${at}.example`),
    first_name: fc.constantFrom('', 'Ada', 'Alan'),
    last_name: fc.constantFrom('', 'Turing'),
    attributes: fc.record(
      {
        employee_number: fc.constantFrom('', 'E1', 'e1', 'E2'),
        employeeId: fc.constantFrom('', 'E1', 'E2'),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const person = fc.nat({ max: 5 });
const change = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('change' as const), person, fields }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), person, other: person }) },
);

test('lists what comparing everybody with everybody finds, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 15, maxLength: 25, size: 'max' }), async (changes) => {
      await service.close();
      service = await openTestApp();
      const ids: (string | undefined)[] = [];
      for (const each of changes) {
        const id = ids[each.person];
        // Refused changes are part of it, such as one to an email that another person has.
        if (each.do === 'change' && id === undefined)
          ids[each.person] = await add(`p${each.person}@new.example`, { ...each.fields });
        else if (each.do === 'change') await service.call('PATCH', `/api/users/${id}/`, each.fields);
        else if (each.do === 'delete' && id !== undefined) await service.call('DELETE', `/api/users/${id}/`);
        else if (each.do === 'merge' && id !== undefined && ids[each.other] !== undefined)
          await service.call('POST', `/api/users/${id}/merge/`, { from: ids[each.other] });
        if (each.do === 'delete') ids[each.person] = undefined;
      }
      const { results } = await duplicates('limit=200');
      const listed = results.map(
        ({ people, reasons }: { people: Person[]; reasons: string[] }) =>
          `${people.map(({ external_uuid }) => external_uuid).join(' ')} ${reasons}`,
      );
      expect(listed.sort()).toEqual((await compared()).sort());
    }),
    { numRuns: 12 },
  );
});
