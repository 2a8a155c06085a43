import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithRole } from '#test/people.ts';
import { type Browser, PASSWORD, signInAs, signInAsOwner } from '#test/sign-in.ts';

interface Person {
  external_uuid: string;
  email: string;
}

let service: TestApp;
let grace: Person;
let alan: Person;
let browser: Browser;
beforeAll(async () => {
  service = await openTestApp();
  grace = await addPersonWithRole(service, 'grace@acme.example', 'admin');
  alan = await addPersonWithRole(service, 'alan@acme.example', 'member');
  await service.call('PATCH', `/api/users/${alan.external_uuid}/`, {
    first_name: 'Alan',
    last_name: 'Kay',
  });
  browser = await signInAs(service, alan);
});
afterAll(() => service.close());

/** A page that was drawn for a person, in a browser in which Alan is signed in. */
const pageOf =
  ({ external_uuid }: Person) =>
  (method: string, path: string, body?: unknown) =>
    browser.call(method, path, body, { headers: { 'gatehouse-person': external_uuid } });

const DETAIL =
  'You are signed in as Alan Kay now. This page was opened by somebody else, so nothing was changed. Reload the page, or sign in again as the person who opened it.';
const REFUSED = {
  status: 409,
  body: {
    detail: DETAIL,
    code: 'signed_in_as_another',
    errors: [{ path: '', code: 'signed_in_as_another', message: DETAIL }],
  },
};

test("refuses a decision on a page of somebody else, and accepts the person's own", async () => {
  const address = `/api/users/${alan.external_uuid}/`;
  const change = { last_name: 'Turing' };
  expect(await pageOf(grace)('PATCH', address, change)).toMatchObject(REFUSED);

  const asGrace = await signInAs(service, grace);
  const headers = { 'gatehouse-person': grace.external_uuid.toUpperCase() };
  expect(await asGrace.call('PATCH', address, { username: 'alan' }, { headers })).toMatchObject({
    status: 200,
    body: { last_name: 'Kay', username: 'alan' },
  });
});

test('refuses reads, a confirmation and the sign-out as well, and keeps the session', async () => {
  for (const [method, path, body] of [
    ['GET', '/api/me/'],
    ['POST', '/auth/confirm/', { password: PASSWORD }],
    ['POST', '/auth/sign-out/'],
  ] as const)
    expect(await pageOf(grace)(method, path, body), path).toMatchObject(REFUSED);

  expect((await pageOf(alan)('GET', '/api/me/')).status).toBe(200);
});

test('refuses each operation that changes something, whatever it is sent', async () => {
  const { paths } = (await service.app.http.inject('/openapi.json')).json();
  const unknown = '0199a000-0000-7000-8000-000000000001';
  const outcomes: string[] = [];
  for (const [address, operations] of Object.entries<Record<string, { security?: object[] }>>(paths)) {
    const path = address.replace('/org/{org}', '').replaceAll(/\{\w+\}/g, unknown);
    for (const [method, { security }] of Object.entries(operations)) {
      const isForSessions = address.startsWith('/org/') && security?.length !== 0;
      if (method === 'get' || method === 'head' || !isForSessions || path.startsWith('/scim/')) continue;
      const { status } = await pageOf(grace)(method.toUpperCase(), path);
      if (status !== 409) outcomes.push(`${method} ${path}: ${status}`);
    }
  }
  expect(outcomes).toEqual([]);
});

test('refuses a person who does not exist here, and a value that is not a UUID', async () => {
  const send = (value: string) =>
    browser.call('POST', '/auth/sign-out/', undefined, { headers: { 'gatehouse-person': value } });
  expect(await send('0199a000-0000-7000-8000-000000000001')).toMatchObject(REFUSED);
  for (const value of ['', 'alan', `${alan.external_uuid}, ${grace.external_uuid}`])
    expect(await send(value), value).toMatchObject({
      status: 400,
      body: {
        detail: 'Gatehouse-Person must be one UUID, the external_uuid of a person. Correct or omit it.',
      },
    });
});

describe('callers without a page', () => {
  test('a session without the header works', async () => {
    expect((await browser.call('PATCH', '/api/notifications/preferences/', {})).status).not.toBe(409);
    expect((await browser.call('GET', '/api/me/')).status).toBe(200);
  });

  test('an API key ignores the header', async () => {
    const headers = { 'gatehouse-person': alan.external_uuid };
    expect((await service.call('GET', '/api/me/', undefined, { headers })).status).toBe(200);
    const { body: made } = await service.call('POST', '/api/v1/bridge/apps/', { name: 'ERP' }, { headers });
    expect(made.name).toBe('ERP');
  });

  test('signing in again works in a browser in which somebody else is signed in', async () => {
    const owner = await signInAsOwner(service);
    const { status } = await owner.call(
      'POST',
      '/auth/sign-in/',
      { email: alan.email, password: PASSWORD },
      { headers: { 'gatehouse-person': grace.external_uuid } },
    );
    expect(status).toBe(200);
  });
});
