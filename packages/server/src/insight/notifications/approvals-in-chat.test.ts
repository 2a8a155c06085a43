import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { inDays, openRequestsTest, type RequestsTest } from '#test/requests.ts';
import { secrets } from '#test/secrets.ts';
import { gather } from './gather.ts';
import { type SendTools, sendNext } from './send.ts';
import { storeDrafts } from './store.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
const posts: any[] = [];
let service: RequestsTest;
let address: string;
beforeAll(async () => {
  service = await openRequestsTest();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    posts.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.end('ok');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/T0/B0/secret-part`;
  return async () => {
    await new Promise((closed) => server.close(closed));
  };
});
afterAll(() => service.close());

const REASON = 'The salaries of <@U1> are wrong.';

const addChannel = async (more: object = {}) => {
  const body = { type: 'slack', name: 'Approvals', url: address, kinds: ['request_waiting'], ...more };
  const { status, body: channel } = await service.call('POST', '/api/notifications/channels/', body);
  expect(status).toBe(201);
  const id = channel.external_uuid as string;
  onTestFinished(async () => void (await service.call('DELETE', `/api/notifications/channels/${id}/`)));
  return id;
};

/** Returns the post about a request, once the loops of the service have sent it. */
async function postAbout({ label }: { label: string }) {
  const find = () => posts.find(({ text }) => text.includes(label));
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  return find();
}
const fieldsOf = ({ blocks }: { blocks: { fields?: { text: string }[] }[] }): Record<string, string> =>
  Object.fromEntries((blocks[0]?.fields ?? []).map(({ text }) => text.replaceAll('*', '').split('\n')));

test('posts who asks, for whom, for what and until when, with a link that opens the request', async () => {
  await addChannel();
  const end = inDays(40);
  const { body: ticket } = await service.ask(
    { user: service.ada.id, end_time: end, initial_comment: REASON },
    service.grace,
  );
  const post = await postAbout(ticket);

  expect(fieldsOf(post)).toEqual({
    'Requested by': 'grace@acme.example',
    For: 'ada@acme.example',
    Access: expect.stringMatching(/: an account$/),
    Until: expect.stringContaining('UTC'),
    'Decide by': expect.stringContaining('UTC'),
    Approvers: 'owen@acme.example',
  });
  const page = `http://localhost/org/${service.org}/requests/${ticket.external_uuid}`;
  expect(post.blocks[1].elements).toEqual([
    { type: 'button', text: { type: 'plain_text', text: 'Open request' }, url: page },
  ]);
  const links = JSON.stringify(post).match(/https?:[^"|\\]*/g);
  expect(new Set(links)).toEqual(new Set([page]));
  expect(JSON.stringify(post)).not.toContain('salaries');
});

test('posts the reason of a request only to a channel that shows reasons', async () => {
  const channel = await addChannel({ show_reasons: true });
  const { body: ticket } = await service.ask({ initial_comment: REASON }, service.ada);
  const fields = fieldsOf(await postAbout(ticket));

  expect(fields.Reason).toBe('"The salaries of &lt;@U1&gt; are wrong."');
  const path = `/api/notifications/channels/${channel}/`;
  const { body } = await service.call('PATCH', path, { show_reasons: false });
  expect(body.show_reasons).toBe(false);
  const { results } = (
    await service.call('GET', '/api/events/?catalog=all&event_type=notification_channel.updated')
  ).body;
  expect(results[0]?.payload.changes).toEqual([{ field: 'show_reasons', from: true, to: false }]);
});

test('posts nothing about a request that was decided before the post is sent', async () => {
  const { body: ticket } = await service.ask({}, service.ada);
  await service.act(ticket.external_uuid, 'approve', { comment: 'Fine' }, service.owen);
  // Apart from the service, whose loops would send it first.
  const channel = await addChannel({ kinds: ['webhook_disabled'] });
  const org = within(service.database.db, service.orgId);
  const { body: changed } = await service.call('PATCH', `/api/notifications/channels/${channel}/`, {
    kinds: ['request_waiting'],
  });
  expect(changed.kinds).toEqual(['request_waiting']);
  await transaction(org, (tx) =>
    storeDrafts(
      tx,
      [
        {
          kind: 'request_waiting',
          key: 'late',
          to: [],
          title: 'Late',
          body: '',
          path: `/requests/${ticket.external_uuid}`,
          about: { type: 'ticket', id: ticket.external_uuid },
          appId: null,
        },
      ],
      { canEmail: false },
    ),
  );
  const tools: SendTools = {
    db: service.database.db,
    logger: pino({ level: 'silent' }),
    secrets,
    mailer: undefined,
    allowLoopback: () => true,
    ownOrigin: () => 'http://localhost',
    consolePath: () => '',
    expiryDays: 30,
  };
  while (await gather(org, ['slack']));
  while ((await sendNext(tools, org, ['slack'])) !== undefined);
  const states = async () =>
    (await service.call('GET', `/api/notifications/deliveries/?channel=${channel}`)).body.results;
  await expect.poll(states).toMatchObject([{ state: 'skipped', reason: 'It no longer waits for anybody.' }]);
  expect(posts.filter(({ text }) => text === 'Late')).toEqual([]);
});
