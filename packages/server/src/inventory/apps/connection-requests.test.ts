import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
});
afterAll(() => service.close());

const ADDRESS = '/api/connection-requests/';

test('everyone can request an application; administrators see all requests, members their own', async () => {
  const member = await addPersonWithKey(service, 'member', { email: 'asks@acme.example' });
  const another = await addPersonWithKey(service, 'member');

  const { status, body } = await call(
    'POST',
    ADDRESS,
    { app_name: 'Figma', reason: 'Design' },
    { key: member.key },
  );
  await call('POST', ADDRESS, { app_name: 'Jira' });

  expect(status).toBe(201);
  expect(body).toEqual({
    external_uuid: expect.any(String),
    app_name: 'Figma',
    reason: 'Design',
    requester: { external_uuid: member.id, email: 'asks@acme.example' },
    created_at: expect.any(String),
  });
  expect(await eventsOf(service, 'app.connection_request.')).toMatchObject([
    {
      actor: { uuid: member.id },
      subject: { type: 'platform_user', uuid: member.id },
      payload: {
        request_id: body.external_uuid,
        app_name: 'Figma',
        reason: 'Design',
        requester_id: member.id,
      },
    },
    { payload: { app_name: 'Jira', reason: '' } },
  ]);
  expect((await call('GET', ADDRESS)).body).toMatchObject({
    count: 2,
    results: [{ app_name: 'Jira' }, { app_name: 'Figma' }],
  });
  expect((await call('GET', ADDRESS, undefined, { key: member.key })).body.results).toEqual([body]);
  expect((await call('GET', ADDRESS, undefined, { key: another.key })).body.count).toBe(0);
});

test.each([{}, { app_name: '' }, { app_name: 7 }, { app_name: 'x'.repeat(256) }])(
  'rejects the request %j',
  async (body) => {
    expect(await call('POST', ADDRESS, body)).toMatchObject({ status: 400 });
  },
);
