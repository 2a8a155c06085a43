import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { type MailReceiver, openMailReceiver } from '#test/mail.ts';
import { scan } from '#test/notifications.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';
import { setTimes } from '#test/time.ts';
import { deleteExpiredAttachments } from './attachments.ts';
import { assigneesOf, reminders } from './facts.ts';

let service: RequestsTest;
let call: RequestsTest['call'];
let mail: MailReceiver;
/** Fulfillers, in the order of their turns. */
let fay: Somebody;
let finn: Somebody;
beforeAll(async () => {
  mail = await openMailReceiver();
  await open();
});
async function open() {
  service = await openRequestsTest([], { mail: mail.settings });
  call = service.call;
  fay = await addPersonWithKey(service, 'member', { email: 'fay@acme.example' });
  finn = await addPersonWithKey(service, 'member', { email: 'finn@acme.example' });
  await configure();
}
afterAll(async () => {
  await service.close();
  await mail.close();
});

/** Gives a test an organization of its own. */
async function openAlone() {
  const shared = { service, call, fay, finn };
  await open();
  onTestFinished(async () => {
    await service.close();
    ({ service, call, fay, finn } = shared);
  });
}

const SETTINGS = {
  enabled: true,
  assignment: 'round_robin',
  people: [] as string[],
  groups: [] as string[],
  instructions: { create_account: 'Open {{app}} and add {{ email }} to {{added}}.' },
  due_in_working_days: { create_account: 2 },
  remind_before_working_days: 1,
  escalate_after_working_days: 3,
};
const settingsPath = () => `/api/apps/${service.appId}/fulfillment/`;
const configure = async (more: object = {}) => {
  const answer = await call('PUT', settingsPath(), { ...SETTINGS, people: [fay.id, finn.id], ...more });
  expect(answer.status).toBe(200);
  return answer.body;
};

const tasksPath = '/api/fulfillment/tasks/';
const mine = async (who: Somebody) =>
  (await call('GET', `${tasksPath}?mine=true`, undefined, who)).body.results;
const details = async (id: string, by?: Somebody) =>
  (await call('GET', `${tasksPath}${id}/`, undefined, by)).body;
const act = (id: string, verb: string, body: object, by: Somebody) =>
  call('POST', `${tasksPath}${id}/${verb}/`, body, by);

let people = 0;
/** Creates a task that creates an account, and waits until it is assigned. Returns it with its assignee. */
async function assignedTask(email = `new-${++people}@by-hand.example`) {
  const user = await service.addUser(email);
  const [task] = await service.create({
    appId: service.appId,
    action: 'create_account',
    userId: user,
    entitlements: [],
    taskType: 'USER_ACTION',
    createdBy: service.adminId,
  } as never);
  const id = task?.id ?? '';
  return { id, user, email, assignee: await assigneeOf(id) };
}
async function assigneeOf(id: string, isWanted = (_email: string | null) => true): Promise<string | null> {
  let email: string | null | undefined;
  await expect
    .poll(
      async () => {
        const { status, body } = await call('GET', `${tasksPath}${id}/`);
        email = status === 200 ? (body.assignee?.email ?? null) : undefined;
        return email !== undefined && isWanted(email);
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  return email ?? null;
}
const whoIs = (email: string | null) =>
  [fay, finn, service.owen].find((one) => one.email === email) as Somebody;

test('carries a request from approval to a removed account without a connector', async () => {
  await openAlone();
  const user = await service.addUser('joiner@by-hand.example');
  const ticket = await service.approved({ user, memberships: { team: ['red'] } });
  const id = ticket.tasks[0].external_uuid;
  const who = whoIs(await assigneeOf(id));
  await expect
    .poll(() => mail.to(who.email).map((one) => one.mail.subject), { timeout: 30_000 })
    .toContainEqual(expect.stringContaining('create account for joiner@by-hand.example'));

  const task = await details(id, who);
  expect(task).toMatchObject({
    instructions: 'Open Payroll and add joiner@by-hand.example to Red.',
    task: { status: 'pending', action: 'create_account' },
    may: { report: true, reassign: true, attach: true },
  });
  const { body: file, status } = await call(
    'POST',
    `${tasksPath}${id}/attachments/?name=${encodeURIComponent('scr"ée\nn.png')}`,
    'proof',
    { ...who, headers: { 'content-type': 'application/octet-stream' } },
  );
  expect(status).toBe(201);
  const download = await call('GET', `${tasksPath}${id}/attachments/${file.external_uuid}/`, undefined, who);
  expect(download).toMatchObject({ status: 200, body: 'proof' });
  expect(download.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="attachment"; filename*=UTF-8''scr%22%C3%A9e%0An.png`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });

  const done = await act(id, 'complete', { account_id: 'joiner', note: 'Created by hand' }, who);
  expect(done).toMatchObject({
    status: 200,
    body: { note: 'Created by hand', attachments: 1, task: { status: 'completed' }, may: { report: false } },
  });
  expect(await service.has(user)).toEqual(['team:red']);
  expect(await service.accountByEmail('joiner@by-hand.example')).toMatchObject({
    status: 'INVITED',
    external_id: 'joiner',
  });
  expect((await service.ticket(ticket.external_uuid)).tasks[0].status).toBe('completed');
  const completed = (await eventsOf(service, 'task.completed')).at(-1);
  expect(completed).toMatchObject({ subject: { uuid: id }, actor: { type: 'user', uuid: who.id } });

  await call('POST', '/api/policies/', {
    name: 'Leavers',
    trigger: 'user.deactivated',
    condition: 'true',
    effects: [{ do: 'delete', app: service.appId }],
    enabled: true,
  });
  await call('PATCH', `/api/users/${user}/`, { status: 'deactivated' });
  const removal = async () =>
    (await call('GET', tasksPath)).body.results.find(
      ({ task }: { task: { action: string; app_user: { email: string } } }) =>
        task.action === 'delete_account' && task.app_user.email === 'joiner@by-hand.example',
    );
  await expect.poll(async () => (await removal()) !== undefined, { timeout: 30_000 }).toBe(true);
  const { task: found, assignee } = await removal();
  const removed = await act(found.external_uuid, 'complete', {}, whoIs(assignee.email));
  expect(removed.body.task.status).toBe('completed');
  expect(await service.has(user)).toEqual([]);
  expect((await call('GET', '/api/accounts/?email=joiner@by-hand.example&status=INVITED')).body.count).toBe(
    0,
  );
});

test('takes turns, and offers nothing pending to connectors', async () => {
  const [one, two] = [await assignedTask(), await assignedTask()];
  expect(new Set([one.assignee, two.assignee])).toEqual(new Set([fay.email, finn.email]));
  for (const query of ['', '?status=pending']) {
    const { tasks } = (await service.bridge('GET', `/tasks/${query}`)).body;
    expect(tasks.filter(({ status }: { status: string }) => status === 'pending')).toEqual([]);
  }
  const owner = whoIs(one.assignee);
  const other = owner === fay ? finn : fay;
  expect(
    (await mine(owner)).map((row: { task: { external_uuid: string } }) => row.task.external_uuid),
  ).toContain(one.id);
  expect((await call('GET', `${tasksPath}${one.id}/`, undefined, other)).status).toBe(403);
  expect((await call('GET', `${tasksPath}${one.id}/`, undefined, service.ada)).status).toBe(403);
  expect((await call('GET', tasksPath, undefined, service.ada)).body.count).toBe(0);
  expect((await call('GET', settingsPath(), undefined, fay)).status).toBe(403);
});

test('lets the first report win, whoever makes it', async () => {
  const { id, assignee } = await assignedTask();
  const who = whoIs(assignee);
  expect(await act(id, 'complete', {}, who)).toMatchObject({ status: 400 });
  const reports = await Promise.all([
    act(id, 'complete', { account_id: 'first' }, who),
    act(id, 'complete', { account_id: 'second' }, who),
    service.bridge('PATCH', `/tasks/${id}/status/`, {
      status: 'completed',
      result: { account: { id: 'first' } },
    }),
  ]);
  expect(reports.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await act(id, 'refuse', { code: 'PERMISSION_DENIED', message: 'No' }, who)).toMatchObject({
    status: 409,
    body: { detail: "Task is already in 'completed' state and cannot be updated." },
  });
});

test('gives the same outcome to the same report of the same person', async () => {
  const [done, refused] = [await assignedTask(), await assignedTask()];
  const report = { account_id: `again-${done.id}`, note: 'Done' };
  const refusal = { code: 'PERMISSION_DENIED', message: 'Not allowed.' };
  const by = whoIs(done.assignee);

  const first = await act(done.id, 'complete', report, by);
  expect(first.status).toBe(200);
  expect(await act(done.id, 'complete', report, by)).toMatchObject({ status: 200, body: first.body });
  expect((await act(done.id, 'complete', { ...report, note: 'Other' }, by)).status).toBe(409);
  expect((await act(done.id, 'complete', { ...report, account_id: 'other' }, by)).status).toBe(409);
  expect((await act(done.id, 'refuse', refusal, by)).status).toBe(409);

  const other = whoIs(refused.assignee);
  for (let attempt = 0; attempt < 2; attempt++)
    expect((await act(refused.id, 'refuse', refusal, other)).status).toBe(200);
  expect((await act(refused.id, 'refuse', { ...refusal, message: 'Other' }, other)).status).toBe(409);
  const ended = (await eventsOf(service, 'task.')).filter(
    ({ event_type, subject }) =>
      ['task.completed', 'task.failed'].includes(event_type) &&
      [done.id, refused.id].includes(subject.uuid ?? ''),
  );
  expect(ended).toHaveLength(2);
});

test('offers open tasks to connectors once it is turned off, and takes them back', async () => {
  const { id, assignee } = await assignedTask();
  const who = whoIs(assignee);
  const offered = async () =>
    (await service.bridge('GET', '/tasks/?status=pending&limit=200')).body.tasks.some(
      (task: { id: string }) => task.id === id,
    );

  await configure({ enabled: false });
  expect(await offered()).toBe(true);
  expect(await act(id, 'complete', { account_id: 'off' }, who)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Its connector does') },
  });
  expect((await details(id, who)).may).toEqual({ report: false, attach: false, reassign: false });
  expect(await mine(who)).not.toContainEqual(expect.objectContaining({ task: { external_uuid: id } }));

  await configure();
  expect(await offered()).toBe(false);
  expect((await act(id, 'complete', { account_id: 'on-again' }, who)).status).toBe(200);
});

test('refuses the ID of an account that belongs to somebody else', async () => {
  const theirs = await assignedTask();
  await act(theirs.id, 'complete', { account_id: 'taken' }, whoIs(theirs.assignee));
  const { id, assignee } = await assignedTask();
  const who = whoIs(assignee);

  const refused = await act(id, 'complete', { account_id: 'taken' }, who);

  expect(refused).toMatchObject({
    status: 409,
    body: { detail: 'The account taken belongs to somebody else. Check the ID of the new account.' },
  });
  expect((await details(id, who)).may).toMatchObject({ report: true });
  expect((await act(id, 'complete', { account_id: 'not-taken' }, who)).status).toBe(200);
});

test('counts due dates from the moment when it is turned on again', async () => {
  const { id, assignee } = await assignedTask();
  const who = whoIs(assignee);
  await configure({ enabled: false });
  await setTimes(
    service,
    'fulfillment_assignment',
    { due_at: '30 days ago', escalated_at: 'now' },
    { task_id: id },
  );

  await configure();

  const task = await details(id, who);
  expect(task).toMatchObject({ assignee: { email: assignee }, overdue: false });
  expect(Date.parse(task.due_at)).toBeGreaterThan(Date.now());
  const day = new Date(Date.now() + 86_400_000).getTime();
  await configure({ due_in_working_days: { create_account: 60 } });
  expect(Date.parse((await details(id, who)).due_at)).toBeLessThan(day + 10 * 86_400_000);
  expect((await act(id, 'complete', { account_id: 'restarted' }, who)).status).toBe(200);
});

test('shows apps that people fulfill as such, except to members', async () => {
  const shown = async (by?: Somebody) => {
    const one = await call('GET', `/api/apps/${service.appId}/`, undefined, by);
    const { results } = (await call('GET', '/api/apps/?limit=200', undefined, by)).body;
    const listed = results.find((app: { external_uuid: string }) => app.external_uuid === service.appId);
    return [one.body.fulfilled_by_people, listed.fulfilled_by_people];
  };

  expect(await shown()).toEqual([true, true]);
  expect(await shown(fay)).toEqual([undefined, undefined]);
  await configure({ enabled: false });
  expect(await shown()).toEqual([false, false]);
  await configure();
});

test('assigns tasks to the members of groups, of any size, and forgets deleted groups', async () => {
  const { db } = service.database;
  const crowd = ['email', ...Array.from({ length: 501 }, (_, n) => `crowd-${n}@crowd.example`)].join('\n');
  const imported = await call('POST', '/api/users/import/', crowd, {
    headers: { 'content-type': 'text/csv' },
  });
  expect(imported.body.created).toBe(501);
  const group = '11111111-1111-4111-8111-111111111111';
  await sql`
    insert into person_group (org_id, id, display_name, created_at, updated_at)
    values (${service.orgId}, ${group}, 'Crowd', now(), now())`.execute(db);
  await sql`
    insert into person_group_member (org_id, group_id, user_id)
    select org_id, ${group}::uuid, id from platform_user
    where org_id = ${service.orgId} and email like '%@crowd.example'`.execute(db);
  await configure({ people: [], groups: [group] });

  const { id, assignee } = await assignedTask();
  expect(assignee).toContain('@crowd.example');
  const reason = 'The crowd is busy';
  for (const to of [service.owen.id, service.adminId])
    expect((await act(id, 'reassign', { assignee: to, reason }, {} as Somebody)).status).toBe(204);
  await setTimes(db, 'fulfillment_assignment', { due_at: '10 days ago' }, { task_id: id });
  expect(await assigneeOf(id, (email) => email === service.owen.email)).toBe(service.owen.email);

  await sql`delete from person_group where org_id = ${service.orgId} and id = ${group}`.execute(db);
  const { body } = await call('GET', settingsPath());
  expect(body.groups).toEqual([]);
  expect((await call('PUT', settingsPath(), body)).status).toBe(200);
  await configure();
});

test('reads overdue tasks in pages', async () => {
  const ids = [(await assignedTask()).id, (await assignedTask()).id];
  await setTimes(service, 'fulfillment_assignment', { due_at: '1 day ago' }, { task_id: ids });
  const found: string[] = [];
  for (let after = '00000000-0000-0000-0000-000000000000'; after !== ''; ) {
    const page = await reminders(within(service.database.db, service.orgId), after, 1);
    const tasks = page.map(({ task_id }) => task_id);
    const assigned = await assigneesOf(within(service.database.db, service.orgId), tasks);
    expect(assigned.map(({ task_id }) => task_id)).toEqual(tasks);
    found.push(...page.map(({ task_id }) => task_id));
    after = page.at(-1)?.task_id ?? '';
  }
  expect(found).toEqual(expect.arrayContaining(ids));
  expect(found).toEqual([...new Set(found)].sort());
});

test('fails a refused task, without a retry', async () => {
  const { id, assignee } = await assignedTask();
  const refusal = { code: 'LICENSE_EXHAUSTED', message: 'All seats are taken.' };
  const { body } = await act(id, 'refuse', refusal, whoIs(assignee));
  expect(body.task).toMatchObject({ status: 'failed', error: refusal });
  const later = (await call('GET', `/api/tasks/?account=${body.task.app_user.external_uuid}`)).body;
  expect(later.count).toBe(1);
  const retried = await act(id, 'refuse', { ...refusal, code: 'TIMEOUT' }, whoIs(assignee));
  expect(retried.status).toBe(400);
});

test('hands tasks over, only to people who can carry them out', async () => {
  const { id, assignee } = await assignedTask();
  const [who, other] = whoIs(assignee) === fay ? [fay, finn] : [finn, fay];
  const reason = 'On another project';
  expect(await act(id, 'reassign', { assignee: service.ada.id, reason }, who)).toMatchObject({ status: 409 });
  expect(await act(id, 'reassign', { assignee: other.id, reason }, other)).toMatchObject({ status: 403 });
  expect(await act(id, 'reassign', { assignee: other.id, reason }, who)).toMatchObject({ status: 204 });
  expect(await act(id, 'complete', { account_id: 'x' }, who)).toMatchObject({ status: 403 });
  expect(await details(id, other)).toMatchObject({
    reassign_reason: reason,
    assignee: { email: other.email },
  });
  expect((await eventsOf(service, 'fulfillment.reassigned')).at(-1)).toMatchObject({
    actor: { uuid: who.id },
    payload: { from: who.id, to: other.id, cause: 'person', reason },
  });
  expect(await act(id, 'complete', { account_id: 'handed-over' }, other)).toMatchObject({ status: 200 });
});

test('gives nobody a task of their own account', async () => {
  await configure({ people: [fay.id] });
  await sql`delete from fulfillment_assignment`.execute(service.database.db);
  const [task] = await service.create({
    appId: service.appId,
    action: 'create_account',
    userId: fay.id,
    taskType: 'USER_ACTION',
    createdBy: service.adminId,
  } as never);
  expect(await assigneeOf(task?.id ?? '')).toBe(service.owen.email);
  const reason = 'Hers';
  const back = await act(task?.id ?? '', 'reassign', { assignee: fay.id, reason }, service.owen);
  expect(back.status).toBe(409);
  await configure();
});

test('reassigns the tasks of fulfillers who leave or are away, and escalates overdue ones to the owner', async () => {
  const gus = await addPersonWithKey(service, 'member', { email: 'gus@acme.example' });
  await configure({ people: [gus.id] });
  const { id, assignee } = await assignedTask();
  expect(assignee).toBe(gus.email);
  await configure({ people: [gus.id, fay.id] });
  await call('PATCH', `/api/users/${gus.id}/`, { status: 'deactivated' });
  expect(await assigneeOf(id, (email) => email !== gus.email)).toBe(fay.email);

  const away = { deputy: finn.id, starts_at: '2020-01-01T00:00:00Z', ends_at: '2098-01-01T00:00:00Z' };
  const longest = new Date(Date.now() + 300 * 86_400_000).toISOString();
  const absence = await call('POST', `/api/users/${fay.id}/absences/`, {
    ...away,
    starts_at: new Date().toISOString(),
    ends_at: longest,
  });
  expect(absence.status).toBe(201);
  expect(await assigneeOf(id, (email) => email !== fay.email)).toBe(service.owen.email);
  await call('DELETE', `/api/users/${fay.id}/absences/${absence.body.external_uuid}/`);

  const next = await assignedTask();
  expect(next.assignee).toBe(fay.email);
  await setTimes(service, 'fulfillment_assignment', { due_at: '1 day ago' }, { task_id: next.id });
  await scan(service);
  const { rows } = await sql`
    select from notification
    where user_id = ${fay.id} and kind = 'fulfillment_overdue' and about_id = ${next.id}`.execute(
    service.database.db,
  );
  expect(rows).toHaveLength(1);
  await setTimes(service, 'fulfillment_assignment', { due_at: '10 days ago' }, { task_id: next.id });
  expect(await assigneeOf(next.id, (email) => email !== fay.email)).toBe(service.owen.email);
  expect((await eventsOf(service, 'fulfillment.reassigned')).at(-1)?.payload).toMatchObject({
    cause: 'overdue',
  });
  await configure();
});

test('leaves a task to administrators if nobody can carry it out, and assigns it later', async () => {
  const last = await addPersonWithKey(service, 'member', { email: 'last@acme.example' });
  await call('PATCH', `/api/apps/${service.appId}/`, { owner: null });
  await configure({ people: [last.id] });
  await call('POST', `/api/users/${last.id}/deactivate/`);
  const { id, assignee } = await assignedTask();
  expect(assignee).toBeNull();
  await sql`update fulfillment_assignment set checked_at = '-infinity'`.execute(service.database.db);
  await configure({ people: [finn.id] });
  await sql`update fulfillment_assignment set checked_at = '-infinity'`.execute(service.database.db);
  expect(await assigneeOf(id, (email) => email !== null)).toBe(finn.email);
  await call('PATCH', `/api/apps/${service.appId}/`, { owner: service.owen.id });
  await configure();
});

test('bounds attachments, and deletes them after a year', async () => {
  const { id, assignee } = await assignedTask();
  const who = whoIs(assignee);
  const upload = (bytes: string, type = 'application/octet-stream') =>
    call('POST', `${tasksPath}${id}/attachments/?name=a.bin`, bytes, {
      ...who,
      headers: { 'content-type': type },
    });
  expect(await upload('<script>', 'text/html')).toMatchObject({ status: 415 });
  expect(await upload('x'.repeat(10 * 1024 * 1024 + 1))).toMatchObject({ status: 413 });
  const large = 'y'.repeat(600 * 1024);
  const { body } = await upload(large);
  const path = `${tasksPath}${id}/attachments/${body.external_uuid}/`;
  expect((await call('GET', path, undefined, who)).body).toBe(large);
  for (let n = 1; n < 10; n++) expect((await upload(`file ${n}`)).status).toBe(201);
  expect((await upload('one more')).status).toBe(409);
  expect((await call('GET', path, undefined, service.ada)).status).toBe(403);
  await setTimes(
    service,
    'fulfillment_attachment',
    { uploaded_at: '366 days ago' },
    { id: body.external_uuid },
  );
  await deleteExpiredAttachments(service.database.db);
  expect((await call('GET', path, undefined, who)).status).toBe(404);
  expect((await details(id, who)).files).toHaveLength(9);
});

test('rejects unknown placeholders, people and groups', async () => {
  const put = (more: object) => call('PUT', settingsPath(), { ...SETTINGS, ...more });
  expect(await put({ instructions: { create_account: '{{password}}' } })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('{{password}} is unknown') },
  });
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect((await put({ people: [unknown] })).status).toBe(404);
  expect((await put({ groups: [unknown] })).status).toBe(404);
});

test('gives an app that nothing has synced a type of accounts, once', async () => {
  const { id } = (await call('POST', '/api/v1/bridge/apps/', { name: 'Badges' })).body;
  const types = async () =>
    (await call('GET', `/api/apps/${id}/resource-types/`)).body.results.map(
      ({ slug }: { slug: string }) => slug,
    );
  const save = (enabled: boolean) =>
    call('PUT', `/api/apps/${id}/fulfillment/`, { ...SETTINGS, people: [fay.id], enabled });
  expect((await save(false)).status).toBe(200);
  expect(await types()).toEqual([]);

  expect((await save(true)).status).toBe(200);
  expect((await save(true)).status).toBe(200);

  expect(await types()).toEqual(['account']);
  const user = await service.addUser('badge@by-hand.example');
  const task = await call('POST', '/api/tasks/', { app: id, user, action: 'create_account' });
  expect(task.status).toBe(201);
  expect(await types()).toEqual(['account']);
});

test('follows merged and deleted people and archived apps', async () => {
  await openAlone();
  const twin = await addPersonWithKey(service, 'member', { email: 'fay.twin@acme.example' });
  await configure({ people: [twin.id] });
  const { id } = await assignedTask();
  const merged = await call('POST', `/api/users/${fay.id}/merge/`, { from: twin.id });
  expect(merged.body.moved).toMatchObject({
    fulfilled_apps: 1,
    fulfillment_tasks: expect.any(Number),
  });
  expect(merged.body.moved.fulfillment_tasks).toBeGreaterThan(0);
  expect(await assigneeOf(id)).toBe(fay.email);
  expect((await call('GET', settingsPath())).body.people).toEqual([fay.id]);

  const { external_uuid } = (await call('POST', '/api/users/', { email: 'brief@acme.example' })).body;
  await configure({ people: [external_uuid, fay.id] });
  expect((await call('DELETE', `/api/users/${external_uuid}/`)).status).toBe(204);
  expect((await call('GET', settingsPath())).body.people).toEqual([fay.id]);

  await call('DELETE', `/api/apps/${service.appId}/`);
  expect(await details(id)).toMatchObject({ task: { status: 'cancelled' }, may: { report: false } });
});
