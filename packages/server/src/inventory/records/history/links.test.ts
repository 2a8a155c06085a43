// @module-tag engine

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { momentBetween } from '#test/moments.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { setTimes } from '#test/time.ts';
import { linkForgotten } from '../accounts/links.ts';
import { accountLinks } from './link-facts.ts';

let service: ProvisioningTest;
let call: ProvisioningTest['call'];
beforeAll(async () => {
  service = await openProvisioningTest();
  call = service.call;
});
afterAll(() => service.close());

let number = 0;
const newEmail = () => `whose-${++number}@acme.example`;

/** All pushed accounts. Each test adds its own, so that no sync removes those of another test. */
const pushed = new Map<string, object>();
async function sync(...accounts: { id: string; email: string; display_name?: string }[]) {
  for (const account of accounts) pushed.set(account.id, { username: account.id, ...account });
  await service.sync([...pushed.values()]);
}

const addUser = async (email = newEmail()) =>
  (await call('POST', '/api/users/', { email })).body.external_uuid as string;

/** The id of the account with an external id, and what the history says about it. */
async function accountOf(externalId: string): Promise<Account> {
  const { rows } = await sql<Account>`
    select id, created_at, since from account where app_id = ${service.appId} and external_id = ${externalId}`.execute(
    service.database.db,
  );
  return rows[0]!;
}

const link = ({ id }: { id: string }, user: string | null) => call('PATCH', `/api/accounts/${id}/`, { user });

/** All links of an account, oldest first. */
async function linksOf({ id }: { id: string }): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select l.user_id, nullif(l.since, '-infinity') as since, l.ended_at from ${accountLinks(service)} l
    where l.account_id = ${id} order by l.since, l.ended_at`.execute(service.database.db);
  return rows;
}

/** The people to whom an account belonged at a time, of which there is at most one. */
async function ownersAt({ id }: { id: string }, time: Date): Promise<string[]> {
  const { rows } = await sql<Link>`
    select l.user_id from ${accountLinks(service)} l
    where l.account_id = ${id} and l.since <= ${time.toISOString()}::timestamptz
      and (l.ended_at is null or l.ended_at > ${time.toISOString()}::timestamptz)`.execute(
    service.database.db,
  );
  return rows.map(({ user_id }) => user_id);
}

const moment = async () => new Date(await momentBetween(service.database.db));

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

describe('an automatic link', () => {
  test('made with the account covers the time before the account was found', async () => {
    const email = newEmail();
    const user = await addUser(email);

    await sync({ id: 'found', email });

    const account = await accountOf('found');
    expect(await linksOf(account)).toEqual([{ user_id: user, since: null, ended_at: null }]);
    expect(await ownersAt(account, LONG_AGO)).toEqual([user]);
  });

  test('made for a new person begins then', async () => {
    const email = newEmail();
    await sync({ id: 'waits', email });
    const orphaned = await moment();
    const user = await addUser(email);
    const account = await accountOf('waits');

    expect(await linksOf(account)).toMatchObject([{ user_id: user, since: expect.any(Date) }]);
    expect(await ownersAt(account, orphaned)).toEqual([]);
    expect(await ownersAt(account, await moment())).toEqual([user]);
  });

  test('made by the job begins then', async () => {
    const email = newEmail();
    await sync({ id: 'missed', email });
    const user = await service.addUser(email);
    const missed = await moment();

    await linkForgotten(service.database.db);

    const account = await accountOf('missed');
    expect(await ownersAt(account, missed)).toEqual([]);
    expect(await ownersAt(account, await moment())).toEqual([user]);
  });

  test('moves at the time of the publication that changes the email', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [first, second] = [await addUser(one), await addUser(two)];
    await sync({ id: 'moves', email: one });
    const before = await moment();
    await sync({ id: 'moves', email: newEmail() });
    const renamed = await moment();
    await sync({ id: 'moves', email: two });

    const account = await accountOf('moves');
    const links = await linksOf(account);
    expect(links).toMatchObject([
      { user_id: first, since: null, ended_at: account.since },
      { user_id: second, since: account.since, ended_at: null },
    ]);
    expect(await ownersAt(account, before)).toEqual([first]);
    expect(await ownersAt(account, renamed)).toEqual([first]);
    expect(await ownersAt(account, await moment())).toEqual([second]);
  });

  test('that stays writes no period', async () => {
    const email = newEmail();
    const user = await addUser(email);
    await sync({ id: 'stays', email });
    await sync({ id: 'stays', email, display_name: 'Renamed' });
    await linkForgotten(service.database.db);

    expect(await linksOf(await accountOf('stays'))).toEqual([{ user_id: user, since: null, ended_at: null }]);
  });
});

describe('a link by hand', () => {
  test('replaces and ends links without gaps or overlaps', async () => {
    const email = newEmail();
    const [own, other] = [await addUser(email), await addUser()];
    await sync({ id: 'by-hand', email });
    const account = await accountOf('by-hand');
    await link(account, other);
    const given = await moment();
    await link(account, null);
    const nobodys = await moment();
    await link(account, own);

    const [first, second, third, ...rest] = await linksOf(account);
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ user_id: own, since: null, ended_at: second?.since });
    expect(second).toMatchObject({ user_id: other });
    expect(third).toMatchObject({ user_id: own, ended_at: null });
    expect(await ownersAt(account, given)).toEqual([other]);
    expect(await ownersAt(account, nobodys)).toEqual([]);
    expect(await ownersAt(account, await moment())).toEqual([own]);
  });

  test('to the same person changes nothing', async () => {
    const email = newEmail();
    const user = await addUser(email);
    await sync({ id: 'same', email });
    const account = await accountOf('same');

    await link(account, user);
    await link(account, user.toUpperCase());

    expect(await linksOf(account)).toEqual([{ user_id: user, since: null, ended_at: null }]);
  });

  test('that is refused changes nothing', async () => {
    await sync({ id: 'refused', email: newEmail() });
    const account = await accountOf('refused');

    expect(await link(account, account.id)).toMatchObject({ status: 404 });

    expect(await linksOf(account)).toEqual([]);
  });

  test('ends after its beginning even if the clock was set back', async () => {
    const [one, two] = [await addUser(), await addUser()];
    await sync({ id: 'clock', email: newEmail() });
    const account = await accountOf('clock');
    await link(account, one);
    await setTimes(service, 'account', { linked_at: '1 hour later' }, { id: account.id });
    await link(account, two);

    const [first, second] = await linksOf(account);
    expect(second).toMatchObject({ user_id: two, since: first?.ended_at, ended_at: null });
    expect(first?.ended_at).toEqual(first?.since);
  });
});

test('the deletion of a person ends the links of all their accounts', async () => {
  const email = newEmail();
  const user = await addUser(email);
  await sync({ id: 'left-1', email }, { id: 'left-2', email }, { id: 'kept', email: newEmail() });
  const accounts = [await accountOf('left-1'), await accountOf('left-2')];
  await call('PATCH', `/api/users/${user}/`, { first_name: 'Ada' });
  const here = await moment();

  expect(await call('DELETE', `/api/users/${user}/`)).toMatchObject({ status: 204 });

  for (const account of accounts) {
    expect(await linksOf(account)).toMatchObject([{ user_id: user, ended_at: expect.any(Date) }]);
    expect(await ownersAt(account, here)).toEqual([user]);
    expect(await ownersAt(account, await moment())).toEqual([]);
  }
});

test('a deactivated person keeps their accounts', async () => {
  const email = newEmail();
  const user = await addUser(email);
  await sync({ id: 'away', email });

  await call('POST', `/api/users/${user}/deactivate/`);

  expect(await linksOf(await accountOf('away'))).toEqual([{ user_id: user, since: null, ended_at: null }]);
});

describe('an account that comes back', () => {
  test('keeps its link through its absence', async () => {
    const email = newEmail();
    const user = await addUser(email);
    await sync({ id: 'returns', email });
    const record = pushed.get('returns')!;
    pushed.delete('returns');
    await sync();
    const absent = await moment();
    pushed.set('returns', record);
    await sync();

    const account = await accountOf('returns');
    expect(await linksOf(account)).toEqual([{ user_id: user, since: null, ended_at: null }]);
    expect(await ownersAt(account, absent)).toEqual([user]);
  });

  test('with the email of another person moves when it comes back', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [first, second] = [await addUser(one), await addUser(two)];
    await sync({ id: 'reused', email: one });
    const account = await accountOf('reused');
    pushed.delete('reused');
    await sync();
    const absent = await moment();
    await sync({ id: 'reused', email: two });

    const { since } = await accountOf('reused');
    expect(await linksOf(account)).toEqual([
      { user_id: first, since: null, ended_at: since },
      { user_id: second, since, ended_at: null },
    ]);
    expect(await ownersAt(account, absent)).toEqual([first]);
  });
});

describe('an account that a task creates', () => {
  const createFor = (userId: string) =>
    service.create({
      action: 'create_account',
      appId: service.appId,
      userId,
      taskType: 'POLICY',
      createdBy: service.adminId,
    });
  const report = async (taskId: string | undefined, externalId: string) =>
    expect(
      await service.bridge('PATCH', `/tasks/${taskId}/status/`, {
        status: 'completed',
        result: { account: { id: externalId } },
      }),
    ).toMatchObject({ status: 200 });

  test('belongs to its person from the beginning, also after a sync has correlated it', async () => {
    const email = newEmail();
    const user = await addUser(email);
    const [task] = await createFor(user);
    await report(task?.id, 'made');
    await sync({ id: 'made', email });

    expect(await linksOf(await accountOf('made'))).toEqual([{ user_id: user, since: null, ended_at: null }]);
  });

  test('again, after it was removed, keeps its link', async () => {
    const email = newEmail();
    const user = await addUser(email);
    await sync({ id: 'first-life', email });
    const { id } = await accountOf('first-life');
    pushed.delete('first-life');
    await sync();
    const [task] = await createFor(user);
    await report(task?.id, 'second-life');

    expect(await accountOf('second-life')).toMatchObject({ id });
    expect(await linksOf({ id })).toEqual([{ user_id: user, since: null, ended_at: null }]);
  });

  test('again, after its person was deleted and another got the email, is another account (D63)', async () => {
    const email = newEmail();
    const former = await addUser(email);
    await sync({ id: 'inherited', email });
    const { id } = await accountOf('inherited');
    pushed.delete('inherited');
    await sync();
    const absent = await moment();
    await call('DELETE', `/api/users/${former}/`);
    const nobodys = await moment();
    const present = await addUser(email);
    await report((await createFor(present))[0]?.id, 'inherited');

    const made = await accountOf('inherited');
    expect(made.id).not.toBe(id);
    expect(await ownersAt({ id }, absent)).toEqual([former]);
    for (const time of [nobodys, await moment()]) expect(await ownersAt({ id }, time)).toEqual([]);
    expect(await ownersAt(made, await moment())).toEqual([present]);
  });
});

test('no two links of an account overlap', async () => {
  const { rows } = await sql`
    select from ${accountLinks(service)} a
    join ${accountLinks(service)} b on b.account_id = a.account_id and b.since > a.since
    where a.ended_at is null or a.ended_at > b.since`.execute(service.database.db);

  expect(rows).toEqual([]);
});

test('the links of another organization are not included', async () => {
  const { rows } = await sql`select from ${accountLinks({ orgId: service.appId })} l`.execute(
    service.database.db,
  );

  expect(rows).toEqual([]);
});

interface Account {
  id: string;
  created_at: Date;
  since: Date;
}

interface Link {
  user_id: string;
  since: Date | null;
  ended_at: Date | null;
}
