import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { eventsOf } from '#test/people.ts';
import { newUser, openScim, type Scim, type ScimTest } from '#test/scim.ts';
import { forgetAttempts, openBrowser, PASSWORD, signInAs } from '#test/sign-in.ts';

/** An attribute that says who somebody is, in imports (D63). */
let service: TestApp;
let scim: Scim;
let owner: ScimTest['owner'];
beforeAll(async () => {
  service = await openTestApp({ own: true });
  ({ scim, owner } = await openScim(service));
  expect(await owner('PATCH', '/api/organization/', { person_key: 'employee_number' })).toMatchObject({
    status: 200,
    body: { person_key: 'employee_number' },
  });
});
afterAll(() => service.close());
beforeEach(() => forgetAttempts(service));

const HEADER = 'email,first_name,employee_number,status';
const MATCH = '?match=employee_number';
const send = (rows: string[], query = '', header = HEADER, key?: string) =>
  service.call('POST', `/api/users/import/${query}`, [header, ...rows].join('\n'), {
    headers: { 'content-type': 'text/csv' },
    ...(key === undefined ? {} : { key }),
  });
const person = async (id: string) => (await service.call('GET', `/api/users/${id}/`)).body;
const passwordOf = async (email: string) =>
  (await openBrowser(service).call('POST', '/auth/sign-in/', { email, password: PASSWORD })).status;

let number = 0;
/** A person with an employee number and a password. */
async function add(more: object = {}) {
  const own = String(1000 + ++number);
  const email = `person-${own}@acme.example`;
  const given = { email, first_name: 'Ada', attributes: { employee_number: own }, ...more };
  const { body } = await service.call('POST', '/api/users/', given);
  await signInAs(service, { external_uuid: body.external_uuid, email });
  return { id: body.external_uuid as string, email, number: own };
}
const leave = (id: string) => owner('POST', `/api/users/${id}/deactivate/`);
const problemOf = (answer: { status: number; body: { errors?: { message: string }[] } }) => ({
  status: answer.status,
  problem: answer.body.errors?.[0]?.message,
});

describe('a file that finds people by email', () => {
  test('says that a number belongs to a person with another email', async () => {
    const ada = await add();

    expect(problemOf(await send([`king-${ada.email},Ada,${ada.number},active`]))).toEqual({
      status: 400,
      problem: `employee_number: ${ada.email} has ${ada.number}. Find people by employee_number (match=employee_number) if this person has another email now.`,
    });
    expect((await send([`${ada.email},Ada,${ada.number},active`])).status).toBe(200);
  });

  test('does not make one person another, whether they are active or left', async () => {
    const [active, leaver] = [await add(), await add()];
    await leave(leaver.id);

    for (const { email, id, number: own } of [active, leaver]) {
      const answer = problemOf(await send([`${email},Alex,9${own},active`]));

      expect(answer).toEqual({ status: 400, problem: expect.stringContaining('this is somebody else') });
      expect(await person(id)).toMatchObject({
        first_name: 'Ada',
        attributes: { employee_number: own },
      });
    }
    expect((await person(leaver.id)).status).toBe('deactivated');
  });

  test('does not exchange the records of two people', async () => {
    const [one, two] = [await add(), await add()];

    const answer = await send([
      `${two.email},Ada,${one.number},active`,
      `${one.email},Bob,${two.number},active`,
    ]);

    expect(answer.body.errors).toHaveLength(2);
  });

  test('refuses a number that two rows have', async () => {
    expect(
      problemOf(
        await send(['first-twice@acme.example,A,77,active', 'second-twice@acme.example,B,77,active']),
      ),
    ).toEqual({ status: 400, problem: 'Line 2 has the same employee_number.' });
  });
});

describe('a file that finds people by the number', () => {
  test('changes the email of a person, and leaves their sign-in', async () => {
    const ada = await add();

    const answer = await send([`king-${ada.email},Ada,${ada.number},active`], MATCH);

    expect(answer).toMatchObject({
      status: 200,
      body: {
        updated: 1,
        changes: [{ changes: [{ field: 'email', from: ada.email, to: `king-${ada.email}` }] }],
      },
    });
    expect(await person(ada.id)).toMatchObject({ email: `king-${ada.email}` });
    expect(await passwordOf(`king-${ada.email}`)).toBe(200);
  });

  test('needs no email for people whom it knows', async () => {
    const ada = await add();

    expect((await send([`${ada.number},Countess`], MATCH, 'employee_number,title')).body).toMatchObject({
      updated: 1,
    });
    expect(problemOf(await send(['31415,Countess'], MATCH, 'employee_number,title'))).toMatchObject({
      status: 400,
      problem: expect.stringContaining('no email for a new person'),
    });
  });

  test('brings a person back with their sign-in', async () => {
    const ada = await add();
    await leave(ada.id);

    expect((await send([`${ada.email},Ada,${ada.number},active`], MATCH)).body).toMatchObject({ updated: 1 });

    expect((await person(ada.id)).status).toBe('active');
    expect(await passwordOf(ada.email)).toBe(200);
  });

  test('makes a new person who succeeds somebody who left with the same email', async () => {
    const leaver = await add();
    await leave(leaver.id);
    const row = `${leaver.email},Alex,5${leaver.number},active`;
    expect((await send([row], `${MATCH}&dry_run=true`)).body).toMatchObject({ created: 1 });
    expect(await person(leaver.id)).not.toHaveProperty('succeeded_by');

    expect((await send([row], MATCH)).body).toMatchObject({ created: 1, updated: 0 });

    const { succeeded_by: heir } = await person(leaver.id);
    expect(await person(heir)).toMatchObject({ email: leaver.email, first_name: 'Alex' });
    expect(await passwordOf(leaver.email)).toBe(401);
    const recorded = (await eventsOf(service, 'person.succeeded')).filter(
      ({ subject }) => subject.uuid === leaver.id,
    );
    expect(recorded).toHaveLength(1);
    // The former person comes back by their number, under an email of their own.
    expect(problemOf(await send([`${leaver.email},Ada,${leaver.number},active`], MATCH)).status).toBe(400);
    expect((await send([`back-${leaver.email},Ada,${leaver.number},active`], MATCH)).status).toBe(200);
    expect(await person(leaver.id)).toMatchObject({ status: 'active', email: `back-${leaver.email}` });
    expect(await person(leaver.id)).not.toHaveProperty('succeeded_by');
  });

  test('takes the email of nobody else', async () => {
    const [one, two] = [await add(), await add()];
    const managed = newUser({ active: false });
    await scim('POST', '/Users', managed);

    for (const row of [
      `${two.email},Ada,${one.number},active`,
      `${two.email},Alex,8${one.number},active`,
      `${managed.userName},Alex,7${one.number},active`,
    ]) {
      const answer = problemOf(await send([row], MATCH));
      expect(answer.status, row).toBe(400);
    }
    expect((await person(two.id)).attributes.employee_number).toBe(two.number);
  });

  test('finds a person without a number by email, once', async () => {
    const ada = await add({ attributes: {} });

    expect((await send([`${ada.email},Ada,${ada.number},active`], MATCH)).body).toMatchObject({ updated: 1 });

    expect((await person(ada.id)).attributes).toEqual({ employee_number: ada.number });
    expect(problemOf(await send([`${ada.email},Ada,6${ada.number},active`], MATCH)).status).toBe(400);
  });

  test('brings a person without a number back without their sign-in, as only the email names them', async () => {
    const ada = await add({ attributes: {} });
    await leave(ada.id);

    expect((await send([`${ada.email},Ada,${ada.number},active`], MATCH)).body).toMatchObject({ updated: 1 });

    expect((await person(ada.id)).status).toBe('active');
    expect(await passwordOf(ada.email)).toBe(401);
  });

  test('refuses a row without a number, and a number that two people have', async () => {
    const [one, two] = [await add({ attributes: { employee_number: '42' } }), await add()];
    await service.call('PATCH', `/api/users/${two.id}/`, { attributes: { employee_number: 42 } });

    expect(problemOf(await send([`${one.email},Ada,,active`], MATCH)).problem).toBe(
      'employee_number: The row has none, so it names nobody.',
    );
    expect(problemOf(await send(['somebody@acme.example,Ada,42,active'], MATCH)).problem).toBe(
      `employee_number: ${one.email} and ${two.email} have 42. Correct one of them first.`,
    );
  });

  test.for([
    ['owner', 'was an owner'],
    ['admin', 'was an administrator'],
    ['auditor', 'was an auditor'],
  ])('lets only an owner pass on the email of a former %s', async ([role, reason]) => {
    const [former, admin] = [await add(), await add()];
    const giveRole = (id: string, role: string) => owner('PATCH', `/api/users/${id}/`, { role });
    expect((await giveRole(admin.id, 'admin')).status).toBe(200);
    expect((await giveRole(former.id, role as string)).status).toBe(200);
    expect((await leave(former.id)).status).toBe(200);
    const browser = await signInAs(service, { external_uuid: admin.id, email: admin.email });
    const { body: made } = await browser.call('POST', '/api/api-keys/', { name: 'hr', scopes: ['govern'] });
    const row = `${former.email},Alex,3${former.number},active`;

    const refused = await send([row], MATCH, HEADER, made.key);

    expect(problemOf(refused).problem).toContain(reason as string);
    expect((await send([row], MATCH)).status).toBe(200);
  });
});

test('a column that says nothing of who somebody is cannot be matched', async () => {
  for (const [match, detail] of [
    ['first_name', 'first_name does not'],
    ['badge', 'has no column badge'],
  ])
    expect(await send(['a@acme.example,A,1,active'], `?match=${match}`)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail as string) },
    });
});

test('another attribute does not make one person another', async () => {
  const ada = await add();
  await service.call('PATCH', `/api/users/${ada.id}/`, { attributes: { badge: 'B-2' } });

  const answer = await send(
    [`B-2,${ada.email},2${ada.number}`],
    '?match=badge',
    'badge,email,employee_number',
  );

  expect(problemOf(answer)).toEqual({
    status: 400,
    problem: expect.stringContaining('this is somebody else'),
  });
});

test('another attribute finds people as well, but proves nothing: they come back without their sign-in', async () => {
  const ada = await add({ attributes: { badge: 'B-1' } });
  await leave(ada.id);

  expect((await send([`B-1,active`], '?match=badge', 'badge,status')).body).toMatchObject({ updated: 1 });

  expect((await person(ada.id)).status).toBe('active');
  expect(await passwordOf(ada.email)).toBe(401);
});

test('the attribute can be changed and removed, with an event', async () => {
  await owner('PATCH', '/api/organization/', { person_key: null });
  expect((await owner('GET', '/api/organization/')).body.person_key).toBeNull();
  const changes = (await eventsOf(service, 'organization.updated')).flatMap(({ payload }) => payload.changes);
  expect(changes).toContainEqual({ field: 'person_key', from: 'employee_number', to: null });
  await owner('PATCH', '/api/organization/', { person_key: 'employee_number' });
});
