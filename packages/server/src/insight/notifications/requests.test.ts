import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { type MailReceiver, openMailReceiver } from '#test/mail.ts';
import { addPersonWithKey } from '#test/people.ts';
import { inDays, openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';
import { setTimes } from '#test/time.ts';

let receiver: MailReceiver;
let service: RequestsTest;
beforeAll(async () => {
  receiver = await openMailReceiver();
  service = await openRequestsTest([], { mail: receiver.settings });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** The loops of the service do the work. */
const until = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

let number = 0;
const fresh = () =>
  addPersonWithKey(service, 'member', { email: `asker-${++number}@acme.example` }) as Promise<Somebody>;

/** The approver gets at most three emails in ten minutes. Between tests, those of before are older. */
const passMinutes = (minutes: number) =>
  setTimes(service, 'notification_message', { created_at: `${minutes} minutes ago` });
const subjects = (address: string) => receiver.to(address).map(({ mail }) => mail.subject);
/** Everything that was sent about a ticket, as `kind recipient`, without the inbox. */
const sentAbout = async (ticket: string) => {
  const { rows } = await sql<{ line: string }>`
    select d.kind || ' ' || u.email as line from notification_delivery d
    join notification n on n.org_id = d.org_id and n.id = d.notification_id
    join platform_user u on u.org_id = d.org_id and u.id = d.user_id
    where n.about_id = ${ticket} and d.medium = 'email' order by 1`.execute(service.database.db);
  return rows.map(({ line }) => line);
};
/** Scans immediately for what is due. */
const scan = () => sql`update notification_cursor set scanned_at = '-infinity'`.execute(service.database.db);

test('tells the approver and, after the decision and the grant, the requester', async () => {
  const asker = await fresh();
  const { body: ticket } = await service.ask({ user: asker.id }, asker);
  await until(() => subjects(service.owen.email)).toContain(`Decision needed: ${ticket.label}`);
  await service.act(ticket.external_uuid, 'approve', { comment: 'Fine' }, service.owen);
  await until(() => subjects(asker.email)).toContain(`Approved: ${ticket.label}`);
  await service.work();
  await until(() => subjects(asker.email)).toContain(`Granted: ${ticket.label}`);
  expect(await sentAbout(ticket.external_uuid)).toEqual([
    `request_decided ${asker.email}`,
    `request_granted ${asker.email}`,
    `request_waiting ${service.owen.email}`,
  ]);
  await passMinutes(20);
});

test('writes one plain email to one recipient, which decides nothing', async () => {
  const asker = await fresh();
  const { body: ticket } = await service.ask({ user: asker.id }, asker);
  const subject = `Decision needed: ${ticket.label}`;
  await until(() => subjects(service.owen.email)).toContain(subject);
  const sent = receiver.to(service.owen.email).find(({ mail }) => mail.subject === subject);
  expect(sent?.to).toEqual([service.owen.email]);
  expect(sent?.mail.to).toEqual([{ name: '', address: service.owen.email }]);
  const headers = new Map(sent?.mail.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(headers.get('list-unsubscribe')).toBe('<http://localhost/settings/notifications>');
  const { text = '', html = '' } = sent?.mail ?? {};
  expect(text).toContain(`http://localhost/requests/${ticket.external_uuid}`);
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
  expect(links).toEqual([
    `http://localhost/requests/${ticket.external_uuid}`,
    'http://localhost/settings/notifications',
  ]);
  expect(html).not.toMatch(/<img|<script|<link|url\(|approve\/|deny\//i);
  expect(html).toContain('color-scheme');
  await passMinutes(20);
});

test('combines the emails to one person after the first few', async () => {
  const busy = await fresh();
  await service.route([{ require: 'any', approvers: [busy.id] }]);
  const labels: string[] = [];
  for (let n = 0; n < 8; n++) {
    const { body } = await service.ask({}, service.ada);
    labels.push(body.label);
    const count = Math.min(n + 1, 3);
    await until(() => receiver.to(busy.email).length).toBe(count);
  }
  // Each of the others is put off, so that the next email has all of them.
  const putOff = async () => {
    const { rows } = await sql`
      select from notification_delivery
      where user_id = ${busy.id} and state = 'waiting' and due_at > clock_now()`.execute(service.database.db);
    return rows.length;
  };
  await until(putOff).toBe(5);
  const { body: listed } = await service.call(
    'GET',
    `/api/notifications/deliveries/?user=${busy.id}&state=waiting`,
  );
  expect(listed.count).toBe(5);
  await setTimes(service, 'notification_delivery', { due_at: 'now' }, { user_id: busy.id, state: 'waiting' });
  await passMinutes(20);
  await until(() => receiver.to(busy.email).length).toBe(4);
  const last = receiver.to(busy.email).at(-1)?.mail;
  expect(last?.subject).toBe('5 notifications from Gatehouse');
  for (const label of labels.slice(3)) expect(last?.text).toContain(label);
  await service.route([{ require: 'any', approvers: 'app_owner' }]);
});

test('tells the next approvers, and those for whom a request waits since somebody left', async () => {
  const [first, second] = [await fresh(), await fresh()];
  await service.route([{ require: 'any', approvers: [first.id] }], [second.id]);
  const { body: ticket } = await service.ask({}, service.ada);
  await until(() => sentAbout(ticket.external_uuid)).toEqual([`request_waiting ${first.email}`]);
  await service.call('POST', `/api/users/${first.id}/deactivate/`);
  // The event asks for a scan. If the last one was less than a minute ago, the service would wait for that minute.
  await setTimes(service, 'notification_cursor', { scanned_at: '2 minutes ago' });
  await until(() => sentAbout(ticket.external_uuid)).toEqual([
    `request_waiting ${first.email}`,
    `request_waiting ${second.email}`,
  ]);
  await scan();
  await service.route([{ require: 'any', approvers: 'app_owner' }]);
});

test('tells the others of comments, of questions and answers, and the new approver of a reassignment', async () => {
  const [asker, first, second] = [await fresh(), await fresh(), await fresh()];
  await service.route([{ require: 'any', approvers: [first.id] }]);
  const { body: ticket } = await service.ask({ user: asker.id }, asker);
  const id = ticket.external_uuid;
  const say = async (action: string, body: object, by: Somebody) =>
    expect((await service.call('POST', `/api/tickets/${id}/${action}/`, body, by)).status).toBeLessThan(300);
  await say('comments', { comment: 'For the audit' }, asker);
  await say('request-information', { comment: 'Which one?' }, first);
  await say('provide-information', { comment: 'The yearly one' }, asker);
  // The people who decide are those of the time at which the service reads the event.
  await until(() => sentAbout(id)).toHaveLength(4);
  await say('reassign', { to: [second.id], reason: 'On another project' }, first);
  await until(() => sentAbout(id)).toEqual(
    [
      `information_provided ${first.email}`,
      `information_requested ${asker.email}`,
      `request_commented ${first.email}`,
      `request_reassigned ${second.email}`,
      `request_waiting ${first.email}`,
    ].sort(),
  );
  await service.route([{ require: 'any', approvers: 'app_owner' }]);
});

test('warns once before a request expires, and reminds at set intervals', async () => {
  const approver = await fresh();
  await service.route([{ require: 'any', approvers: [approver.id] }]);
  const { body: ticket } = await service.ask({}, service.ada);
  const id = ticket.external_uuid;
  await until(() => sentAbout(id)).toHaveLength(1);
  await setTimes(service, 'ticket', { created_at: '28 days ago' }, { id });
  await scan();
  const all = [
    `request_expires ${service.ada.email}`,
    `request_expires ${approver.email}`,
    `request_reminder ${approver.email}`,
    `request_waiting ${approver.email}`,
  ].sort();
  await until(() => sentAbout(id)).toEqual(all);
  await scan();
  await until(async () => {
    const { rows } = await sql<{ n: number }>`
        select count(*) as n from notification_cursor where scanned_at > '-infinity'`.execute(
      service.database.db,
    );
    return rows[0]?.n;
  }).toBe(1);
  expect(await sentAbout(id)).toEqual(all);
  await service.route([{ require: 'any', approvers: 'app_owner' }]);
});

test('warns before temporary access ends, with a link to ask for more time', async () => {
  const asker = await fresh();
  const { body: ticket } = await service.ask({ user: asker.id, end_time: inDays(40) }, asker);
  await service.act(ticket.external_uuid, 'approve', {}, service.owen);
  await service.work();
  await setTimes(
    service,
    'task',
    { execute_after: '2 days ahead', created_at: '38 days ago' },
    { source_id: ticket.external_uuid, status: 'scheduled' },
  );
  await scan();
  const subject = 'Temporary access to Payroll ends soon';
  await until(() =>
    receiver.to(asker.email).some(({ mail }) => mail.subject === subject || mail.text?.includes(subject)),
  ).toBe(true);
  const page = `/requests/new?app=${service.appId}&user=${asker.id}&type=extend`;
  expect(receiver.to(asker.email).some(({ mail }) => mail.text?.includes(page))).toBe(true);
});
