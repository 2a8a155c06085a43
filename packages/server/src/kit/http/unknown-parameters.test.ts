import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { operationsOf } from '#test/operations.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
});
afterAll(() => service.close());

/** The lists of the protocol (sections 4.2, 4.11, 4.14, 4.15). */
const PROTOCOL = ['/api/v1/bridge/apps/', '/api/events/', '/api/accounts/', '/api/tasks/'];

describe('an unknown query parameter (D5)', () => {
  test('is refused by every operation that has no id in its address, except those of the protocol', async () => {
    const operations = (await operationsOf(service)).filter(
      ({ method, path, needsSession }) => method === 'GET' && !path.includes('{') && !needsSession,
    );
    expect(operations.length).toBeGreaterThan(20);

    for (const { path } of operations) {
      const { status, body } = await call('GET', `${path}?colour=red`);
      if (PROTOCOL.includes(path)) expect({ path, status }).toEqual({ path, status: 200 });
      else
        expect({ path, status, ...body }).toMatchObject({
          ...{ path, status: 400, errors: expect.arrayContaining([]) },
          detail: expect.stringContaining('(colour)'),
        });
    }
  });

  test('is named, with the parameters that the address takes', async () => {
    expect(await call('GET', '/api/policies/?triger=user.created')).toMatchObject({
      status: 400,
      body: {
        detail: 'Unknown query parameter. This address takes limit, offset, trigger, enabled (triger)',
        errors: [{ path: 'triger', code: 'unknown_parameter' }],
      },
    });
    expect((await call('GET', '/api/organization/?verbose=true')).body.detail).toBe(
      'Unknown query parameter. This address takes none (verbose)',
    );
  });

  test('changes nothing where it may be a misspelled dry_run', async () => {
    const headers = { 'content-type': 'text/csv' };
    const file = 'email\nmisspelled@acme.example\n';

    const answer = await call('POST', '/api/users/import/?dryrun=true', file, { headers });

    expect(answer.status).toBe(400);
    expect((await call('GET', '/api/users/?email=misspelled')).body.count).toBe(0);
  });

  test('comes after 404, and does not matter to other methods', async () => {
    const unknown = '/api/apps/0199a000-0000-7000-8000-000000000001/resources/';
    expect((await call('GET', `${unknown}?x=1`)).status).toBe(404);
    expect((await call('OPTIONS', '/api/policies/?x=1')).status).toBe(204);
    expect((await call('DELETE', '/api/policies/?x=1')).status).toBe(405);
  });

  test.each([
    '/api/tickets/0199a000-0000-7000-8000-000000000001/',
    '/api/events/0199a000-0000-7000-8000-000000000001/',
  ])('is ignored by the protocol at %s', async (path) => {
    expect((await call('GET', `${path}?x=1`)).status).toBe(404);
  });
});
