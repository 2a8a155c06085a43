import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { findingsOf } from '#test/findings.ts';
import { addPersonWithKey } from '#test/people.ts';
import { addSyncedApp, openSyncTest, type SyncTest } from '#test/sync.ts';
import { checkClock, evaluateAll } from './evaluate.ts';
import { createMissedFindings } from './metrics.ts';
import { checkFindings } from './nightly.ts';

let service: SyncTest;
let findings: ReturnType<typeof findingsOf>;
let number = 0;
beforeAll(async () => {
  service = await openSyncTest();
  findings = findingsOf(service);
  await service.sync({ person: [account(0)] });
});
afterAll(() => service.close());

const account = (i: number, more: object = {}) => ({ id: `a${i}`, email: `a${i}@app.example`, ...more });
const db = () => findings.db;
const list: typeof findings.list = (query, by) => findings.list(query, by);
const status = (query: string) => findings.status(query);
const settled = (query: string, expected: string[]) => findings.settled(query, expected);
const expectNothingMissed = () => findings.expectNothingMissed();
const ok = async (method: string, path: string, body?: unknown, by = {}) => {
  const answer = await service.call(method, path, body, by);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};
const person = async (more: object = {}) =>
  ok('POST', '/api/users/', { email: `p${++number}@acme.example`, first_name: 'Ada', ...more });
/** Links a new account to somebody. The other accounts stay. */
const accounts: object[] = [];
async function accountOf(user: string): Promise<string> {
  const record = account(++number);
  accounts.push(record);
  await service.sync({ person: [account(0), ...accounts] });
  const { results } = await ok('GET', `/api/accounts/?email=${record.email}`);
  await ok('PATCH', `/api/accounts/${results[0].external_uuid}/`, { user });
  return results[0].external_uuid;
}
const eventsOf = async (id: string) =>
  (await ok('GET', `/api/events/?catalog=all&subject_uuid=${id}&limit=100`)).results
    .map(({ event_type }: { event_type: string }) => event_type)
    .reverse();

/** Somebody who has left and still has an account, and the finding about them. */
async function leaver(more: object = {}) {
  const { external_uuid: user } = await person(more);
  const id = await accountOf(user);
  await ok('POST', `/api/users/${user}/deactivate/`);
  await settled(`subject=${user}`, ['open']);
  const [finding] = await list(`subject=${user}`);
  return { user, account: id, finding };
}

describe('a finding', () => {
  test('of a leaver begins, ends and comes back as the same one', async () => {
    const { user, finding } = await leaver({ last_name: 'Lee' });

    expect(finding).toEqual({
      external_uuid: expect.any(String),
      kind: 'leaver_with_access',
      severity: 'high',
      text: {
        code: 'finding_leaver_with_access',
        values: { person: 'Ada Lee', count: 1 },
        sentence: 'Ada Lee has left and still has 1 account.',
      },
      subject: { type: 'person', external_uuid: user, label: 'Ada Lee' },
      since: expect.any(String),
      ...{ owner: null, assignee: null, status: 'open', accepted_until: null, accepted_by: null },
      ...{ reason: null, resolved_at: null, href: `/people/${user}` },
      action: { label: 'Offboard user', operation: 'offboardUser' },
    });
    expect(await ok('GET', `/api/findings/${finding.external_uuid}/`)).toEqual(finding);

    await ok('POST', `/api/users/${user}/reactivate/`);
    await settled(`subject=${user}`, ['resolved']);
    await ok('POST', `/api/users/${user}/deactivate/`);
    await settled(`subject=${user}`, ['open']);

    expect(await list(`subject=${user}`)).toEqual([finding]);
    const types = ['finding.opened', 'finding.resolved', 'finding.reopened'];
    expect(await eventsOf(finding.external_uuid)).toEqual(types);
    await expectNothingMissed();
  });

  test('says how many accounts are left, without an event', async () => {
    const { user, finding } = await leaver();
    await accountOf(user);
    const said = async () => (await list(`subject=${user}`))[0].text.values;
    await expect.poll(said, { timeout: 20_000 }).toEqual({ person: 'Ada', count: 2 });
    expect(await eventsOf(finding.external_uuid)).toEqual(['finding.opened']);
    await expectNothingMissed();
  });

  test('ends when the account is gone', async () => {
    const { user } = await leaver();
    accounts.pop();
    await service.sync({ person: [account(0), ...accounts] });
    await settled(`subject=${user}`, ['resolved']);
    await expectNothingMissed();
  });

  test('of a last day begins by the clock', async () => {
    const { external_uuid: user } = await person();
    await accountOf(user);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await sql`update platform_user set end_date = ${yesterday} where id = ${user}`.execute(db());
    await checkClock(db(), true);
    expect(await status(`subject=${user}`)).toEqual(['open']);
    await expectNothingMissed();
  });
});

test('the nightly check finds what no event told of, and says so', async () => {
  const { external_uuid: user } = await person();
  await accountOf(user);
  await expectNothingMissed();
  await sql`update platform_user set status = 'deactivated' where id = ${user}`.execute(db());

  const missed = createMissedFindings();
  await checkFindings({ db: service.database.db, logger: createLogger('silent'), missed }, db());

  expect([...missed.counts()]).toEqual([['leaver_with_access', 1]]);
  expect(await status(`subject=${user}`)).toEqual(['open']);
  const { results } = await ok('GET', '/api/events/?catalog=all&event_type=finding.missed');
  expect(results).toMatchObject([{ payload: { kind: 'leaver_with_access', opened: 1, resolved: 0 } }]);
  await expectNothingMissed();
});

test('a kind that is new in a release is looked for everywhere, without an alarm', async () => {
  const { external_uuid: user } = await person();
  await accountOf(user);
  await expectNothingMissed();
  await sql`update platform_user set status = 'deactivated' where id = ${user}`.execute(db());
  await sql`
    update finding_cursor set kinds = array_remove(kinds, 'leaver_with_access') where org_id = ${service.orgId}`.execute(
    db(),
  );
  await expectNothingMissed();
  expect(await status(`subject=${user}`)).toEqual(['open']);
});

describe('each kind', () => {
  const grant = async (user: string) => {
    const id = await accountOf(user);
    await sql`
      insert into access_grant (org_id, app_id, account_id, kind, for_user, starts_at)
      values (${service.orgId}, ${service.id}, ${id}, 'manual', ${user}, now())`.execute(db());
    return id;
  };

  test('grant_of_another_person: an account that became the account of somebody else', async () => {
    const { external_uuid: first } = await person();
    const { external_uuid: second } = await person({ manager: (await ok('GET', '/api/me/')).external_uuid });
    const id = await grant(first);
    await ok('PATCH', `/api/accounts/${id}/`, { user: second });
    await settled(`kind=grant_of_another_person&subject=${id}`, ['open']);
    expect((await list(`subject=${id}`))[0]).toMatchObject({
      subject: { type: 'account' },
      severity: 'high',
    });
    await ok('PATCH', `/api/accounts/${id}/`, { user: first });
    await settled(`kind=grant_of_another_person&subject=${id}`, ['resolved']);
    await expectNothingMissed();
  });

  test('orphaned_account and unowned_account: until somebody has or owns it', async () => {
    const record = account(++number);
    accounts.push(record);
    await service.sync({ person: [account(0), ...accounts] });
    const [{ external_uuid: id }] = (await ok('GET', `/api/accounts/?email=${record.email}`)).results;
    await settled(`subject=${id}`, ['open']);
    const { external_uuid: owner } = await person();
    await ok('PATCH', `/api/accounts/${id}/`, { kind: 'service', owner });
    await settled(`subject=${id}`, ['resolved']);
    await ok('POST', `/api/users/${owner}/deactivate/`);
    await settled(`kind=unowned_account&subject=${id}`, ['open']);
    await expectNothingMissed();
  });

  test('held_sync, overdue_sync and unseen_access: of an app', async () => {
    const app = await addSyncedApp(service);
    const records = Array.from({ length: 5 }, (_, i) => account(1000 + i));
    await app.sync({ person: records }, [{ slug: 'person', rule: 'unreadable', count: 2 }]);
    await settled(`kind=unseen_access&app=${app.id}`, ['open']);
    expect((await list(`kind=unseen_access&app=${app.id}`))[0].text.values).toMatchObject({
      ...{ records: 2, members: 0 },
    });
    await ok('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 1, at_least: 1 } });
    const session = await app.start();
    await app.push(session, 'person', [account(1000)]);
    expect((await app.complete(session)).held).toMatchObject({ accounts: 4 });
    await settled(`kind=held_sync&app=${app.id}`, ['open']);
    await ok('POST', `/api/apps/${app.id}/syncs/${session}/approve/`);
    await settled(`kind=held_sync&app=${app.id}`, ['resolved']);
    await settled(`kind=unseen_access&app=${app.id}`, ['resolved']);
    const newest = async () => (await ok('GET', `/api/apps/${app.id}/syncs/?limit=1`)).results[0];
    await expect.poll(async () => (await newest()).status).toBe('completed');

    await sql`
      insert into sync_session (org_id, app_id, status, started_at, finished_at)
      select ${service.orgId}, ${app.id}, 'completed', now() - n * interval '1 day', now() - n * interval '1 day'
      from generate_series(20, 40) n`.execute(db());
    await sql`update sync_session set finished_at = finished_at - interval '60 days', started_at = started_at - interval '60 days'
      where app_id = ${app.id} and finished_at > now() - interval '1 day'`.execute(db());
    await sql`update app set configuration_status = 'CONNECTED' where id = ${app.id}`.execute(db());
    await checkClock(db(), true);
    expect(await status(`kind=overdue_sync&app=${app.id}`)).toEqual(['open']);
  });
});

describe('people', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const accept = (id: string, until: string, by = {}) =>
    service.call('POST', `/api/findings/${id}/accept/`, { until, reason: 'A contract' }, by);

  test('accept a finding until a time', async () => {
    const { user, finding } = await leaver();
    const id = finding.external_uuid;
    for (const until of [inDays(-1), inDays(400)])
      expect(await accept(id, until)).toMatchObject({
        status: 400,
        body: { code: 'finding_accepted_too_long' },
      });

    const until = inDays(7);
    expect(await accept(id, until)).toMatchObject({
      status: 200,
      body: { status: 'accepted', accepted_until: until, reason: 'A contract' },
    });
    expect(await list(`subject=${user}`)).toEqual([]);
    expect(await list(`subject=${user}&status=accepted`)).toMatchObject([{ external_uuid: id }]);

    await sql`update finding set accepted_until = now() - interval '1 second' where id = ${id}`.execute(db());
    expect(await list(`subject=${user}`)).toMatchObject([
      { status: 'open', reason: null, accepted_by: null },
    ]);
    await checkClock(db(), true);
    expect(await eventsOf(id)).toEqual(['finding.opened', 'finding.accepted', 'finding.reopened']);
  });

  test('do not accept a finding about their own access', async () => {
    const { external_uuid: me } = await ok('GET', '/api/me/');
    const id = await accountOf((await person()).external_uuid);
    await sql`
      insert into access_grant (org_id, app_id, account_id, kind, for_user, starts_at)
      values (${service.orgId}, ${service.id}, ${id}, 'manual', ${randomUUID()}, now())`.execute(db());
    await sql`update account set user_id = ${me} where id = ${id}`.execute(db());
    await evaluateAll(db(), 'grant_of_another_person');
    const [finding] = await list(`subject=${id}`);
    expect(await accept(finding.external_uuid, inDays(1))).toMatchObject({
      status: 403,
      body: { code: 'own_finding' },
    });
    await sql`delete from access_grant where account_id = ${id}`.execute(db());
    await evaluateAll(db(), 'grant_of_another_person');
  });

  test('reopen what is accepted, and neither accept nor reopen anything else', async () => {
    const { user, finding } = await leaver();
    const id = finding.external_uuid;
    const reopen = () => service.call('POST', `/api/findings/${id}/reopen/`);
    expect(await reopen()).toMatchObject({ status: 409, body: { code: 'finding_not_accepted' } });
    await accept(id, inDays(7));
    expect(await reopen()).toMatchObject({ status: 200, body: { status: 'open' } });
    await ok('POST', `/api/users/${user}/reactivate/`);
    await settled(`subject=${user}`, ['resolved']);
    expect(await accept(id, inDays(7))).toMatchObject({ status: 409, body: { code: 'finding_resolved' } });
  });

  test('see what is about their reports and what is assigned to them', async () => {
    const manager = await addPersonWithKey(service, 'member');
    const other = await addPersonWithKey(service, 'member');
    const { user, finding } = await leaver({ manager: manager.id });
    const path = `/api/findings/${finding.external_uuid}/`;
    expect(finding.owner).toMatchObject({ email: manager.email });
    expect(await list(`subject=${user}&owner=${manager.id}`)).toHaveLength(1);
    expect(await list('', { key: manager.key })).toEqual([finding]);
    expect(await list('', { key: other.key })).toEqual([]);
    expect(await service.call('GET', path, undefined, { key: other.key })).toMatchObject({ status: 404 });
    expect(await accept(finding.external_uuid, inDays(1), { key: manager.key })).toMatchObject({
      status: 403,
    });

    await ok('POST', `${path}assign/`, { user: other.id });
    expect(await list('', { key: other.key })).toMatchObject([{ assignee: { external_uuid: other.id } }]);
    expect(await list(`assignee=${other.id}`)).toHaveLength(1);
    await ok('POST', `/api/users/${other.id}/deactivate/`);
    expect(await service.call('POST', `${path}assign/`, { user: other.id })).toMatchObject({ status: 409 });
    await ok('POST', `${path}assign/`, { user: null });
    expect(await list(`assignee=${other.id}`)).toEqual([]);
  });

  test('with a key for some apps see the findings of these apps', async () => {
    const app = await addSyncedApp(service);
    const { key } = await addPersonWithKey(service, 'admin', { apps: [app.id] });
    const { finding } = await leaver();
    const seen = await list('', { key });
    expect(seen).toEqual([]);
    const path = `/api/findings/${finding.external_uuid}/`;
    expect(await service.call('GET', path, undefined, { key })).toMatchObject({ status: 403 });
    expect(await service.call('GET', `/api/findings/?app=${service.id}`, undefined, { key })).toMatchObject({
      status: 403,
    });
  });

  test('see how many there were each day', async () => {
    const { days, open: counted } = await ok('GET', '/api/findings/summary/?days=3');
    expect(days).toHaveLength(3);
    const open = (await ok('GET', '/api/findings/?kind=leaver_with_access')).count;
    expect(days[2]).toEqual({
      day: new Date().toISOString().slice(0, 10),
      counts: expect.objectContaining({ leaver_with_access: expect.any(Number) }),
    });
    expect(days[2].counts.leaver_with_access).toBe(open);
    expect(counted).toContainEqual({ kind: 'leaver_with_access', count: open, more: false });
  });

  test('see as many on the curve as in the list, and the nightly check corrects it', async () => {
    await leaver();
    await findings.follow();
    const counts = async () => (await ok('GET', '/api/findings/summary/?days=1')).days[0].counts;
    const all = await counts();
    for (const [kind, count] of Object.entries(all)) {
      const { length } = [...(await list(`kind=${kind}`)), ...(await list(`kind=${kind}&status=accepted`))];
      expect([kind, length]).toEqual([kind, count]);
    }
    await sql`update finding_day set n = n + 5 where org_id = ${service.orgId}`.execute(db());
    expect(await counts()).not.toEqual(all);
    await expectNothingMissed();
    expect(await counts()).toEqual(all);
  });

  test('do not see kinds that only a newer release knows, which runs beside this one', async () => {
    const { user, finding } = await leaver();
    await sql`
      update finding set kind = 'of_tomorrow', accepted_until = now() - interval '1 day', reason = 'Later'
      where id = ${finding.external_uuid}`.execute(db());
    await checkClock(db(), true);
    for (const state of ['open', 'accepted', 'resolved'])
      for (const { kind } of await list(`status=${state}`)) expect(kind).not.toBe('of_tomorrow');
    const { status: found } = await service.call('GET', `/api/findings/${finding.external_uuid}/`);
    expect(found).toBe(404);
    const { days } = await ok('GET', '/api/findings/summary/');
    expect(JSON.stringify(days)).not.toContain('of_tomorrow');
    await sql`
      update finding set kind = 'leaver_with_access', accepted_until = null, reason = null
      where id = ${finding.external_uuid}`.execute(db());
    await expectNothingMissed();
    expect(await status(`subject=${user}`)).toEqual(['open']);
  });
});
