import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { requestPasswordLink } from '#directory/sign-in/credentials/password-links.ts';
import { transaction, within } from '#kit/database.ts';
import { callBy, type RequestCause } from '#kit/identity.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { endOfLog } from '#log/events/facts.ts';
import { readLog } from '#log/events/follow.ts';
import type { Draft } from '#log/notices/draft.ts';
import type { KindName } from '#log/notices/kinds.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { type MailReceiver, openMailReceiver } from '#test/mail.ts';
import { addOrganization, addPersonWithRole, eventsOf, organizationOf } from '#test/people.ts';
import { secrets } from '#test/secrets.ts';
import { PASSWORD } from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';
import { deleteOldNotifications } from './cleanup.ts';
import { type Mailer, openMailer } from './email/mailer.ts';
import { draftsFrom } from './from-events.ts';
import { gather } from './gather.ts';
import { createDeliveryMetrics } from './metrics.ts';
import type { Outcome } from './outcome.ts';
import { lockCursor } from './queries/cursor.ts';
import { claimMessage, endMessage, holdMessage, type Outgoing, retryMessage } from './queries/outbox.ts';
import { type SendTools, sendNext } from './send.ts';
import { storeDrafts } from './store.ts';
import { notificationLoops } from './worker.ts';

let service: TestApp;
let receiver: MailReceiver;
let mailer: Mailer;
let tools: SendTools;
let orgId: string;
beforeAll(async () => {
  receiver = await openMailReceiver();
  mailer = openMailer(receiver.settings);
  service = await openTestApp({ own: true });
  orgId = (await organizationOf(service)).orgId;
  tools = {
    db: service.database.db,
    logger: pino({ level: 'silent' }),
    secrets,
    mailer,
    allowLoopback: () => true,
    ownOrigin: () => 'https://gatehouse.acme.example',
    consolePath: (slug) => (slug === 'acme' ? '' : `/org/${slug}`),
    expiryDays: 30,
  };
});
afterAll(async () => {
  mailer.close();
  await service.close();
  await receiver.close();
});
// Deliveries that a test left waiting must not become due in the next one.
beforeEach(async () => {
  await sql`delete from notification_delivery`.execute(service.database.db);
  await sql`delete from notification_message`.execute(service.database.db);
});

let number = 0;
const person = (email = `person-${++number}@acme.example`, role = 'admin') =>
  addPersonWithRole(service, email, role);

const draft = ({
  about = { type: 'app', id: null },
  ...more
}: Partial<Draft> & Pick<Draft, 'to'>): Draft => ({
  kind: 'task_failed',
  key: `test:${++number}`,
  title: 'Task failed in Payroll',
  body: 'It failed.',
  path: '/tasks/1',
  about,
  ...more,
});
/** A notification that everyone may read. */
const unbound = (more: Pick<Draft, 'to'> & Partial<Draft>): Draft => {
  const { about: _, ...rest } = draft(more);
  return rest;
};
const store = (drafts: Draft[], org = orgId) =>
  transaction(within(service.database.db, org), (tx) => storeDrafts(tx, drafts, { canEmail: true }));
const to = (...people: { external_uuid: string }[]) =>
  people.map(({ external_uuid: userId }) => ({ userId }));
/** Sends what is due. Returns the outcomes. */
async function send(media: Outgoing[] = ['email'], org = orgId) {
  while (await gather(within(service.database.db, org), media));
  const outcomes: Outcome[] = [];
  for (;;) {
    const outcome = await sendNext(tools, within(tools.db, org), media);
    if (outcome === undefined) return outcomes;
    outcomes.push(outcome);
  }
}
const deliveries = async (query: string) =>
  (await service.call('GET', `/api/notifications/deliveries/?${query}`)).body.results;
const emailTo = async ({ external_uuid }: { external_uuid: string }) =>
  (await deliveries(`medium=email&user=${external_uuid}`))[0];
/** Makes all messages due again, as if their pause had passed. */
const passPause = () =>
  sql`update notification_message set next_attempt_at = clock_now(), leased_until = null`.execute(
    service.database.db,
  );

test('stores a notification once per person, also for two nodes at the same time', async () => {
  const [a, b] = [await person(), await person()];
  const same = draft({ to: to(a, b) });
  await Promise.all([store([same]), store([same]), store([same, same])]);
  await Promise.all([
    gather(within(service.database.db, orgId), ['email']),
    gather(within(service.database.db, orgId), ['email']),
  ]);
  await Promise.all([send(), send(), send()]);
  expect([receiver.to(a.email).length, receiver.to(b.email).length]).toEqual([1, 1]);
  expect(await emailTo(a)).toMatchObject({ state: 'sent', attempts: 1, reason: null });
  expect((await emailTo(a)).message_id).toBe(receiver.to(a.email)[0]?.mail.messageId);
});

test('makes emails as soon as events are no longer being read', async () => {
  const waiting = await person();
  await store([draft({ to: to(waiting) })]);
  const { db } = service.database;
  let gathered: Promise<boolean> | undefined;
  await transaction(within(db, orgId), async (tx) => {
    await lockCursor(tx);
    gathered = gather(within(db, orgId), ['email']);
    // The embedded database has one connection, for which gathering waits without a lock.
    if (service.database.engine === 'postgres') {
      const waiting = () =>
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          tx,
        );
      await expect.poll(async () => (await waiting()).rows.length).toBe(1);
    }
  });
  await gathered;
  const { rows } =
    await sql`select from notification_message where user_id = ${waiting.external_uuid}`.execute(db);
  expect(rows).toHaveLength(1);
});

test('sends nothing to a deactivated person, and the delivery says why', async () => {
  const [before, after] = [await person(), await person()];
  await service.call('POST', `/api/users/${before.external_uuid}/deactivate/`);
  await store([draft({ to: to(before, after) })]);
  await service.call('POST', `/api/users/${after.external_uuid}/deactivate/`);
  await send();
  for (const one of [before, after]) {
    expect(receiver.to(one.email)).toEqual([]);
    expect(await emailTo(one)).toMatchObject({ state: 'skipped', reason: 'The person is deactivated.' });
  }
});

test('sends nothing that a person may no longer read', async () => {
  const demoted = await person();
  await store([draft({ to: to(demoted) })]);
  await sql`update platform_user set role = 'member' where id = ${demoted.external_uuid}`.execute(
    service.database.db,
  );
  await send();
  expect(receiver.to(demoted.email)).toEqual([]);
  expect(await emailTo(demoted)).toMatchObject({
    state: 'skipped',
    reason: 'The person no longer has access to it.',
  });
});

test('keeps trying while the mail server is down, and sends the same email afterwards', async () => {
  const waiting = await person();
  await store([draft({ to: to(waiting) })]);
  await receiver.stop();
  for (const attempts of [1, 2, 3]) {
    expect(await send()).toMatchObject([{ ok: false, isOutage: true }]);
    expect(await emailTo(waiting)).toMatchObject({ state: 'waiting', attempts });
    await passPause();
  }
  const { reason, message_id } = await emailTo(waiting);
  expect(reason).toContain('The mail server could not be reached');
  await receiver.start();
  expect(await send()).toEqual([{ ok: true }]);
  expect(receiver.to(waiting.email)).toHaveLength(1);
  expect(receiver.to(waiting.email)[0]?.mail.messageId).toBe(message_id);
});

test('logs why emails cannot be sent, without the address', async () => {
  const waiting = await person();
  await store([draft({ to: to(waiting) })]);
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });
  const metrics = createDeliveryMetrics(tools.db);
  const loops = notificationLoops({ ...tools, logger, metrics });
  onTestFinished(async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    await receiver.start();
  });
  await receiver.stop();

  await loops.at(-1)?.tick();

  const [line, ...others] = lines.map((text) => JSON.parse(text));
  expect(line).toMatchObject({
    msg: 'Emails cannot be sent',
    reason: expect.stringContaining('The mail server could not be reached'),
    retryInSeconds: 5,
  });
  expect(others).toEqual([]);
  expect(lines.join()).not.toContain(waiting.email);
});

test('gives up after three days', async () => {
  const unlucky = await person();
  await store([draft({ to: to(unlucky) })]);
  await receiver.stop();
  await send();
  await setTimes(service, 'notification_message', { created_at: '73 hours ago' });
  await passPause();
  await send();
  await receiver.start();
  expect(await emailTo(unlucky)).toMatchObject({ state: 'failed', attempts: 2 });
});

test('repeats an email with the same Message-ID if the answer was lost', async () => {
  const twice = await person();
  await store([draft({ to: to(twice) })]);
  receiver.loseAnswers(1);
  expect(await send()).toMatchObject([{ ok: false, final: false }]);
  await passPause();
  // Later notifications go into another email.
  await store([draft({ to: to(twice), title: 'Another' })]);
  await send();
  const ids = receiver.to(twice.email).map(({ mail }) => mail.messageId);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(2);
});

test('does not count what a node reports about a message that another one has taken since', async () => {
  const { db } = service.database;
  const slow = await person();
  await store([draft({ to: to(slow) })]);
  await gather(within(db, orgId), ['email']);
  const claim = async () => {
    await passPause();
    return transaction(within(db, orgId), (tx) => claimMessage(tx, ['email'], 60));
  };
  const [first, second] = [await claim(), await claim()];
  if (first === undefined || second === undefined) throw new Error('There is no message to claim.');
  expect([first.id, first.attempts, second.attempts]).toEqual([second.id, 1, 2]);
  expect(await holdMessage(within(db, orgId), first, 60)).toBe(false);
  await transaction(within(db, orgId), (tx) => endMessage(tx, first, 'Too late'));
  await transaction(within(db, orgId), (tx) => retryMessage(tx, first, 'Too late', 0));
  expect(await sendNext(tools, within(tools.db, orgId), ['email'])).toBeUndefined();
  expect(await holdMessage(within(db, orgId), second, 60)).toBe(true);
  await transaction(within(db, orgId), (tx) => endMessage(tx, second, null));
  expect(await emailTo(slow)).toMatchObject({ state: 'sent', attempts: 2, reason: null });
});

test('sends security notices before anything else', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => person()));
  await store([draft({ to: to(...people) })]);
  while (await gather(within(service.database.db, orgId), ['email']));
  const alarmed = await person();
  await store([unbound({ to: to(alarmed), kind: 'password_changed' })]);
  await gather(within(service.database.db, orgId), ['email']);
  await sendNext(tools, within(tools.db, orgId), ['email']);
  expect(receiver.received.at(-1)?.to).toEqual([alarmed.email]);
});

test('counts an attempt that could not be prepared, and tries again', async () => {
  const unlucky = await person();
  await store([draft({ to: to(unlucky) })]);
  await gather(within(service.database.db, orgId), ['email']);
  const broken = {
    ...tools,
    ownOrigin: () => {
      throw new Error('broken');
    },
  };
  expect(await sendNext(broken, within(broken.db, orgId), ['email'])).toMatchObject({
    ok: false,
    final: false,
  });
  expect(await emailTo(unlucky)).toMatchObject({
    state: 'waiting',
    attempts: 1,
    reason: 'Gatehouse could not prepare the message. Its log says why.',
  });
  await passPause();
  await send();
  expect(await emailTo(unlucky)).toMatchObject({ state: 'sent', attempts: 2 });
});

test('follows preferences that have changed while an email was waiting', async () => {
  const [off, daily, quiet] = [await person(), await person(), await person()];
  await store([draft({ to: to(off, daily, quiet) })]);
  const now = new Date();
  const clock = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(11, 16);
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).getUTCHours();
  const choose = (
    { external_uuid }: { external_uuid: string },
    { from = null, until = null, digestHour = 8, kinds = {} }: Partial<Chosen>,
  ) =>
    sql`
      insert into notification_preference (org_id, user_id, time_zone, quiet_from, quiet_to, digest_hour, kinds)
      values (${orgId}, ${external_uuid}, 'UTC', ${from}, ${until}, ${digestHour}, ${JSON.stringify(kinds)}::jsonb)`.execute(
      service.database.db,
    );
  await choose(off, { kinds: { task_failed: 'off' } });
  await choose(daily, { kinds: { task_failed: 'daily' }, digestHour: inHours(3) });
  await choose(quiet, { from: clock(-1), until: clock(2) });
  expect(await send()).toEqual([]);
  expect(await emailTo(off)).toMatchObject({
    state: 'skipped',
    reason: 'The person has turned these emails off.',
  });
  for (const one of [daily, quiet]) expect(await emailTo(one)).toMatchObject({ state: 'waiting' });
  await setTimes(
    service,
    'notification_delivery',
    { due_at: 'now' },
    { org_id: orgId, user_id: daily.external_uuid },
  );
  expect(await send()).toEqual([{ ok: true }]);
  expect(receiver.to(daily.email)[0]?.mail.subject).toBe('Your daily digest: 1 notification');
  expect(receiver.to(quiet.email)).toEqual([]);
});

interface Chosen {
  from: string | null;
  until: string | null;
  digestHour: number;
  kinds: Record<string, string>;
}

test('fails an email that the mail server refuses for good, and retries one that it refuses for now', async () => {
  const [gone, full] = [await person(), await person()];
  receiver.refuse(gone.email, 550);
  receiver.refuse(full.email, 452);
  await store([draft({ to: to(gone, full) })]);
  await send();
  expect(await emailTo(gone)).toMatchObject({ state: 'failed', attempts: 1 });
  expect((await emailTo(gone)).reason).toContain('No such mailbox');
  expect(await emailTo(full)).toMatchObject({ state: 'waiting', attempts: 1 });
});

test('fails an email alone whose address the mail server does not take, and says why', async () => {
  const [odd, other] = [await person('jörg@acme.example'), await person()];
  receiver.dropAt('jörg@acme.example');
  await store([draft({ to: to(odd, other) })]);

  const outcomes = await send();

  expect(outcomes.some((outcome) => 'isOutage' in outcome)).toBe(false);
  expect(await emailTo(odd)).toMatchObject({ state: 'failed', reason: expect.stringContaining('SMTPUTF8') });
  expect(await emailTo(other)).toMatchObject({ state: 'sent' });
});

test('retries an email that the mail server refuses for a while, whatever letters its address has', async () => {
  const odd = await person('jürgen@acme.example');
  receiver.refuse('jürgen@acme.example', 450);
  await store([draft({ to: to(odd) })]);

  await send();

  expect(await emailTo(odd)).toMatchObject({ state: 'waiting', attempts: 1 });
});

test('retries an email over which the mail server closes the connection, and sends the others', async () => {
  const [odd, other] = [await person(), await person()];
  receiver.dropAt(odd.email);
  await store([draft({ to: to(odd, other) })]);

  const outcomes = await send();

  expect(outcomes.some((outcome) => 'isOutage' in outcome)).toBe(false);
  expect(await emailTo(odd)).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(await emailTo(other)).toMatchObject({ state: 'sent' });
});

test.each([
  ['of letters', 'x'.repeat(400), `${'x'.repeat(149)}…`],
  ['of emoji', '👩‍👩‍👧‍👦'.repeat(40), `${'👩‍👩‍👧‍👦'.repeat(13)}…`],
  ['of letters with accents apart', 'e\u0301'.repeat(200), `${'e\u0301'.repeat(74)}…`],
  ['that just fits', 'x'.repeat(150), 'x'.repeat(150)],
])('ends a long subject %s with an ellipsis, and never within a character', async (_, title, subject) => {
  const reader = await person();
  await store([draft({ to: to(reader), title })]);

  await send();

  expect(receiver.to(reader.email)[0]?.mail.subject).toBe(subject);
});

test('sends to one valid address only', async () => {
  const odd = await person();
  for (const address of ['a@acme.example, b@acme.example', '', 'a@b@c', 'Ann <a@acme.example>']) {
    await sql`update platform_user set email = ${address} where id = ${odd.external_uuid}`.execute(
      service.database.db,
    );
    await store([draft({ to: to(odd) })]);
    const before = receiver.received.length;
    await send();
    expect(receiver.received.length).toBe(before);
    expect(await emailTo(odd)).toMatchObject({
      state: 'failed',
      reason: 'The email address of the person is not valid.',
    });
    await sql`delete from notification_message`.execute(service.database.db);
  }
});

test('escapes names: no header, no address and no HTML can come from one', async () => {
  const victim = await person();
  const title = 'Payroll\r\nBcc: evil@evil.example\r\n\r\n<script>alert(1)</script>';
  const body = '<img src="https://evil.example/x.png"> & "quoted"\u0000';
  await store([draft({ to: to(victim), title, body: body })]);
  await send();
  expect(receiver.to('evil@evil.example')).toEqual([]);
  const [received] = receiver.to(victim.email);
  expect(received?.mail.bcc).toBeUndefined();
  expect(received?.mail.subject).toBe('Payroll Bcc: evil@evil.example <script>alert(1)</script>');
  expect(received?.mail.html).toContain('&lt;img src=&quot;https://evil.example/x.png&quot;&gt; &amp;');
  expect(received?.mail.html).not.toMatch(/<script|<img/);
});

test('writes the times of an email in the time zone and language of its reader', async () => {
  const [here, there] = [await person(), await person()];
  await sql`
    insert into notification_preference (org_id, user_id, time_zone, language)
    values (${orgId}, ${there.external_uuid}, 'Europe/Berlin', 'de-DE')`.execute(service.database.db);
  await store([draft({ to: to(here, there), body: 'It is due on 2026-11-21T23:05:06.007Z.' })]);
  await send();
  expect(receiver.to(here.email)[0]?.mail.text).toMatch(/due on Nov 21, 2026, 11:05\sPM \(UTC\)\./);
  expect(receiver.to(there.email)[0]?.mail.text).toContain('due on 22.11.2026, 00:05 (Europe/Berlin).');
});

test('holds emails during quiet hours, and puts others into the daily digest', async () => {
  const quiet = await person();
  const hours = new Date().getUTCHours();
  const local = (offset: number) => `${String((hours + offset + 24) % 24).padStart(2, '0')}:00`;
  await sql`
    insert into notification_preference (org_id, user_id, quiet_from, quiet_to, digest_hour, kinds)
    values (${orgId}, ${quiet.external_uuid}, ${local(-2)}, ${local(3)}, ${(hours + 5) % 24}, '{"sync_failed": "daily", "budget_held": "off"}')`.execute(
    service.database.db,
  );
  await store([
    draft({ to: to(quiet) }),
    draft({ to: to(quiet), kind: 'sync_failed', title: 'A sync of Payroll has failed' }),
    draft({ to: to(quiet), kind: 'sync_failed', title: 'A sync of Travel has failed' }),
    draft({ to: to(quiet), kind: 'budget_held' }),
    draft({ to: to(quiet), kind: 'password_changed', title: 'Your password was changed' }),
  ]);
  await send();
  const subjects = () => receiver.to(quiet.email).map(({ mail }) => mail.subject);
  expect(subjects()).toEqual(['Your password was changed']);
  const all = await deliveries(`medium=email&user=${quiet.external_uuid}`);
  expect(all.map(({ state, kind }: { state: string; kind: string }) => `${kind} ${state}`).sort()).toEqual([
    'budget_held skipped',
    'password_changed sent',
    'sync_failed waiting',
    'sync_failed waiting',
    'task_failed waiting',
  ]);
  const pass = (kind: string) => setTimes(service, 'notification_delivery', { due_at: 'now' }, { kind });
  await pass('task_failed');
  expect(await send()).toEqual([]);
  await sql`
    update notification_preference set quiet_from = null, quiet_to = null
    where org_id = ${orgId} and user_id = ${quiet.external_uuid}`.execute(service.database.db);
  await pass('task_failed');
  await send();
  await pass('sync_failed');
  await send();
  expect(subjects().slice(1)).toEqual(['Task failed in Payroll', 'Your daily digest: 2 notifications']);
});

/** Stores the notification with the link that an administrator, or `by`, asks for. */
async function askForLink(
  { external_uuid }: { external_uuid: string },
  by?: { external_uuid: string; role: 'owner' | 'admin' },
) {
  const { db } = service.database;
  const { ownerId } = await organizationOf(service);
  const { external_uuid: userId, role } = by ?? { external_uuid: ownerId, role: 'owner' };
  const principal = { orgId, orgSlug: 'acme', keyId: null, sessionId: null, userId, role } as const;
  const cause: RequestCause = {
    actor: { type: 'user', uuid: userId },
    source: { type: 'user_action', uuid: null },
  };
  await requestPasswordLink(
    callBy(db, { ...principal, scopes: new Set(), apps: 'all' }, cause),
    external_uuid,
  );
  const end = await endOfLog(within(db, orgId));
  const { entries } = await readLog(within(db, orgId), { after: end - 1 }, ['password.link_requested'], 1);
  const [logged] = entries;
  if (logged === undefined) throw new Error('The event is not the newest.');
  await store(await draftsFrom(within(db, orgId), [logged]));
}

test('mints a sign-in link when it is sent, and stores it nowhere', async () => {
  const invited = await person();
  await askForLink(invited);
  await send();
  const [received] = receiver.to(invited.email);
  const [, token = ''] =
    /https:\/\/gatehouse\.acme\.example\/welcome#([\w-]+)/.exec(received?.mail.text ?? '') ?? [];
  for (const table of ['notification', 'notification_delivery', 'notification_message', 'event']) {
    const { rows } = await sql`select * from ${sql.table(table)} where org_id = ${orgId}`.execute(
      service.database.db,
    );
    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(token);
  }
  const { status } = await service.call(
    'POST',
    '/auth/welcome/',
    { token, new_password: PASSWORD },
    { key: null, headers: { origin: 'http://localhost:80' } },
  );
  expect(status).toBe(200);
});

test('repeats a sign-in link as another email whose link works', async () => {
  const invited = await person();
  await askForLink(invited);
  receiver.loseAnswers(1);
  expect(await send()).toMatchObject([{ ok: false, final: false }]);
  await passPause();
  await send();
  const emails = receiver.to(invited.email);
  const tokens = emails.map(({ mail }) => /welcome#([\w-]+)/.exec(mail.text ?? '')?.[1]);
  const ids = emails.map(({ mail }) => mail.messageId);
  expect(emails).toHaveLength(2);
  expect(new Set([...tokens, ...ids]).size).toBe(4);
  expect((await emailTo(invited)).message_id).toBe(ids[1]);
  const { status } = await service.call(
    'POST',
    '/auth/welcome/',
    { token: tokens[1], new_password: PASSWORD },
    { key: null, headers: { origin: 'http://localhost:80' } },
  );
  expect(status).toBe(200);
});

const change = (
  { external_uuid }: { external_uuid: string },
  column: 'email' | 'role' | 'status',
  to: string,
) =>
  sql`update platform_user set ${sql.ref(column)} = ${to} where id = ${external_uuid}`.execute(
    service.database.db,
  );

test.each([
  ['the address of the person has changed', 'email', 'target'],
  ['the person has become an owner', 'role', 'target'],
  ['the administrator has lost the role', 'role', 'asker'],
  ['the administrator was deactivated', 'status', 'asker'],
] as const)('sends no sign-in link if %s since it was asked for', async (_, column, who) => {
  const people = { target: await person(undefined, 'member'), asker: await person() };
  const { email } = people.target;
  await askForLink(people.target, { ...people.asker, role: 'admin' });
  const to = {
    email: 'changed@acme.example',
    status: 'deactivated',
    role: who === 'target' ? 'owner' : 'member',
  };
  await change(people[who], column, to[column]);
  await send();
  expect([...receiver.to(email), ...receiver.to('changed@acme.example')]).toEqual([]);
  expect(await emailTo(people.target)).toMatchObject({
    state: 'skipped',
    reason: expect.stringMatching(/has changed since|may no longer send it/),
  });
  expect(await eventsAbout('password.link_created', people.target)).toEqual([]);
});

const eventsAbout = async (type: string, { external_uuid }: { external_uuid: string }) =>
  (await eventsOf(service, type)).filter(({ subject }) => subject.uuid === external_uuid);

test('fails a sign-in link that could not be sent for an hour', async () => {
  const invited = await person();
  await askForLink(invited);
  await receiver.stop();
  expect(await send()).toMatchObject([{ ok: false, final: false }]);
  await receiver.start();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  await passPause();
  await send();
  expect(receiver.to(invited.email)).toEqual([]);
  expect(await emailTo(invited)).toMatchObject({
    state: 'failed',
    reason: 'Sending the link took too long. Send another one.',
  });
  expect(await eventsAbout('password.link_created', invited)).toHaveLength(1);
});

test('shows an organization only its own deliveries, and uses its own console', async () => {
  const call = await addOrganization(service, 'other');
  const { rows } = await sql<{ id: string; org_id: string }>`
    select u.id, u.org_id from platform_user u join organization o on o.id = u.org_id and o.slug = 'other'`.execute(
    service.database.db,
  );
  const { id = '', org_id = '' } = rows[0] ?? {};
  await store([draft({ to: [{ userId: id }] })], org_id);
  await store([draft({ to: [{ userId: id }] })], orgId);
  await send(['email'], org_id);
  const [received] = receiver.to('admin@other.example');
  expect(received?.mail.text).toContain('https://gatehouse.acme.example/org/other/tasks/1');
  expect((await call('GET', '/api/notifications/deliveries/')).body.count).toBe(2);
  expect(await deliveries(`user=${id}`)).toEqual([]);
});

interface Post {
  url: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
  body: any;
}

/** A real receiver of webhooks, which answers as `reply` does. */
async function openPostReceiver(reply: (response: ServerResponse, request: IncomingMessage) => void) {
  const posts: Post[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    posts.push({ url: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) });
    reply(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    posts,
    url: `http://127.0.0.1:${port}/services/T0/B0/secret-part`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const addChannel = async (type: string, url: string, more: object = {}) => {
  const body = { type, name: `Channel ${++number}`, url, kinds: ['task_failed'], ...more };
  const { body: made } = await service.call('POST', '/api/notifications/channels/', body);
  return made as { external_uuid: string; name: string };
};

test.each([
  ['slack', ({ body }: Post) => body.blocks[0].text.text],
  ['teams', ({ body }: Post) => JSON.stringify(body.attachments[0].content.body)],
])('posts to %s and escapes names', async (type, textOf) => {
  const hooks = await openPostReceiver((response) => response.end('ok'));
  const channel = await addChannel(type, hooks.url);
  await store([draft({ to: [], appId: null, title: '<!channel> & <https://evil.example|here>' })]);
  expect(await send(['slack', 'teams'])).toEqual([{ ok: true }]);
  expect(hooks.posts).toHaveLength(1);
  const text = textOf(hooks.posts[0] as Post);
  expect(text).toContain('https://gatehouse.acme.example/tasks/1');
  if (type === 'slack') expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;');
  else expect(text).not.toMatch(/"(TextBlock|FactSet)"/);
  const tested = await service.call('POST', `/api/notifications/channels/${channel.external_uuid}/test/`);
  expect(tested.body).toEqual({ delivered: true, reason: null });
  await service.call('DELETE', `/api/notifications/channels/${channel.external_uuid}/`);
  await hooks.close();
});

test('posts only what concerns the app and the kinds of a channel', async () => {
  const hooks = await openPostReceiver((response) => response.end('ok'));
  const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Travel' })).body.id;
  const channel = await addChannel('slack', hooks.url, { app });
  await store([
    draft({ to: [], appId: app, title: 'Travel' }),
    draft({ to: [], appId: null, title: 'Everything' }),
    draft({ to: [], appId: app, kind: 'sync_failed', title: 'Another kind' }),
    draft({ to: [], title: 'Personal' }),
  ]);
  await send(['slack', 'teams']);
  expect(hooks.posts.map(({ body }) => body.text)).toEqual(['Travel']);
  await service.call('DELETE', `/api/notifications/channels/${channel.external_uuid}/`);
  await hooks.close();
});

test('retries a post that fails, waits as long as asked, and shows why without the secret address', async () => {
  const statuses = [500, 429, 200];
  const hooks = await openPostReceiver((response) => {
    const status = statuses.shift() ?? 500;
    response.writeHead(status, status === 429 ? { 'retry-after': '77' } : {}).end();
  });
  const channel = await addChannel('slack', hooks.url);
  await store([draft({ to: [], appId: null })]);
  expect(await send(['slack', 'teams'])).toMatchObject([{ ok: false, final: false }]);
  await passPause();
  expect(await send(['slack', 'teams'])).toMatchObject([{ ok: false, final: false, pauseSeconds: 77 }]);
  const [waiting] = await deliveries(`channel=${channel.external_uuid}`);
  expect(waiting).toMatchObject({
    state: 'waiting',
    attempts: 2,
    reason: '127.0.0.1 answered with the status 429.',
  });
  await passPause();
  expect(await send(['slack', 'teams'])).toEqual([{ ok: true }]);
  await service.call('DELETE', `/api/notifications/channels/${channel.external_uuid}/`);
  await hooks.close();
});

test('does not follow a redirect of a channel', async () => {
  const hooks = await openPostReceiver((response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  );
  const channel = await addChannel('teams', hooks.url);
  await store([draft({ to: [], appId: null })]);
  expect(await send(['slack', 'teams'])).toMatchObject([{ ok: false, final: true }]);
  await service.call('DELETE', `/api/notifications/channels/${channel.external_uuid}/`);
  await hooks.close();
});

test('deletes old messages and deliveries', async () => {
  const keeper = await person();
  await store([draft({ to: to(keeper) }), draft({ to: to(keeper) }), draft({ to: to(keeper) })]);
  await send();
  const age = (table: string, days: number, skip: number) =>
    sql`
      update ${sql.table(table)} set created_at = clock_now() - ${days}::integer * interval '24 hours'
      where id in (select id from ${sql.table(table)} where user_id = ${keeper.external_uuid} order by id limit 100 offset ${skip})`.execute(
      service.database.db,
    );
  await age('notification', 181, 2);
  await age('notification_delivery', 91, 4);
  await deleteOldNotifications(service.database.db);
  const { rows } = await sql<{ kept: number; deliveries: number }>`
    select (select count(*) from notification where user_id = ${keeper.external_uuid}) as kept,
      (select count(*) from notification_delivery where user_id = ${keeper.external_uuid}) as deliveries`.execute(
    service.database.db,
  );
  expect(rows[0]).toEqual({ kept: 2, deliveries: 4 });
});

test('sends one email to each of 500 reviewers, and one about many requests', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const { rows: people } = await sql<{ id: string; email: string }>`
    insert into platform_user (org_id, email, username)
    select ${orgId}, 'many-' || n || '@acme.example', 'many-' || n from generate_series(1, 500) n
    returning id, email`.execute(service.database.db);
  const everyone = people.map(({ id }) => ({ userId: id }));
  await store([unbound({ to: everyone, kind: 'review_assigned' })]);
  const one = everyone.slice(0, 1);
  await store(Array.from({ length: 1000 }, () => unbound({ to: one })));
  await send();
  for (const { email } of people) expect(receiver.to(email)).toHaveLength(1);
  expect(receiver.to(people[0]?.email ?? '')[0]?.mail.subject).toBe('1001 notifications from Gatehouse');
});

const ABOUT: [Exclude<NonNullable<Draft['about']>['type'], 'organization'>, KindName[]][] = [
  ['ticket', ['request_waiting', 'information_requested', 'request_expires', 'access_ends']],
  ['cycle', ['review_assigned']],
  ['task', ['fulfillment_assigned']],
  ['app', ['removal_held', 'budget_held', 'sync_overdue', 'task_failed']],
  ['webhook', ['webhook_failing']],
  ['policy', ['policy_held']],
];

test.each(['member', 'admin'])(
  'looks up what waits for a %s with as many statements for a long digest as for a short one',
  async (role) => {
    const statementsFor = async (each: number) => {
      const reader = await person(undefined, role);
      const drafts = ABOUT.flatMap(([type, kinds]) =>
        kinds.flatMap((kind) =>
          Array.from({ length: each }, () =>
            draft({ kind, to: to(reader), about: { type, id: randomUUID() } }),
          ),
        ),
      );
      await store([...drafts, unbound({ kind: 'key_expires', to: to(reader) })]);
      while (await gather(within(service.database.db, orgId), ['email']));
      let statements = 0;
      const counting = service.database.db.withPlugin({
        transformQuery: ({ node }) => {
          statements += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      expect(await sendNext(tools, within(counting, orgId), ['email'])).toEqual({ ok: true });
      return statements;
    };

    expect(await statementsFor(100)).toBe(await statementsFor(1));
  },
);

test('deletes everything of a deleted person', async () => {
  const leaver = await person();
  await store([draft({ to: to(leaver) })]);
  await gather(within(service.database.db, orgId), ['email']);
  await service.call('DELETE', `/api/users/${leaver.external_uuid}/`);
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from notification where user_id = ${leaver.external_uuid})
      + (select count(*) from notification_delivery where user_id = ${leaver.external_uuid})
      + (select count(*) from notification_message where user_id = ${leaver.external_uuid}) as n`.execute(
    service.database.db,
  );
  expect(rows[0]?.n).toBe(0);
});
