import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDays, openRequestsTest, type RequestsTest } from '#test/requests.ts';

/*
 * Groups and licenses that vanish, or get another name, after somebody asked for them. The accounts of these tests are
 * pushed by every sync, as a connector does.
 */

let service: RequestsTest;
beforeAll(async () => {
  service = await openRequestsTest();
});
afterAll(() => service.close());

type Record_ = { id: string; name: string };
const SEATS = [{ id: 'gold', name: 'Gold' }];

/**
 * A whole sync with these groups and licenses, and the accounts as Gatehouse knows them. `through`: by id, the group that gives a
 * group.
 */
async function sync(
  team: Record_[],
  seat: Record_[] = SEATS,
  { others = [], through = {} }: { others?: object[]; through?: Record<string, Record_> } = {},
) {
  const via = (id: string) =>
    through[id] === undefined ? {} : { via: { slug: 'team', id: through[id].id } };
  const { results } = (await service.call('GET', `/api/accounts/?app=${service.appId}`)).body;
  const ids = { team: team.map(({ id }) => id), seat: seat.map(({ id }) => id) };
  const keep = (refs: Record<string, { id: string }[]>) =>
    Object.fromEntries(
      Object.entries(refs).map(([slug, all]) => [
        slug,
        all
          .map(({ id }) => ({ id, ...via(id) }))
          .filter(({ id }) => ids[slug as 'team' | 'seat'].includes(id)),
      ]),
    );
  const person = results
    .filter(
      ({ external_id, status }: { external_id: string | null; status: string }) =>
        external_id !== null && status !== 'INACTIVE',
    )
    .map((account: { external_id: string; email: string; memberships: object; assignments: object }) => ({
      id: account.external_id,
      email: account.email,
      first_name: 'Ann',
      last_name: 'Other',
      memberships: keep(account.memberships as never),
      assignments: keep(account.assignments as never),
    }));
  await service.sync([...person, ...others], { team, seat });
}

let number = 0;
/** A group of this test's own. */
const group = (name: string): Record_ => ({ id: `g${String(++number).padStart(3, '0')}`, name });
const wanting = (...groups: Record_[]) => ({ memberships: { team: groups.map(({ id }) => id) } });
const actions = ({ tasks }: { tasks: { action: string; status: string }[] }) =>
  tasks.map(({ action, status }) => `${action} ${status}`);

/** A person with an account, and nothing in it. */
async function holder(): Promise<string> {
  const user = await service.addUser(`asked-${++number}@acme.example`);
  await service.approved({ user });
  await service.work();
  return user;
}
const pass = async (days: number) => {
  await service.passTime(days * 86_400);
  await service.work();
};
const eventsOf = async (type: string, ticket: string) => {
  const { results } = (await service.call('GET', `/api/events/?event_type=${type}`)).body;
  return results.filter(({ payload }: { payload: { ticket_id?: string } }) => payload.ticket_id === ticket);
};

test('a group that comes back under another name is not granted, and the ticket still names the one that was asked for', async () => {
  const approver = group('Approver');
  await sync([approver]);
  const user = await holder();
  const ticket = await service.approved({ user, ...wanting(approver), start_time: inDays(1) });
  await sync([]);
  const away = await service.ticket(ticket.external_uuid);
  expect(away.memberships.team).toEqual([
    { id: approver.id, name: 'Approver', exists: false, current_name: null },
  ]);
  await sync([{ ...approver, name: 'Admins' }]);
  await pass(1);
  expect(await service.has(user)).toEqual([]);
  const after = await service.ticket(ticket.external_uuid);
  expect(actions(after)).toEqual(['update_account cancelled']);
  expect(after.tasks[0].explanation.happened).toContain('"Approver" is now called "Admins"');
  expect(after.tasks[0].changes.team.added).toEqual([{ id: approver.id, name: 'Approver' }]);
  expect(after.memberships.team).toEqual([
    { id: approver.id, name: 'Approver', exists: true, current_name: 'Admins' },
  ]);
});

test('a group that vanishes before start_time is not granted; a new account is not created for nothing', async () => {
  const gone = group('Gone');
  await sync([gone]);
  const user = await service.addUser(`asked-${++number}@acme.example`);
  const ticket = await service.approved({
    user,
    ...wanting(gone),
    start_time: inDays(1),
    end_time: inDays(5),
  });
  await sync([]);
  await pass(1);
  const after = await service.ticket(ticket.external_uuid);
  expect(after.tasks[0]).toMatchObject({ action: 'create_account', status: 'cancelled' });
  expect(after.tasks[0].explanation.happened).toContain('"Gone" no longer exists');
  const { results } = (await service.call('GET', `/api/accounts/?user=${user}`)).body;
  expect(results.filter(({ status }: { status: string }) => status !== 'INACTIVE')).toEqual([]);
  await pass(5);
  expect(actions(await service.ticket(ticket.external_uuid))).toEqual([
    'create_account cancelled',
    'update_account cancelled',
    'delete_account cancelled',
  ]);
});

test('approving a request whose only group is gone creates no account, and says so', async () => {
  const gone = group('Vanished');
  await sync([gone]);
  const user = await service.addUser(`asked-${++number}@acme.example`);
  await service.reportTo(user, service.ada.id);
  const asked = await service.ask({ user, ...wanting(gone) }, service.ada);
  await sync([]);
  const { body } = await service.act(asked.body.external_uuid, 'approve', { override: true, comment: 'Yes' });
  expect(body).toMatchObject({ ticket_status: 'APPROVED', tasks: [] });
  expect(body.outcome).toBe('Nothing was granted. "Vanished" no longer exists.');
});

test('an existing account does not "already have" a group that is gone', async () => {
  const gone = group('Lost');
  await sync([gone]);
  const user = await holder();
  await service.reportTo(user, service.ada.id);
  const asked = await service.ask({ user, type: 'MODIFY_ACCESS', ...wanting(gone) }, service.ada);
  await sync([]);
  const { body } = await service.act(asked.body.external_uuid, 'approve', { override: true, comment: 'Yes' });
  expect(body.outcome).toBe('Nothing was granted. "Lost" no longer exists.');
});

test('a group that was renamed while its request waited is not granted, and the rest is', async () => {
  const [reader, approver] = [group('Reader'), group('Approver')];
  await sync([reader, approver]);
  const user = await holder();
  await service.reportTo(user, service.ada.id);
  const asked = await service.ask({ user, ...wanting(reader, approver) }, service.ada);
  await sync([reader, { ...approver, name: 'approver' }]);
  const { body } = await service.act(asked.body.external_uuid, 'approve', { override: true, comment: 'Yes' });
  expect(body.outcome).toBe('"Approver" is now called "approver" and was not granted. Request it again.');
  await service.work();
  expect(await service.has(user)).toEqual([`team:${reader.id}`]);
  const [approved] = await eventsOf('ticket.approved', asked.body.external_uuid);
  expect(approved.payload).toMatchObject({
    outcome: body.outcome,
    requested: [
      { type: 'group', slug: 'team', id: reader.id, name: 'Reader' },
      { type: 'group', slug: 'team', id: approver.id, name: 'Approver' },
    ],
  });
});

test('grants what is left when the time comes, and says what is missing', async () => {
  const [reader, gone] = [group('Reader'), group('Writer')];
  await sync([reader, gone]);
  const user = await service.addUser(`asked-${++number}@acme.example`);
  const ticket = await service.approved({ user, ...wanting(reader, gone), start_time: inDays(1) });
  await sync([reader]);
  await pass(1);
  expect(await service.has(user)).toEqual([`team:${reader.id}`]);
  const after = await service.ticket(ticket.external_uuid);
  expect(after.tasks[0]).toMatchObject({ action: 'create_account', status: 'completed' });
  expect(after.tasks[0].explanation.happened).toBe('The task left something out: "Writer" no longer exists.');
});

test('the end of a grant whose group is gone is canceled and recorded', async () => {
  const gone = group('Brief');
  await sync([gone]);
  const user = await holder();
  const ticket = await service.approved({ user, ...wanting(gone), end_time: inDays(3) });
  await service.work();
  expect(await service.has(user)).toEqual([`team:${gone.id}`]);
  await sync([]);
  await service.passTime(3 * 86_400);
  const after = await service.ticket(ticket.external_uuid);
  expect(actions(after)).toEqual(['update_account completed', 'update_account cancelled']);
  expect(after.tasks[1].explanation.happened).toContain('"Brief" no longer exists');
  const { results } = (await service.call('GET', '/api/events/?event_type=task.cancelled')).body;
  expect(
    results.find(
      ({ payload }: { payload: { task_id: string } }) => payload.task_id === after.tasks[1].external_uuid,
    ).payload.reason,
  ).toContain('"Brief" no longer exists');
});

test('the end of access that something else gives by then is canceled and recorded, until it is given directly again', async () => {
  const [team, giver] = [group('Guests'), group('Visitors')];
  const all = [team, giver];
  await sync(all);
  const user = await holder();
  const ticket = await service.approved({ user, ...wanting(team), end_time: inDays(3) });
  await service.work();
  await sync(all, SEATS, { through: { [team.id]: giver } });
  await service.passTime(3 * 86_400);
  const after = await service.ticket(ticket.external_uuid);
  expect(actions(after)).toEqual(['update_account completed', 'update_account cancelled']);
  const reason = '"Guests" cannot be removed by itself, because the account has it through "Visitors".';
  expect(after.tasks[1].explanation.happened).toContain(reason);
  expect(await service.has(user)).toEqual([`team:${team.id}`]);
  const { results } = (await service.call('GET', '/api/events/?event_type=task.cancelled')).body;
  expect(
    results.find(
      ({ payload }: { payload: { task_id: string } }) => payload.task_id === after.tasks[1].external_uuid,
    ).payload.reason,
  ).toContain(reason);
  await sync(all);
  await service.work();
  expect(await service.has(user)).toEqual([]);
});

test('an end leaves out what something else gives, and removes the rest', async () => {
  const [team, other, giver] = [group('Guests'), group('Drivers'), group('Visitors')];
  const all = [team, other, giver];
  await sync(all);
  const user = await holder();
  const ticket = await service.approved({ user, ...wanting(team, other), end_time: inDays(3) });
  await service.work();
  const later = await service.approved({ user, type: 'EXTEND_ACCESS', end_time: inDays(5) });
  await sync(all, SEATS, { through: { [team.id]: giver } });
  await pass(5);
  expect(await service.has(user)).toEqual([`team:${team.id}`]);
  const [task] = (await service.ticket(later.external_uuid)).tasks;
  expect(task).toMatchObject({ status: 'completed' });
  expect(task.explanation.happened).toBe(
    'The task left something out: "Guests" cannot be removed by itself, because the account has it through "Visitors".',
  );
  expect(actions(await service.ticket(ticket.external_uuid))).toContain('update_account completed');
});

test('an end removes what something else gives together with what gives it', async () => {
  const [team, giver] = [group('Guests'), group('Visitors')];
  await sync([team, giver]);
  const user = await holder();
  await service.approved({ user, ...wanting(team, giver), end_time: inDays(3) });
  await service.work();
  await sync([team, giver], SEATS, { through: { [team.id]: giver } });
  await pass(3);
  expect(await service.has(user)).toEqual([]);
});

test('the end of a grant that was never carried out does not remove what the account has from elsewhere', async () => {
  const team = group('Auditors');
  await sync([team]);
  const user = await holder();
  const ticket = await service.approved({
    user,
    ...wanting(team),
    start_time: inDays(1),
    end_time: inDays(3),
  });
  await sync([{ ...team, name: 'Examiners' }]);
  await pass(1);
  await service.approved({ user, ...wanting(team) });
  await service.work();
  await pass(3);
  expect(await service.has(user)).toEqual([`team:${team.id}`]);
  expect(actions(await service.ticket(ticket.external_uuid))).toEqual([
    'update_account cancelled',
    'update_account cancelled',
  ]);
});

test('a pending grant that no connector has seen is canceled once its group has another name', async () => {
  const team = group('Payroll clerks');
  await sync([team]);
  const user = await holder();
  const ticket = await service.approved({ user, ...wanting(team) });
  expect(actions(ticket)).toEqual(['update_account pending']);
  await sync([{ ...team, name: 'Payroll owners' }]);
  await service.work();
  expect(await service.has(user)).toEqual([]);
  expect(actions(await service.ticket(ticket.external_uuid))).toEqual(['update_account cancelled']);
});

test('a placeholder that gets its name later is granted', async () => {
  const stub = group('');
  await sync([], SEATS, {
    others: [{ id: 'somebody', email: 'somebody@acme.example', memberships: { team: [{ id: stub.id }] } }],
  });
  const user = await holder();
  const ticket = await service.approved({ user, ...wanting(stub), start_time: inDays(1) });
  await sync([{ ...stub, name: 'Named' }]);
  await pass(1);
  expect(await service.has(user)).toEqual([`team:${stub.id}`]);
  expect((await service.ticket(ticket.external_uuid)).memberships.team).toMatchObject([{ name: 'Named' }]);
});

test('licenses that vanish or are renamed are not granted either', async () => {
  const user = await holder();
  const ticket = await service.approved({ user, assignments: { seat: ['gold'] }, start_time: inDays(1) });
  await sync([], [{ id: 'gold', name: 'Platinum' }]);
  await pass(1);
  expect(await service.has(user)).toEqual([]);
  expect(actions(await service.ticket(ticket.external_uuid))).toEqual(['update_account cancelled']);
});
