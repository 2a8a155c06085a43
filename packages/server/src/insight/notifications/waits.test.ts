import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailReceiver, openMailReceiver } from '../../../test/mail.ts';
import { scan } from '../../../test/notifications.ts';
import { addPersonWithKey } from '../../../test/people.ts';
import { openReviewsTest, type ReviewsTest } from '../../../test/reviews.ts';

/** What waited when a notification was stored, and no longer does when its email goes. */
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
const passHours = () =>
  sql`update notification_delivery set due_at = clock_now() where state = 'waiting'`.execute(
    service.database.db,
  );
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
  await sql`update api_key set revoked_at = clock_now() where id = ${rows[0]?.id}`.execute(
    service.database.db,
  );

  await passHours();

  await until(async () => (await emailsOf(person)).map(({ line }) => line).sort()).toEqual([
    'key_expires sent',
    'key_expires skipped',
  ]);
});
