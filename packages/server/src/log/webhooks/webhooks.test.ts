import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '#kit/logger.ts';
import { permitAddresses } from '#kit/net/addresses.ts';
import { permitLoopback } from '#kit/net/outbound.ts';
import { sql } from '#kit/sql.ts';
import { resumeOrganization, suspendOrganization } from '#operate/organizations/suspend.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addOrganization, organizationOf } from '#test/people.ts';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { secrets } from '#test/secrets.ts';
import { setTimes } from '#test/time.ts';
import { pauseAfter } from './deliver.ts';
import { webhookFigures } from './webhooks.ts';
import { forgetOldDeliveries, webhookFailureLoop, webhookLoop } from './worker.ts';

let service: TestApp;
let people = 0;
beforeAll(async () => {
  service = await openTestApp({ own: true });
});
afterAll(() => service.close());

/** Waits until a statement holds. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

const PEOPLE = { event_type: 'user.created' };

/** Delivers until the test ends, as a node does. */
function deliver({ deadlineMs = 15_000, in: test = service } = {}) {
  const loop = webhookLoop({ database: test.database, secrets, deadlineMs }, createLogger('silent'));
  onTestFinished(() => loop.stop());
  loop.start();
  return loop;
}

const made = async (answer: ReturnType<TestApp['call']>) => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
};

/** Adds a webhook that is deleted with the test. */
async function addWebhook(url: string, more: object = {}, call = service.call) {
  const webhook = await made(call('POST', '/api/webhooks/', { name: 'Test', url, filters: PEOPLE, ...more }));
  onTestFinished(() => call('DELETE', `/api/webhooks/${webhook.id}/`).then(() => undefined));
  const path = `/api/webhooks/${webhook.id}/`;
  return {
    ...webhook,
    path,
    get: () => made(call('GET', path)),
    change: (change: object) => made(call('PATCH', path, change)),
    replay: (from: string) => made(call('POST', `${path}replay/`, { from })),
    deliveries: async (query = '') => (await made(call('GET', `${path}deliveries/?${query}`))).results,
    /** Returns the seconds from the last attempt, which the change of the row marks, to the next one. */
    pause: async () => {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from next_attempt_at - (select max(d.at) from webhook_delivery d
          where d.org_id = w.org_id and d.webhook_id = w.id))::double precision as seconds
        from webhook w where id = ${webhook.id}`.execute(service.database.db);
      return rows[0]?.seconds ?? Number.NaN;
    },
    /** Pretends that the next attempt is due, and that the first one was this long ago. */
    age: (days: number) =>
      sql`
        update webhook set next_attempt_at = clock_now(), first_failed_at = clock_now() - ${`${days} days`}::interval
        where id = ${webhook.id} and attempts > 0`.execute(service.database.db),
  };
}

/** Records an event for each person, and returns the people's ids. */
async function addPeople(count: number, call = service.call): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { external_uuid } = await made(
      call('POST', '/api/users/', { email: `person-${++people}@acme.example` }),
    );
    ids.push(external_uuid);
  }
  return ids;
}

const subjects = ({ received }: Receiver) => received.map(({ message }) => message.data.subject.uuid);

test('delivers an event as the events API returns it, signed as Standard Webhooks 1.0 asks', async () => {
  const receiver = await openReceiver();
  const { secret } = await addWebhook(receiver.url);
  const [person] = await addPeople(1);
  deliver();

  await eventually(() => receiver.received).toHaveLength(1);

  const [received] = receiver.received;
  const { results } = (
    await service.call('GET', `/api/events/?event_type=user.created&subject_uuid=${person}`)
  ).body;
  expect(receiver.verify(secret, received!)).toEqual({
    type: 'user.created',
    timestamp: results[0].occurred_at,
    data: results[0],
  });
  expect(received?.id).toBe(results[0].event_id);
  expect(received?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-signature': expect.stringMatching(/^v1,\S+$/),
  });
  expect(secret).toMatch(/^whsec_/);
});

test('delivers the events of several writers in the order of the log, each once', async () => {
  const receiver = await openReceiver();
  await addWebhook(receiver.url);
  deliver();

  const all = (await Promise.all([addPeople(15), addPeople(15), addPeople(15)])).flat();

  await eventually(() => receiver.received.length).toBe(all.length);
  const times = receiver.received.map(({ message }) => message.data.ingested_at);
  expect(times).toEqual(times.toSorted());
  expect(subjects(receiver).toSorted()).toEqual(all.toSorted());
});

test('delivers each event once from two nodes', async () => {
  const receivers = await Promise.all([openReceiver(), openReceiver(), openReceiver()]);
  for (const { url } of receivers) await addWebhook(url);
  const nodes = [deliver(), deliver()];

  const all = await addPeople(30);

  for (const receiver of receivers) await eventually(() => subjects(receiver)).toEqual(all);
  await Promise.all(nodes.map((node) => node.tick()));
  for (const receiver of receivers) expect(subjects(receiver)).toEqual(all);
});

test('selects events as the filters of the events API do', async () => {
  const [byType, byPrefix, bySubject, configuration] = await Promise.all([1, 2, 3, 4].map(openReceiver));
  const before = await addPeople(1);
  await addWebhook(byType!.url);
  await addWebhook(byPrefix!.url, { filters: { event_type_prefix: 'user.' } });
  await addWebhook(bySubject!.url, { filters: { subject_uuid: before[0] } });
  await addWebhook(configuration!.url, {
    filters: { catalog: 'configuration', event_type_prefix: 'policy.' },
  });
  const after = await addPeople(1);
  await made(service.call('PATCH', `/api/users/${before[0]}/`, { first_name: 'Ada' }));
  await made(
    service.call('POST', '/api/policies/', {
      name: `policy ${randomUUID()}`,
      trigger: 'daily',
      condition: 'false',
      enabled: false,
      effects: [{ do: 'suspend', app: 'all' }],
    }),
  );
  deliver();

  const types = (receiver: Receiver | undefined) => receiver?.received.map(({ message }) => message.type);
  await eventually(() => types(configuration)).toEqual(['policy.created']);
  await eventually(() => types(byPrefix)).toEqual(['user.created', 'user.updated']);
  await eventually(() => types(bySubject)).toEqual(['user.updated']);
  await eventually(() => subjects(byType!)).toEqual(after);
});

test('tries again after a failure, with the same id and in order', async () => {
  const receiver = await openReceiver();
  receiver.replyWith((_, response) => response.writeHead(503).end('out of order'));
  const webhook = await addWebhook(receiver.url);
  const all = await addPeople(2);
  deliver();

  await eventually(async () => (await webhook.get()).failure?.attempts).toBe(1);
  const { status, failure } = await webhook.get();
  expect([status, failure]).toMatchObject([
    'failing',
    { attempts: 1, status: 503, error: 'The receiver replied 503.', next_attempt_at: expect.any(String) },
  ]);
  receiver.replyWith((_, response) => response.writeHead(204).end());
  await webhook.age(0);

  await eventually(() => subjects(receiver)).toEqual([all[0], ...all]);
  expect(receiver.received[0]?.id).toBe(receiver.received[1]?.id);
  await eventually(async () => (await webhook.get()).status).toBe('active');
  expect(await webhook.deliveries()).toMatchObject([
    { outcome: 'delivered', status: 204, attempt: 1, event_type: 'user.created' },
    { outcome: 'delivered', status: 204, attempt: 2 },
    {
      outcome: 'failed',
      status: 503,
      attempt: 1,
      response: 'out of order',
      error: 'The receiver replied 503.',
    },
  ]);
  expect(await webhook.deliveries('outcome=failed')).toHaveLength(1);
});

test('pauses longer after each failure, and as long as the receiver asks', () => {
  const pauses = Array.from({ length: 12 }, (_, attempts) => pauseAfter(attempts, null));

  for (const [i, least] of [4, 24, 96, 480, 1440, 2880, 5760, 11_520].entries())
    expect(pauses[i]).toBeGreaterThanOrEqual(least);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(14_400 * 1.2);
  expect(pauseAfter(0, 300)).toBe(300);
  expect(pauseAfter(0, 10_000_000)).toBe(24 * 3600);
});

test('waits as long as Retry-After asks', async () => {
  const receiver = await openReceiver();
  receiver.replyWith((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
  const webhook = await addWebhook(receiver.url);
  await addPeople(1);
  deliver();

  await eventually(async () => (await webhook.get()).failure?.attempts).toBe(1);

  expect(await webhook.pause()).toBeGreaterThanOrEqual(3600);
});

test('disables a webhook after three days of failures, says so, and continues without a gap once enabled', async () => {
  const receiver = await openReceiver();
  receiver.replyWith((_, response) => response.writeHead(500).end());
  const webhook = await addWebhook(receiver.url);
  const all = await addPeople(2);
  deliver();
  await eventually(async () => (await webhook.get()).failure?.attempts).toBe(1);
  await webhook.age(2.9);
  await eventually(async () => (await webhook.get()).failure?.attempts).toBe(2);
  // 0.1 days are left of the three after which it gives up. The usual pause is longer.
  expect(await webhook.pause()).toBeLessThan(8700);

  await webhook.age(3);
  await eventually(async () => (await webhook.get()).status).toBe('disabled');

  const { enabled, disabled_reason } = await webhook.get();
  expect(enabled).toBe(false);
  expect(disabled_reason).toBe(
    'Every attempt to deliver an event failed for three days. The last time: The receiver replied 500.',
  );
  const { results } = (await service.call('GET', `/api/events/?event_type=webhook.disabled`)).body;
  expect(results[0]).toMatchObject({
    actor: { type: 'system' },
    payload: {
      webhook_id: webhook.id,
      name: 'Test',
      host: new URL(receiver.url).host,
      reason: disabled_reason,
    },
  });

  all.push(...(await addPeople(1)));
  receiver.received.length = 0;
  receiver.replyWith((_, response) => response.end());
  await webhook.change({ enabled: true });
  await eventually(() => subjects(receiver)).toEqual(all);
});

const failuresOf = async (id: string) =>
  (await service.call('GET', '/api/events/?event_type=webhook.failing&limit=200')).body.results.filter(
    ({ payload }: { payload: { webhook_id: string } }) => payload.webhook_id === id,
  );

test('says once that an event has failed for 15 minutes, from two nodes, and again for a later event', async () => {
  const receiver = await openReceiver();
  receiver.replyWith((_, response) => response.writeHead(400).end());
  const webhook = await addWebhook(receiver.url);
  await addPeople(2);
  deliver();
  const { db } = service.database;
  const nodes = [1, 2].map(() => webhookFailureLoop(db, createLogger('silent')));
  onTestFinished(() => Promise.all(nodes.map((node) => node.stop())).then(() => undefined));
  const tick = () => Promise.all(nodes.map((node) => node.tick()));
  await eventually(async () => (await webhook.get()).failure?.attempts).toBe(1);
  await tick();
  expect(await failuresOf(webhook.id)).toEqual([]);
  const age = () =>
    sql`
      update webhook set first_failed_at = clock_now() - interval '16 minutes', next_attempt_at = clock_now() + interval '1 hour'
      where id = ${webhook.id} and attempts > 0`.execute(db);

  await age();
  await tick();
  await tick();

  expect(await failuresOf(webhook.id)).toMatchObject([
    { severity: 'medium', payload: { name: 'Test', reason: 'The receiver replied 400.' } },
  ]);
  const { failure } = await webhook.get();
  await made(service.call('POST', `${webhook.path}skip/`, { event_id: failure.event_id }));
  await eventually(async () => (await webhook.get()).failure?.attempts).toBe(1);
  await age();
  await tick();
  expect(await failuresOf(webhook.id)).toHaveLength(2);
});

test('skips exactly the event that fails, and records it', async () => {
  const receiver = await openReceiver();
  const webhook = await addWebhook(receiver.url);
  const [before, bad, next, last] = await addPeople(4);
  receiver.replyWith((_, response) =>
    response.writeHead(subjects(receiver).at(-1) === bad ? 400 : 204).end(),
  );
  deliver();
  await eventually(async () => (await webhook.get()).failure?.attempts).toBe(1);
  const { failure } = await webhook.get();
  expect(failure).toMatchObject({ event_type: 'user.created', event_id: expect.any(String) });
  const skip = (event_id: string) => service.call('POST', `${webhook.path}skip/`, { event_id });
  expect((await skip(randomUUID())).status).toBe(409);
  receiver.received.length = 0;

  const answers = await Promise.all([skip(failure.event_id), skip(failure.event_id)]);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  await eventually(() => subjects(receiver)).toEqual([next, last]);
  expect(subjects(receiver)).not.toContain(before);
  expect(await webhook.deliveries('outcome=skipped')).toMatchObject([
    { event_id: failure.event_id, error: 'An administrator skipped this event.' },
  ]);
  const { results } = (await service.call('GET', '/api/events/?event_type=webhook.event_skipped')).body;
  expect(results[0]).toMatchObject({
    actor: { type: 'user' },
    payload: { webhook_id: webhook.id, skipped_event: failure.event_id, skipped_type: 'user.created' },
  });
  expect((await skip(failure.event_id)).status).toBe(409);
});

test('shows failing webhooks and the events that wait on the overview and in the metrics', async () => {
  const receiver = await openReceiver();
  receiver.replyWith((_, response) => response.writeHead(500).end());
  const webhook = await addWebhook(receiver.url);
  await addPeople(3);
  deliver();
  await eventually(async () => (await webhook.get()).failure?.attempts).toBe(1);

  const { body } = await service.call('GET', '/api/overview/');

  expect(body.webhooks.failing).toMatchObject([
    { id: webhook.id, name: 'Test', error: 'The receiver replied 500.', waiting: { count: 3, more: false } },
  ]);
  const figures = await webhookFigures(service.database);
  expect(figures).toEqual({ failing: 1, waiting: 3 });
  await webhook.change({ enabled: false });
  expect(await webhookFigures(service.database)).toEqual({ failing: 0, waiting: 0 });
});

test('gives the next event three days of its own after a late success', async () => {
  const receiver = await openReceiver();
  receiver.replyWith((_, response) => response.writeHead(500).end());
  const webhook = await addWebhook(receiver.url);
  const [late] = await addPeople(2);
  deliver();
  await eventually(async () => (await webhook.get()).failure?.attempts).toBe(1);

  let replies = 0;
  receiver.replyWith((_, response) => response.writeHead(replies++ === 0 ? 204 : 503).end());
  await webhook.age(3.1);
  await eventually(() => replies).toBeGreaterThan(1);

  expect(subjects(receiver)).toContain(late);
  await eventually(async () => (await webhook.get()).failure?.attempts).toBeGreaterThan(0);
  expect(await webhook.get()).toMatchObject({ status: 'failing', disabled_reason: null });
});

test('disables a webhook whose receiver is gone', async () => {
  const receiver = await openReceiver();
  receiver.replyWith((_, response) => response.writeHead(410).end());
  const webhook = await addWebhook(receiver.url);
  await addPeople(1);
  deliver();

  await eventually(async () => (await webhook.get()).status).toBe('disabled');
  expect((await webhook.get()).disabled_reason).toBe('The receiver replied 410 Gone.');
  expect(receiver.received).toHaveLength(1);
});

test('a receiver that does not reply fails, and delays no other', async () => {
  const silent = await openReceiver();
  silent.replyWith(() => undefined);
  const quick = await openReceiver();
  const stuck = await Promise.all([1, 2, 3, 4].map(() => addWebhook(silent.url)));
  await addWebhook(quick.url);
  const all = await addPeople(3);
  deliver({ deadlineMs: 3000 });

  await eventually(() => subjects(quick)).toEqual(all);
  expect((await stuck[0]!.get()).failure).toBe(null);
  await eventually(async () => (await stuck[0]!.get()).failure?.error).toBe(
    'The receiver did not reply within 3 seconds.',
  );
});

test('does not follow redirects', async () => {
  const [receiver, elsewhere] = [await openReceiver(), await openReceiver()];
  receiver.replyWith((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
  const webhook = await addWebhook(receiver.url);
  await addPeople(1);
  deliver();

  await eventually(async () => (await webhook.get()).failure?.error).toBe(
    'The receiver redirected the request (307). Gatehouse does not follow redirects: enter the final address.',
  );
  expect(elsewhere.received).toHaveLength(0);
});

test('keeps the beginning of a huge response', async () => {
  const receiver = await openReceiver();
  receiver.replyWith((_, response) => {
    response.on('error', () => undefined);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  const webhook = await addWebhook(receiver.url);
  await addPeople(1);
  deliver();

  await eventually(() => webhook.deliveries()).toMatchObject([
    { outcome: 'delivered', response: 'x'.repeat(1024) },
  ]);
});

test('refuses private addresses when a webhook is made, and again at each delivery', async () => {
  const receiver = await openReceiver();
  const byName = receiver.url.replace('127.0.0.1', 'localhost');
  const webhook = await addWebhook(byName);
  await addPeople(1);
  onTestFinished(() => {
    permitLoopback(true);
    permitAddresses([]);
  });

  permitLoopback(false);
  for (const url of [
    receiver.url,
    byName,
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/',
  ]) {
    const answer = await service.call('POST', '/api/webhooks/', { name: 'Private', url });
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining('is not public')]);
  }
  deliver();
  await eventually(async () => (await webhook.get()).failure?.error).toContain('which is not public');
  expect(receiver.received).toHaveLength(0);

  permitAddresses(['127.0.0.0/8', '::1']);
  await webhook.age(0);
  await eventually(() => receiver.received).toHaveLength(1);
});

test.each([
  ['ftp://hooks.example/', 'must be an https address'],
  ['https://user:pass@hooks.example/', 'must not contain a user or a password'],
  ['https://hooks.example/#part', 'must not contain a fragment'],
  ['http://8.8.8.8/', 'does not use https'],
  ['hooks', 'must be an https address'],
])('refuses the address %s', async (url, detail) => {
  const answer = await service.call('POST', '/api/webhooks/', { name: 'Test', url });

  expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(detail)]);
});

test.each([
  [{ event_type: 'nothing.happened' }, "The event type 'nothing.happened' does not exist"],
  [{ event_type_prefix: 'user' }, 'must end with a dot'],
  [{ event_type: 'user.created', category: 'task' }, 'select no event'],
  [{ occurred_at__gte: '2026-01-01' }, 'must NOT have additional properties'],
])('refuses the filters %j', async (filters, detail) => {
  const answer = await service.call('POST', '/api/webhooks/', {
    name: 'Test',
    url: 'https://8.8.8.8/',
    filters,
  });

  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(detail)]);
});

test('signs with both secrets while they overlap, and shows each secret once', async () => {
  const receiver = await openReceiver();
  const webhook = await addWebhook(receiver.url);
  const rotated = await made(service.call('POST', `${webhook.path}rotate-secret/`, { overlap_hours: 1 }));
  await addPeople(1);
  deliver();
  await eventually(() => receiver.received).toHaveLength(1);

  for (const secret of [webhook.secret, rotated.secret]) receiver.verify(secret, receiver.received[0]!);
  expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  expect(rotated.secret).not.toBe(webhook.secret);
  const shown = await webhook.get();
  expect(shown.secret).toBeUndefined();
  expect(Date.parse(shown.previous_secret_valid_until) - Date.now()).toBeLessThanOrEqual(3_600_000);

  await setTimes(service, 'webhook', { previous_valid_until: 'now' }, { id: webhook.id });
  await addPeople(1);
  await eventually(() => receiver.received).toHaveLength(2);
  receiver.verify(rotated.secret, receiver.received[1]!);
  expect(() => receiver.verify(webhook.secret, receiver.received[1]!)).toThrow('No matching signature');
  expect((await webhook.get()).previous_secret_valid_until).toBe(null);
});

test('replays from an event, from a time and from the end', async () => {
  const receiver = await openReceiver();
  const webhook = await addWebhook(receiver.url);
  const since = new Date().toISOString();
  const all = await addPeople(3);
  deliver();
  await eventually(() => subjects(receiver)).toEqual(all);
  const ids = receiver.received.map(({ id }) => id);

  receiver.received.length = 0;
  await webhook.replay(ids[1]!);
  await eventually(() => receiver.received.map(({ id }) => id)).toEqual(ids.slice(1));

  receiver.received.length = 0;
  await webhook.replay(since);
  await eventually(() => receiver.received.map(({ id }) => id)).toEqual(ids);

  receiver.received.length = 0;
  await webhook.change({ enabled: false });
  await addPeople(1);
  await webhook.replay('end');
  await webhook.change({ enabled: true });
  const [last] = await addPeople(1);
  await eventually(() => subjects(receiver)).toEqual([last]);

  expect((await service.call('POST', `${webhook.path}replay/`, { from: randomUUID() })).status).toBe(404);
  expect((await service.call('POST', `${webhook.path}replay/`, { from: 'yesterday' })).status).toBe(400);
});

test('delivers nothing while paused, and everything afterwards', async () => {
  const receiver = await openReceiver();
  const webhook = await addWebhook(receiver.url);
  await webhook.change({ enabled: false });
  expect(await webhook.get()).toMatchObject({ status: 'paused', disabled_reason: null });
  const other = await openReceiver();
  await addWebhook(other.url);
  deliver();
  const all = await addPeople(2);
  await eventually(() => subjects(other)).toEqual(all);
  expect(receiver.received).toHaveLength(0);

  await webhook.change({ enabled: true });
  await eventually(() => subjects(receiver)).toEqual(all);
});

test('a new address, filter or secret applies to the rest of a running turn', async () => {
  const [before, after] = await Promise.all([openReceiver(), openReceiver()]);
  const webhook = await addWebhook(before.url);
  const held: (() => void)[] = [];
  const hold = (receiver: Receiver) =>
    receiver.replyWith((_, response) => {
      held.push(() => response.end());
    });
  /** Waits for the request in progress, changes the webhook, and lets that request succeed. */
  const during = async (change: () => Promise<unknown>) => {
    await eventually(() => held.length).toBe(1);
    await change();
    held.shift()?.();
  };
  [before, after].forEach(hold);
  const [first, second, ...others] = await addPeople(5);
  deliver();

  await during(() => webhook.change({ url: after.url }));
  let rotated = '';
  await during(async () => {
    const body = { overlap_hours: 0 };
    rotated = (await made(service.call('POST', `${webhook.path}rotate-secret/`, body))).secret;
  });
  await during(() => webhook.change({ name: 'Renamed' }));
  await during(() => webhook.change({ filters: { ...PEOPLE, subject_uuid: others.at(-1) } }));
  await during(async () => undefined);

  await eventually(() => subjects(after)).toEqual([first, first, second, others.at(-1)]);
  expect(subjects(before)).toEqual([first]);
  after?.verify(webhook.secret, after.received[0]!);
  for (const received of after.received.slice(1)) after.verify(rotated, received);
});

test('sends a signed example', async () => {
  const receiver = await openReceiver();
  receiver.replyWith((_, response) => response.writeHead(202).end('thanks'));
  const webhook = await addWebhook(receiver.url, { enabled: false });

  const result = await made(service.call('POST', `${webhook.path}test/`));

  expect(result).toMatchObject({ delivered: true, status: 202, error: null, response: 'thanks' });
  expect(receiver.verify(webhook.secret, receiver.received[0]!)).toMatchObject({
    type: 'webhook.test',
    data: { event_id: result.event_id, event_type: 'webhook.test' },
  });
  expect(await webhook.deliveries()).toMatchObject([
    { event_id: result.event_id, event_type: 'webhook.test', outcome: 'delivered' },
  ]);
});

test('continues with the oldest event that retention kept, and says so', async () => {
  const test = await openTestApp({ own: true });
  onTestFinished(() => test.close());
  const receiver = await openReceiver();
  const { orgId } = await organizationOf(test);
  const webhook = await addWebhook(receiver.url, {}, test.call);
  await addPeople(2, test.call);
  await setTimes(test, 'event_head', { retained_from: 'now' }, { org_id: orgId });
  const kept = await addPeople(1, test.call);
  deliver({ in: test });

  await eventually(() => subjects(receiver)).toEqual(kept);
  expect(await webhook.deliveries('outcome=skipped')).toMatchObject([
    { event_id: null, error: expect.stringMatching(/^The log no longer has events from before 20/) },
  ]);
});

test('forgets deliveries after 30 days', async () => {
  const receiver = await openReceiver();
  const webhook = await addWebhook(receiver.url);
  for (let i = 0; i < 2; i++) await made(service.call('POST', `${webhook.path}test/`));
  const [, oldest] = await webhook.deliveries();
  await setTimes(
    service,
    'webhook_delivery',
    { at: '31 days ago' },
    { webhook_id: webhook.id, id: oldest.id },
  );

  await forgetOldDeliveries(service.database.db);

  expect(await webhook.deliveries()).toHaveLength(1);
});

test('keeps organizations apart, and delivers nothing of a suspended one', async () => {
  const test = await openTestApp({ own: true });
  onTestFinished(() => test.close());
  const calls = { acme: test.call, other: await addOrganization(test, 'other') };
  const receivers = { acme: await openReceiver(), other: await openReceiver() };
  const webhook = await addWebhook(receivers.acme.url, {}, calls.acme);
  await addWebhook(receivers.other.url, {}, calls.other);

  expect((await calls.other('GET', webhook.path)).status).toBe(404);
  const ours = await addPeople(2, calls.acme);
  const theirs = await addPeople(2, calls.other);
  deliver({ in: test });
  await eventually(() => subjects(receivers.acme)).toEqual(ours);
  await eventually(() => subjects(receivers.other)).toEqual(theirs);

  theirs.push(...(await addPeople(1, calls.other)));
  await eventually(() => subjects(receivers.other)).toEqual(theirs);
  await suspendOrganization(test.database.db, 'other', 'A test.');
  await sql`
    update webhook set position = to_timestamp(0)
    where org_id = (select id from organization where slug = 'other')`.execute(test.database.db);
  ours.push(...(await addPeople(1, calls.acme)));
  await eventually(() => subjects(receivers.acme)).toEqual(ours);
  expect(subjects(receivers.other)).toEqual(theirs);

  await resumeOrganization(test.database.db, 'other');
  await eventually(() => subjects(receivers.other).length).toBeGreaterThan(theirs.length);
});

test('needs a key that may read events to create one', async () => {
  const receiver = await openReceiver();
  const webhook = await addWebhook(receiver.url, { enabled: false });
  const settings = { name: 'Test', url: receiver.url };
  const { key } = await made(service.call('POST', '/api/api-keys/', { name: 'governs', scopes: ['govern'] }));

  expect((await service.call('GET', webhook.path, undefined, { key })).status).toBe(200);
  expect((await service.call('POST', '/api/webhooks/', settings, { key })).status).toBe(403);
});

test('an organization has at most 50 webhooks', async () => {
  const test = await openTestApp({ own: true });
  onTestFinished(() => test.close());
  const settings = { name: 'Test', url: 'http://127.0.0.1:9/' };
  for (let i = 0; i < 50; i++) await made(test.call('POST', '/api/webhooks/', settings));

  const answer = await test.call('POST', '/api/webhooks/', settings);

  expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('50 webhooks')]);
});

test('creating webhooks at the same time does not exceed the limit', async () => {
  const test = await openTestApp({ own: true });
  onTestFinished(() => test.close());
  const settings = { name: 'Test', url: 'http://127.0.0.1:9/' };

  const answers = await Promise.all(
    Array.from({ length: 65 }, () => test.call('POST', '/api/webhooks/', settings)),
  );

  const byStatus = Map.groupBy(answers, ({ status }) => status);
  expect([...byStatus].map(([status, { length }]) => [status, length]).sort()).toEqual([
    [201, 50],
    [409, 15],
  ]);
  expect((await test.call('GET', '/api/webhooks/')).body.count).toBe(50);
});

test('a webhook that receives every event sends none about its own deliveries', async () => {
  const test = await openTestApp({ own: true });
  onTestFinished(() => test.close());
  const receiver = await openReceiver();
  const webhook = await addWebhook(receiver.url, { filters: { catalog: 'all' } }, test.call);
  deliver({ in: test });
  // Keys record their first use now and then.
  const types = () =>
    receiver.received.map(({ message }) => message.type).filter((type) => type !== 'api_key.used');
  await eventually(types).toEqual(['webhook.created']);

  await made(test.call('POST', `${webhook.path}test/`));
  const [person] = await addPeople(1, test.call);

  await eventually(types).toEqual(['webhook.created', 'webhook.test', 'user.created']);
  expect(subjects(receiver).at(-1)).toBe(person);
});

test('an event never shows more of the address than the host', async () => {
  const receiver = await openReceiver();
  const webhook = await addWebhook(`${receiver.url}hooks?token=hidden`);
  await webhook.change({ url: `${receiver.url}other?token=hidden`, name: 'Renamed' });

  const { results } = (await service.call('GET', '/api/events/?event_type_prefix=webhook.&limit=2')).body;

  const { host } = new URL(receiver.url);
  expect(results[0].payload).toMatchObject({
    name: 'Renamed',
    host,
    changes: [
      { field: 'name', from: 'Test', to: 'Renamed' },
      { field: 'url', from: host, to: host },
    ],
  });
  expect(JSON.stringify(results)).not.toContain('hidden');
});
