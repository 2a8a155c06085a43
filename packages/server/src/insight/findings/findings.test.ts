import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { openSyncTest, type SyncTest } from '#test/sync.ts';
import { checkClock } from './evaluate.ts';
import { createMissedFindings } from './metrics.ts';
import { checkFindings } from './nightly.ts';

let service: SyncTest;
let number = 0;
beforeAll(async () => {
  service = await openSyncTest();
  await service.sync({ person: [account(0)] });
});
afterAll(() => service.close());

const account = (i: number, more: object = {}) => ({ id: `a${i}`, email: `a${i}@app.example`, ...more });
const db = () => within(service.database.db, service.orgId);
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
const list = async (query: string, by = {}) =>
  (await ok('GET', `/api/findings/?${query}`, undefined, by)).results;
const status = async (query: string) =>
  (await Promise.all(['open', 'accepted', 'resolved'].map((one) => list(`${query}&status=${one}`))))
    .flat()
    .map((finding: { status: string }) => finding.status);
const settled = (query: string, expected: string[]) =>
  expect.poll(() => status(query), { timeout: 20_000 }).toEqual(expected);
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

/** The nightly check finds nothing that events and the clock had not told. */
async function expectNothingMissed() {
  const missed = createMissedFindings();
  await checkFindings({ db: service.database.db, logger: createLogger('silent'), missed }, db());
  expect([...missed.counts()]).toEqual([]);
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
      ...{ reason: null, resolved_at: null, href: `/people/${user}`, action: null },
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
