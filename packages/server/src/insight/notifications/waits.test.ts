import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { type MailReceiver, openMailReceiver } from '#test/mail.ts';
import { scan } from '#test/notifications.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openReceiver } from '#test/receiver.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { setTimes } from '#test/time.ts';

/** Waits that had not ended when a notification was stored, and that have when its email goes. */
let receiver: MailReceiver;
let service: ReviewsTest;
beforeAll(async () => {
  receiver = await openMailReceiver();
  service = await openReviewsTest(
    [
      { id: 'w1', email: 'w1@acme.example', status: 'active' },
      { id: 'w2', email: 'w2@acme.example', status: 'active' },
    ],
    { own: true, mail: receiver.settings },
  );
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const until = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
let number = 0;

/** A person who gets the emails of these kinds with the daily digest. */
async function digested(role: 'member' | 'admin', kinds: readonly string[]) {
  const somebody = await addPersonWithKey(service, role, { email: `digested-${++number}@acme.example` });
  await sql`
    insert into notification_preference (org_id, user_id, digest_hour, kinds)
    values (${service.orgId}, ${somebody.id}, ${(new Date().getUTCHours() + 5) % 24},
      ${JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind, 'daily'])))}::jsonb)`.execute(
    service.database.db,
  );
  return somebody;
}

/** The email deliveries of a person, as `kind state`, with their reasons. */
async function emailsOf({ id }: { id: string }) {
  const { rows } = await sql<{ line: string; reason: string | null }>`
    select kind || ' ' || state as line, last_error as reason from notification_delivery
    where user_id = ${id} and medium = 'email' and kind not in ('key_created', 'password_changed')
    order by id`.execute(service.database.db);
  return rows;
}
/** Lets the hour of the digest come. */
/**
 * Makes what waits due. A notification that is already due may be on its way: the sender would lock the same rows in another
 * order.
 */
const passHours = () =>
  sql`update notification_delivery set due_at = clock_now()
    where state = 'waiting' and due_at > clock_now()`.execute(service.database.db);
const start = (reviewer: string) =>
  service.start({ scope: { include: ['accounts'] }, due_days: 90, reviewer: [reviewer] });
const GONE = 'It no longer waits for this person.';

test.each(['member', 'admin'] as const)(
  'a digest leaves out the review that a reviewer, a %s, has finished, and has one that waits',
  async (role) => {
    const done = await digested(role, ['review_assigned']);
    const open = await digested(role, ['review_assigned']);
    const cycle = await start(done.id);
    const other = await start(open.id);
    await scan(service);
    for (const one of [done, open])
      await until(() => emailsOf(one)).toMatchObject([{ line: 'review_assigned waiting' }]);
    const decided = await service.decide(cycle, await service.items(cycle), 'keep', { key: done.key });
    expect(decided.status).toBe(200);
    const [first] = await service.items(other);
    expect((await service.decide(other, [first], 'keep', { key: open.key })).status).toBe(200);

    await passHours();

    await until(() => emailsOf(done)).toEqual([{ line: 'review_assigned skipped', reason: GONE }]);
    await until(() => emailsOf(open)).toMatchObject([{ line: 'review_assigned sent' }]);
    expect(receiver.to(done.email)).toEqual([]);
    expect(receiver.to(open.email).map(({ mail }) => mail.subject)).toEqual([
      'Your daily digest: 1 notification',
    ]);
  },
);

test('a digest leaves out an API key that was revoked, and has one that still expires', async () => {
  const person = await digested('admin', ['key_expires']);
  const keys = await Promise.all(['revoked', 'kept'].map(() => service.keyOf(person.email)));
  expect(keys).toHaveLength(2);
  const { rows } = await sql<{ id: string }>`
    update api_key set created_at = clock_now() - interval '60 days', expires_at = clock_now() + interval '6 days'
    where user_id = ${person.id} and name = ${person.email} returning id`.execute(service.database.db);
  await scan(service);
  const waiting = rows.map(() => ({ line: 'key_expires waiting' }));
  await until(() => emailsOf(person)).toMatchObject(waiting);
  await setTimes(service, 'api_key', { revoked_at: 'now' }, { id: rows[0]?.id });

  await passHours();

  await until(async () => (await emailsOf(person)).map(({ line }) => line).sort()).toEqual([
    'key_expires sent',
    'key_expires skipped',
  ]);
});

const made = async (method: string, path: string, body?: object, by?: { key: string }) => {
  const reply = await service.call(method, path, body, by);
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body;
};
const linesOf = async (person: { id: string }) => (await emailsOf(person)).map(({ line }) => line).sort();
const digestOf = ({ email }: { email: string }) => receiver.to(email).map(({ mail }) => mail.text ?? '');

test('a digest leaves out a webhook that works again, and has one that still fails', async () => {
  const person = await digested('admin', ['webhook_failing']);
  const broken = await openReceiver();
  broken.replyWith((_, response) => response.writeHead(500).end());
  const filters = { event_type: 'user.created' };
  const webhooks = await Promise.all(
    ['Mended', 'Broken'].map((name) => made('POST', '/api/webhooks/', { name, url: broken.url, filters })),
  );
  await made('POST', '/api/users/', { email: 'delivered@acme.example' });
  const statuses = () => Promise.all(webhooks.map(({ id }) => made('GET', `/api/webhooks/${id}/`)));
  await until(statuses).toMatchObject([{ status: 'failing' }, { status: 'failing' }]);
  await setTimes(service, 'webhook', { first_failed_at: '16 minutes ago', next_attempt_at: '1 hour ahead' });
  await service.app.tick();
  await until(() => linesOf(person)).toEqual(['webhook_failing waiting', 'webhook_failing waiting']);
  await made('POST', `/api/webhooks/${webhooks[0].id}/replay/`, { from: 'end' });

  await passHours();

  await until(() => linesOf(person)).toEqual(['webhook_failing sent', 'webhook_failing skipped']);
  expect(digestOf(person)).toEqual([expect.stringContaining('The webhook Broken keeps failing')]);
  expect(digestOf(person)[0]).not.toContain('Mended');
});

test('a digest leaves out a policy whose actions were discarded, and has one that waits for a confirmation', async () => {
  const person = await digested('admin', ['policy_held']);
  await made('PATCH', '/api/policies/settings/', { task_limit: 1 });
  const add = (name: string) =>
    made('POST', '/api/policies/', {
      name,
      trigger: 'daily',
      condition: 'user.email.startsWith("digested-")',
      effects: [{ do: 'grant', app: service.appId }],
    });
  const policies = [await add('Discarded'), await add('Waiting')];
  await setTimes(service, 'policy', { ran_at: '1 day earlier' });
  await until(() => linesOf(person)).toEqual(['policy_held waiting', 'policy_held waiting']);
  await made('POST', `/api/policies/${policies[0].external_uuid}/discard/`);

  await passHours();

  await until(() => linesOf(person)).toEqual(['policy_held sent', 'policy_held skipped']);
  expect(digestOf(person)).toEqual([expect.stringContaining('The policy Waiting waits')]);
  expect(digestOf(person)[0]).not.toContain('Discarded');
});

test('a digest leaves out a hold that was decided, and has one that is open', async () => {
  const person = await digested('admin', ['people_change_held']);
  await made('PATCH', '/api/organization/', { people_guard: { percent: 1, at_least: 1 } });
  const [first, second] = await Promise.all(
    ['first', 'second'].map((name) => made('POST', '/api/users/', { email: `${name}-leaver@acme.example` })),
  );
  await made('POST', `/api/users/${first.external_uuid}/deactivate/`);
  const headers = { 'content-type': 'text/csv' };
  await service.call('POST', '/api/users/import/', `email,status\n${second.email},deactivated`, { headers });
  await until(() => linesOf(person)).toEqual(['people_change_held waiting', 'people_change_held waiting']);
  const { results: holds } = await made('GET', '/api/holds/');
  const ofKey = holds.find(({ client }: { client: { type: string } }) => client.type === 'api_key');
  await made('POST', `/api/holds/${ofKey.external_uuid}/discard/`, { reason: 'A test' });

  await passHours();

  await until(() => linesOf(person)).toEqual(['people_change_held sent', 'people_change_held skipped']);
  expect(digestOf(person)).toEqual([expect.stringContaining('Many people were deactivated')]);
});

// The last one: its answer is told to all administrators, those of later tests included.
test('a digest leaves out a question that was answered, and has one that was not', async () => {
  const asker = await digested('member', ['information_requested']);
  const [answered, open] = await Promise.all(
    ['team', 'seat'].map((slug) => {
      const wanted =
        slug === 'team' ? { memberships: { team: ['red'] } } : { assignments: { seat: ['gold'] } };
      const ticket = { app: service.appId, user: asker.id, type: 'NEW_ACCESS', ...wanted };
      return made('POST', '/api/tickets/', ticket, asker);
    }),
  );
  for (const { external_uuid } of [answered, open])
    await made('POST', `/api/tickets/${external_uuid}/request-information/`, { comment: 'Why?' });
  const asked = () => linesOf(asker).then((lines) => lines.filter((line) => line.startsWith('information')));
  await until(asked).toEqual(['information_requested waiting', 'information_requested waiting']);
  await made(
    'POST',
    `/api/tickets/${answered.external_uuid}/provide-information/`,
    { comment: 'For the audit' },
    asker,
  );

  await passHours();

  await until(asked).toEqual(['information_requested sent', 'information_requested skipped']);
});
