import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { escalateTickets } from '#decisions/requests/escalate.ts';
import { escalateItems } from '#decisions/reviews/reviewers/escalate.ts';
import { transaction, within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { type MailReceiver, openMailReceiver } from '#test/mail.ts';
import { scan } from '#test/notifications.ts';
import { addPersonWithKey } from '#test/people.ts';
import type { ProvisioningTest } from '#test/provisioning.ts';
import { inDays, openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { setTimes } from '#test/time.ts';
import { lockCursor } from './queries/cursor.ts';
import { partsDue } from './scan.ts';
import { storeDrafts } from './store.ts';

/** Work that goes to other people, or that nobody did: who is notified, and in which words. */
const silent = createLogger('silent');
let receiver: MailReceiver;
beforeAll(async () => {
  receiver = await openMailReceiver();
});
afterAll(() => receiver.close());

/** The loops of the service do the work. */
const until = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
const subjects = (person: Somebody) => receiver.to(person.email).map(({ mail }) => mail.subject);

let number = 0;
const somebody = (service: ProvisioningTest, name: string): Promise<Somebody> =>
  addPersonWithKey(service, 'member', { email: `${name}-${++number}@acme.example` });
const setManager = async (service: ProvisioningTest, { id }: Somebody, manager: Somebody) =>
  expect(await service.call('PATCH', `/api/users/${id}/`, { manager: manager.id })).toMatchObject({
    status: 200,
  });
const away = async (service: ProvisioningTest, { id }: Somebody, deputy: Somebody) =>
  expect(
    await service.call('POST', `/api/users/${id}/absences/`, {
      deputy: deputy.id,
      starts_at: inDays(-1),
      ends_at: inDays(1),
    }),
  ).toMatchObject({ status: 201 });

/** Returns the notifications of a kind about a request or a cycle, by recipient. */
async function told({ database, orgId }: ProvisioningTest, kind: string, about: string) {
  const { rows } = await sql<{ email: string; title: string; body: string }>`
    select u.email, n.title, n.body from notification n
    join platform_user u on u.org_id = ${orgId} and u.id = n.user_id
    where n.org_id = ${orgId} and n.kind = ${kind} and n.about_id = ${about} order by u.email, n.id`.execute(
    database.db,
  );
  return rows;
}
const emailsOf = async (...asked: Parameters<typeof told>) =>
  (await told(...asked)).map(({ email }) => email);
const sorted = (...people: Somebody[]) => people.map(({ email }) => email).sort();

describe('requests', () => {
  let service: RequestsTest;
  beforeAll(async () => {
    service = await openRequestsTest([], { mail: receiver.settings });
    await service.call('PATCH', `/api/apps/${service.appId}/`, { escalate_after_working_days: 5 });
  });
  afterAll(() => service.close());

  /** A pending request, with the people who decide it and their managers. */
  async function ask({ fallback = [] as Somebody[] } = {}) {
    const [approver, boss] = [await somebody(service, 'approver'), await somebody(service, 'boss')];
    await setManager(service, approver, boss);
    const ids = fallback.map(({ id }) => id);
    await service.route([{ approvers: [approver.id], require: 'any' }], ids.length > 0 ? ids : null);
    const { body } = await service.ask({}, service.ada);
    const id: string = body.external_uuid;
    await until(() => emailsOf(service, 'request_waiting', id)).toEqual([approver.email]);
    return { id, label: body.label as string, approver, boss };
  }
  const escalate = async (id: string, days: number) => {
    const { db } = service.database;
    await setTimes(service, 'ticket', { created_at: `${days} days ago` }, { id });
    await escalateTickets({ db, expiryDays: 365 }, silent);
  };

  test('an escalation notifies the manager of the approver, then the fallback, once each', async () => {
    const fallback = await somebody(service, 'fallback');
    const { id, label, approver, boss } = await ask({ fallback: [fallback] });

    await escalate(id, 10);
    const escalated = {
      title: `Escalated to you: ${label}`,
      // Nobody is absent: they decide in place of an approver who waited too long.
      body: expect.stringMatching(
        /^(You decide for [^,\n]+\.\n)?The request has waited too long for its approvers\./,
      ),
    };
    await until(() => told(service, 'request_reassigned', id)).toEqual([{ email: boss.email, ...escalated }]);
    await escalate(id, 17);
    await until(() => told(service, 'request_reassigned', id)).toEqual([
      { email: boss.email, ...escalated },
      { email: fallback.email, ...escalated },
    ]);
    for (const person of [boss, fallback])
      await until(() => subjects(person)).toEqual([`Escalated to you: ${label}`]);

    await escalate(id, 18);
    await scan(service);
    expect(await emailsOf(service, 'request_reassigned', id)).toEqual(sorted(boss, fallback));
    expect(await emailsOf(service, 'request_waiting', id)).toEqual([approver.email]);
    expect(subjects(approver)).toEqual([`Decision needed: ${label}`]);
  });

  test('an escalation to a manager who is away notifies their deputy, too', async () => {
    const { id, boss } = await ask();
    const deputy = await somebody(service, 'deputy');
    await away(service, boss, deputy);

    await escalate(id, 10);

    await until(() => emailsOf(service, 'request_reassigned', id)).toEqual(sorted(boss, deputy));
  });

  test('a deputy is told on whose behalf they decide, and the absent approver is told, too', async () => {
    const [absent, deputy] = [await somebody(service, 'absent'), await somebody(service, 'deputy')];
    await away(service, absent, deputy);
    await service.route([{ approvers: [absent.id], require: 'any' }]);
    const { body: ticket } = await service.ask({}, service.ada);

    const asked = 'Open the request to approve or deny it.';
    const title = `Decision needed: ${ticket.label}`;
    await until(() => told(service, 'request_waiting', ticket.external_uuid)).toEqual([
      { email: absent.email, title, body: asked },
      { email: deputy.email, title, body: `You decide for ${absent.email}, who is absent.\n${asked}` },
    ]);
    await until(() => subjects(deputy)).toEqual([title]);
    expect(receiver.to(deputy.email)[0]?.mail.text).toContain(`You decide for ${absent.email}`);
  });

  test('a deputy is told once about requests that waited before the absence, on whose behalf', async () => {
    const { id, approver } = await ask();
    const deputy = await somebody(service, 'deputy');
    await away(service, approver, deputy);
    await scan(service);

    await until(() => emailsOf(service, 'request_waiting', id)).toEqual(sorted(approver, deputy));
    await scan(service);
    const [, ofDeputy, ...more] = await told(service, 'request_waiting', id);
    expect([ofDeputy, more]).toEqual([
      {
        email: deputy.email,
        title: expect.stringContaining('Decision needed'),
        body: expect.stringContaining(`You decide for ${approver.email}, who is absent.`),
      },
      [],
    ]);
  });

  test('a granted request whose task fails for good notifies the requester and the person, once', async () => {
    const [asker, user] = [await somebody(service, 'asker'), await somebody(service, 'user')];
    await service.route([{ approvers: 'app_owner' }]);
    await service.reportTo(user.id, asker.id);
    const { body: ticket } = await service.ask({ user: user.id }, asker);
    const id: string = ticket.external_uuid;
    await service.act(id, 'approve', {}, service.owen);
    // Emails that become due at the same time are combined.
    for (const person of [asker, user])
      await until(() => subjects(person)).toContain(`Approved: ${ticket.label}`);
    const pending = async () => {
      const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
      return tasks.find((task: object) => JSON.stringify(task).includes(user.email))?.id as
        | string
        | undefined;
    };
    const fail = async (code: string) => {
      await until(pending).toBeTypeOf('string');
      const task = await pending();
      const error = { code, message: 'No seat is left in tenant 4711.' };
      const report = { status: 'failed', error };
      expect(await service.bridge('PATCH', `/tasks/${task}/status/`, report)).toMatchObject({ status: 200 });
      return task;
    };

    await fail('TIMEOUT');
    await service.passTime(3600);
    const last = await fail('INTERNAL_ERROR');

    const title = `Not granted yet: ${ticket.label}`;
    const body =
      'The access to Payroll could not be granted. The people responsible for the app have been told.';
    const expected = [asker, user].map(({ email }) => ({ email, title, body }));
    await until(() => told(service, 'request_failed', id)).toEqual(expected);
    for (const person of [asker, user]) await until(() => subjects(person)).toContain(title);
    const failures = await told(service, 'task_failed', service.appId);
    expect(failures).toEqual([
      {
        email: 'admin@acme.example',
        title: 'Task failed in Payroll',
        body: expect.stringContaining('No seat is left in tenant 4711.'),
      },
      // The owner of the app is a member, who cannot see the task.
      {
        email: service.owen.email,
        title: 'Task failed in Payroll',
        body: 'create account failed. The administrators have been told.',
      },
    ]);

    expect(await service.call('POST', `/api/tasks/${last}/retry/`)).toMatchObject({ status: 201 });
    await service.work();
    await until(() => emailsOf(service, 'request_granted', id)).toEqual(sorted(asker, user));
    expect(await told(service, 'request_failed', id)).toEqual(expected);
  });
});

describe('reviews', () => {
  let service: ReviewsTest;
  const KNOWN = 'known@acme.example';
  beforeAll(async () => {
    const records = [
      { id: 'known', email: KNOWN },
      { id: 'nobody', email: 'nobody@acme.example' },
    ];
    service = await openReviewsTest(records, { mail: receiver.settings });
  });
  afterAll(() => service.close());

  let cycles = 0;
  const start = async (settings: object) => {
    const name = `Review ${++cycles}`;
    const cycle = await service.start({ name, scope: { include: ['accounts'] }, due_days: 90, ...settings });
    return { ...cycle, id: cycle.external_uuid as string, name };
  };
  const escalate = async ({ id }: { id: string }, days: number) => {
    const { db } = service.database;
    await setTimes(service, 'review_cycle', { opened_at: `${days} days ago` }, { id });
    await escalateItems(db, silent);
  };

  test('an escalation notifies the manager of the reviewer, then the fallback, once for all items', async () => {
    const [reviewer, boss] = [await somebody(service, 'reviewer'), await somebody(service, 'boss')];
    const fallback = await somebody(service, 'fallback');
    await setManager(service, reviewer, boss);
    const cycle = await start({
      reviewer: [reviewer.id],
      fallback_reviewers: [fallback.id],
      escalate_after_working_days: 5,
    });
    await until(() => emailsOf(service, 'review_assigned', cycle.id)).toEqual([reviewer.email]);

    await escalate(cycle, 10);
    const title = `Review items were escalated to you: ${cycle.name}`;
    const escalated = {
      title,
      body: expect.stringMatching(/^(You decide for [^,\n]+\.\n)?Open the review to decide\.$/),
    };
    await until(() => told(service, 'review_reassigned', cycle.id)).toEqual([
      { email: boss.email, ...escalated },
    ]);
    await escalate(cycle, 20);
    await until(() => told(service, 'review_reassigned', cycle.id)).toEqual([
      { email: boss.email, ...escalated },
      { email: fallback.email, ...escalated },
    ]);
    for (const person of [boss, fallback]) await until(() => subjects(person)).toEqual([title]);

    await escalate(cycle, 21);
    await scan(service);
    expect(await emailsOf(service, 'review_reassigned', cycle.id)).toEqual(sorted(boss, fallback));
    expect(await emailsOf(service, 'review_assigned', cycle.id)).toEqual([reviewer.email]);
  });

  test('channels learn of a review that opened after its event was read, but not of an old one', async () => {
    const reviewer = await somebody(service, 'reviewer');
    const cycle = await start({ reviewer: [reviewer.id] });
    const db = within(service.database.db, service.orgId);
    const assigned = async () => {
      for (const draftsOf of partsDue(30))
        for (const draft of await draftsOf(db))
          if (draft.kind === 'review_assigned' && draft.about?.id === cycle.id) return draft;
      return undefined;
    };
    expect(await assigned()).toMatchObject({ appId: null });
    await setTimes(service, 'review_cycle', { opened_at: '2 days ago' }, { id: cycle.id });
    expect(await assigned()).not.toHaveProperty('appId');
  });

  test('a review that opens asks for a scan', async () => {
    const { db } = service.database;
    await start({ reviewer: [(await somebody(service, 'reviewer')).id] });
    const at = () =>
      sql<{ at: Date }>`
      select scanned_at as at from notification_cursor where org_id = ${service.orgId}`.execute(db);
    const before = new Date(Date.now() - 90_000);
    await sql`
      update notification_cursor set scanned_at = ${before.toISOString()}::timestamptz,
        scan_asked_at = null
      where org_id = ${service.orgId}`.execute(db);
    await until(async () => (await at()).rows[0]?.at.getTime()).toBeGreaterThan(before.getTime());
  });

  test('a deputy of a reviewer is told on whose behalf they review', async () => {
    const [absent, deputy] = [await somebody(service, 'absent'), await somebody(service, 'deputy')];
    const later = await somebody(service, 'later');
    await away(service, absent, deputy);
    const cycle = await start({ reviewer: [absent.id, later.id] });

    const isTold = { title: `Review waiting: ${cycle.name}`, body: expect.stringContaining('It is due on') };
    await until(() => told(service, 'review_assigned', cycle.id)).toEqual([
      { email: absent.email, ...isTold },
      {
        email: deputy.email,
        ...isTold,
        body: expect.stringMatching(`^You decide for ${absent.email}, who is absent.\nIt is due on`),
      },
      { email: later.email, ...isTold },
    ]);
    const ofLater = await somebody(service, 'of-later');
    await away(service, later, ofLater);
    await scan(service);
    await until(() => emailsOf(service, 'review_assigned', cycle.id)).toEqual(
      sorted(absent, deputy, later, ofLater),
    );
    const body = (await told(service, 'review_assigned', cycle.id)).find(
      ({ email }) => email === ofLater.email,
    )?.body;
    expect(body).toContain(`You decide for ${later.email}, who is absent.`);
  });

  test('an overdue review notifies those with open items, once a week', async () => {
    const [late, done] = [await somebody(service, 'late'), await somebody(service, 'done')];
    const known = await service.keyOf(KNOWN);
    expect(await service.call('PATCH', `/api/users/${known.id}/`, { manager: late.id })).toMatchObject({
      status: 200,
    });
    const cycle = await start({ reviewer: 'manager', fallback_reviewers: [done.id] });
    const items = await service.items(cycle);
    const [item] = items.filter(({ account }) => account.email !== KNOWN);
    expect(await service.decide(cycle, [item], 'keep', { key: done.key })).toMatchObject({ status: 200 });
    // Emails that become due at the same time are combined.
    await until(() => subjects(late)).toContain(`Review waiting: ${cycle.name}`);

    /** Scans as if the cycle had been due. Otherwise its closing, each minute, could come first. */
    const scanOverdue = (days: number) =>
      transaction(service.database.db, async (tx) => {
        const { orgId } = service;
        const setDue = (due: string) =>
          sql`
            update review_cycle set due_at = ${due}::timestamptz where org_id = ${orgId} and id = ${cycle.id}`.execute(
            tx,
          );
        await lockCursor(within(tx, orgId));
        await setDue(inDays(-days));
        for (const draftsOf of partsDue(30))
          await storeDrafts(within(tx, orgId), await draftsOf(within(tx, orgId)), { canEmail: true });
        await setDue(inDays(90));
      });
    await scanOverdue(1);
    await scanOverdue(6);
    const overdue = {
      email: late.email,
      title: `Overdue review: ${cycle.name}`,
      body: expect.stringMatching(/^It was due on .*, and you have open items\.$/),
    };
    expect(await told(service, 'review_overdue', cycle.id)).toEqual([overdue]);
    await until(() => subjects(late)).toContain(overdue.title);
    await scanOverdue(8);
    expect(await told(service, 'review_overdue', cycle.id)).toEqual([overdue, overdue]);
  });
});
