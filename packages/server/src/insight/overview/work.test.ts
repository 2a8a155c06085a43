import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey, addPersonWithRole } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { type BrowserCall, signInAs, signInAsOwner } from '#test/sign-in.ts';

let service: ReviewsTest;
/** Owns the app, reviews its accounts and carries out its tasks. */
let mona: { external_uuid: string; email: string };
let member: BrowserCall;
beforeAll(async () => {
  service = await openReviewsTest([
    { id: 'ann', email: 'ann@acme.example', memberships: { team: [{ id: 'red' }] } },
    { id: 'bob', email: 'bob@acme.example' },
  ]);
  const { body } = await service.call('POST', '/api/users/', { email: 'mona@acme.example' });
  mona = body;
  member = (await signInAs(service, mona)).call;
});
afterAll(() => service.close());

const workOf = async (call: BrowserCall) => {
  const { status, body } = await call('GET', '/api/work/');
  expect(status).toBe(200);
  return body;
};

const NOTHING = {
  approvals: { count: 0, first: null },
  reviews: { count: 0, items: 0, first: null, item: null, any: false },
  tasks: { count: 0, first: null, others: false, any: false },
  findings: { count: 0, severe: 0 },
  holds: { count: 0, any: false },
};

test('returns zeros for a member without work', async () => {
  expect(await workOf(member)).toEqual(NOTHING);
});

test('is for signed-in people only', async () => {
  expect((await service.call('GET', '/api/work/')).status).toBe(403);
});

test('returns the oldest request that awaits the decision of the caller, and as many as the list', async () => {
  await service.call('PATCH', `/api/apps/${service.appId}/`, { owner: mona.external_uuid });
  const asker = await addPersonWithKey(service, 'member');
  const [other] = [await addPersonWithKey(service, 'member')];
  const ask = async ({ id: user, key }: { id: string; key: string }) =>
    (await service.call('POST', '/api/tickets/', { app: service.appId, type: 'NEW_ACCESS', user }, { key }))
      .body.external_uuid;
  const first = await ask(asker);
  await ask(other);

  const { approvals } = await workOf(member);
  expect(approvals).toMatchObject({ count: 2, first: { external_uuid: first, ticket_status: 'PENDING' } });
  expect((await member('GET', '/api/tickets/?to_approve=true')).body.count).toBe(2);
  expect((await workOf((await signInAsOwner(service)).call)).approvals.count).toBe(0);

  await member('POST', `/api/tickets/${first}/deny/`, { comment: '' });
  const { approvals: left } = await workOf(member);
  expect(left.count).toBe(1);
  expect(left.first.external_uuid).not.toBe(first);
});

test('returns the review that is due first, with the first undecided item', async () => {
  const reviewer = [mona.external_uuid];
  const scope = { apps: [service.appId] };
  const later = await service.start({ name: 'Later', reviewer, scope, due_days: 20 });
  const sooner = await service.start({ name: 'Sooner', reviewer, scope, due_days: 5 });

  const { reviews } = await workOf(member);
  expect(reviews).toMatchObject({
    count: 2,
    items: 3,
    any: true,
    first: { external_uuid: sooner.external_uuid },
  });
  const path = `/api/reviews/cycles/${sooner.external_uuid}`;
  const listed = (await member('GET', `${path}/items/?mine=true&decision=none&limit=1`)).body;
  expect(reviews.item).toEqual(listed.results[0]);
  expect(reviews.items).toBe(listed.count);

  const { results } = (await member('GET', `${path}/items/?mine=true&limit=200`)).body;
  const items = results.map(({ id }: { id: string }) => id);
  expect((await member('POST', `${path}/decisions/`, { items, decision: 'keep' })).status).toBe(200);
  expect((await workOf(member)).reviews).toMatchObject({
    count: 1,
    first: { external_uuid: later.external_uuid },
  });
});

test('returns the task that is due first, and says whether others have tasks', async () => {
  const fulfillment = `/api/apps/${service.appId}/fulfillment/`;
  const settings = (await service.call('GET', fulfillment)).body;
  const carriedOutBy = async (id: string) => {
    const { status } = await service.call('PUT', fulfillment, { ...settings, enabled: true, people: [id] });
    expect(status).toBe(200);
  };
  const create = async () => {
    const user = await service.addUser(`by-hand-${Math.random()}@acme.example`);
    const task = { app: service.appId, action: 'create_account', user };
    return (await service.call('POST', '/api/tasks/', task)).body.external_uuid;
  };
  await carriedOutBy(mona.external_uuid);
  const first = await create();
  await expect.poll(async () => (await workOf(member)).tasks.count).toBe(1);
  const { tasks } = await workOf(member);
  expect(tasks).toMatchObject({ others: false, any: true, first: { may: { report: true } } });
  expect(tasks.first.task.external_uuid).toBe(first);

  const other = await addPersonWithKey(service, 'member');
  await carriedOutBy(other.id);
  await create();
  await expect.poll(async () => (await workOf(member)).tasks.others).toBe(true);
  expect((await workOf(member)).tasks.count).toBe(1);
});

test('asks auditors to decide nothing', async () => {
  const auditor = await addPersonWithRole(service, 'auditor@acme.example', 'auditor');
  const work = await workOf((await signInAs(service, auditor)).call);
  expect(work).toMatchObject({ approvals: NOTHING.approvals, reviews: { count: 0, item: null } });
  expect(work.findings.count).toBe((await service.call('GET', '/api/findings/')).body.count);
});

test('counts open findings by how severe they are, and holds by their decision', async () => {
  const { call } = await signInAsOwner(service);
  const before = await workOf(call);
  const finding = (severity: string, more = 'null, null, null') => `
    (uuidv7(), 'leaver_with_access', 'person', uuidv7(), '${severity}', '{}'::jsonb, now(), now(), ${more})`;
  await sql`
    insert into finding (org_id, id, kind, subject_type, subject_id, severity, "values", since, opened_at, resolved_at, accepted_until, reason)
    select ${service.orgId}::uuid, f.* from (values ${sql.raw(
      [
        ...['critical', 'high', 'high', 'medium', 'low'].map((severity) => finding(severity)),
        finding('critical', 'now(), null, null'),
        finding('high', "null, now() + interval '1 day', 'Known'"),
      ].join(','),
    )}) as f (id, kind, subject_type, subject_id, severity, v, since, opened_at, resolved_at, accepted_until, reason)`.execute(
    service.database.db,
  );
  await sql`
    insert into hold_window (org_id, id, kind, subject, started_at, held_at, count, total, percent, decided_at, decided_by, settled_at, decision)
    select ${service.orgId}::uuid, uuidv7(), 'group', uuidv7(), now(), now(), 1, 2, 50, d.at, case when d.at is not null then uuidv7() end,
      d.at, d.decision
    from (values (null::timestamptz, null), (now(), 'confirmed')) as d (at, decision)`.execute(
    service.database.db,
  );

  const { findings, holds } = await workOf(call);
  expect(findings).toEqual({
    count: before.findings.count + 5,
    severe: before.findings.severe + 3,
  });
  expect(holds).toEqual({ count: before.holds.count + 1, any: true });
});
