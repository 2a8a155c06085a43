import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

/** The newest sync of each test decides what the app has, so that each test pushes all accounts. */
let service: ReviewsTest;
const email = (name: string) => `${name}@acme.example`;
const account = (id: string, ...teams: string[]) => ({
  id,
  email: email(id),
  memberships: { team: teams.map((team) => ({ id: team })) },
});
const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus'] as const;
const gone = new Set<string>();
const withoutTeam = new Set<string>();
const sync = () =>
  service.sync(
    NAMES.filter((name) => !gone.has(name)).map((name) =>
      account(name, ...(withoutTeam.has(name) ? [] : ['red'])),
    ),
  );

beforeAll(async () => {
  service = await openReviewsTest(NAMES.map((name) => account(name, 'red')));
  for (const name of NAMES)
    await service.call('POST', '/api/users/', { email: email(name), first_name: name });
});
afterAll(() => service.close());

const get = async (path: string, key = service.key) => service.call('GET', path, undefined, { key });
const proofOf = async (task: string) => (await get(`/api/tasks/${task}/proof/`)).body;
const statesOf = ({ links }: { links: { state: string }[] }) => links.map(({ state }) => state).join(' ');
const order = async (name: string, body: object): Promise<string> => {
  const { external_uuid } = await service.accountByEmail(email(name));
  const created = await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, account: external_uuid, reason: 'Left' },
    ...body,
  });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  return created.body.external_uuid;
};
const report = async (task: string, body: object = { status: 'completed' }) => {
  await service.bridge('GET', '/tasks/?status=pending');
  const reported = await service.bridge('PATCH', `/tasks/${task}/status/`, body);
  if (reported.status !== 200) throw new Error(JSON.stringify(reported.body));
};

test('shows each link from the order to the sync that no longer has the account, and that it came back', async () => {
  const task = await order('ann', { action: 'delete_account' });
  const ordered = await proofOf(task);
  expect(ordered).toMatchObject({
    ...{
      state: 'waiting',
      task,
      action: 'delete_account',
      app: { name: 'Payroll' },
      account: { email: email('ann') },
    },
    access: [{ resource: null, seen_gone_at: null }],
    links: [
      {
        ...{ step: 'decided', state: 'done', code: 'removal_decided_manual', reason: 'Left' },
        by: { external_uuid: service.adminId },
      },
      { step: 'ordered', state: 'done', href: `/tasks/${task}`, event_ids: [expect.any(String)] },
      { step: 'done', state: 'waiting', code: 'removal_waits_for_connector' },
      { step: 'seen_gone', state: 'waiting', at: null, code: 'removal_waits_for_sync' },
    ],
  });

  await report(task, { status: 'completed', result: { confirmed: 'read', seen: { account: 'absent' } } });
  const reported = await proofOf(task);
  expect(statesOf(reported)).toBe('done done done waiting');
  expect(reported.links[2]).toMatchObject({ by: null, confirmation: 'read', code: 'removal_read_back' });

  gone.add('ann');
  await sync();
  const proven = await proofOf(task);
  expect(proven).toMatchObject({
    state: 'done',
    access: [{ sync_id: expect.any(String), seen_again_at: null }],
  });
  const [seen] = proven.access;
  expect(proven.links[3]).toMatchObject({
    ...{ state: 'done', at: seen.seen_gone_at, event_ids: [expect.any(String)] },
    href: `/apps/${service.appId}/syncs/${seen.sync_id}`,
  });
  const { account: of } = proven;
  expect((await get(`/api/accounts/${of.external_uuid}/proof/`)).body).toMatchObject({ task, state: 'done' });

  gone.delete('ann');
  await sync();
  const back = await proofOf(task);
  expect(back).toMatchObject({
    state: 'done',
    access: [{ ...seen, seen_again_at: expect.any(String), restored_by: null }],
  });
  expect(back.links[3].code).toBe('removal_seen_again');
});

test('says that a sync after the task still shows the access', async () => {
  const task = await order('bob', { action: 'update_account', changes: { team: { removed: ['red'] } } });
  await report(task);
  await sync();
  const proof = await proofOf(task);
  expect(proof).toMatchObject({
    state: 'failed',
    access: [{ resource: { slug: 'team', id: 'red', name: 'Red' }, seen_gone_at: null }],
  });
  expect(proof.links[3]).toMatchObject({ state: 'failed', code: 'removal_still_seen' });

  withoutTeam.add('bob');
  await sync();
  expect(await proofOf(task)).toMatchObject({
    state: 'done',
    links: [{}, {}, {}, { code: 'removal_seen_gone' }],
  });
});

test('follows retries, and leaves out canceled tasks', async () => {
  const task = await order('cyd', { action: 'delete_account' });
  await report(task, { status: 'failed', error: { code: 'PERMISSION_DENIED', message: 'No rights' } });
  const failed = await proofOf(task);
  expect(failed).toMatchObject({
    state: 'failed',
    links: [{}, {}, { state: 'failed' }, { state: 'waiting' }],
  });
  expect(failed.links[2].label).toContain('No rights');
  const retry = (await service.call('POST', `/api/tasks/${task}/retry/`)).body.external_uuid;
  const retried = await proofOf(task);
  expect(retried).toMatchObject({
    task: retry,
    links: [{ at: failed.links[0].at }, {}, { state: 'waiting' }, {}],
  });

  await service.call('POST', `/api/tasks/${retry}/cancel/`, { reason: 'Stays' });
  expect(statesOf(await proofOf(task))).toBe('done done not_needed not_needed');
  const { external_uuid } = await service.accountByEmail(email('cyd'));
  expect((await get(`/api/accounts/${external_uuid}/proof/`)).body).toMatchObject({
    task: null,
    state: 'not_needed',
  });
});

test('shows the sync that no longer had an account that nobody removed', async () => {
  const { external_uuid: id } = await service.accountByEmail(email('dan'));
  expect((await get(`/api/accounts/${id}/proof/`)).body).toMatchObject({
    state: 'not_needed',
    task: null,
    access: [],
  });
  gone.add('dan');
  await sync();
  const { body } = await get(`/api/accounts/${id}/proof/`);
  expect(body).toMatchObject({
    state: 'done',
    task: null,
    access: [{ resource: null, sync_id: expect.any(String) }],
  });
  expect(statesOf(body)).toBe('not_needed not_needed not_needed done');
});

test('proves the revocation of a review item, and shows a reviewer only what the item shows', async () => {
  const { key, id: reviewer } = await service.keyOf(email('gus'));
  const cycle = await service.start({ name: 'Year end', reviewer: [reviewer], cooling_off_hours: 0 });
  const item = (await service.items(cycle)).find(
    ({ account, kind }) => account.email === email('eve') && kind === 'membership',
  );
  const path = `/api/reviews/cycles/${cycle.external_uuid}/items/${item.id}/proof/`;
  expect((await get(path)).body).toMatchObject({
    state: 'not_needed',
    links: [{ code: 'removal_kept' }, {}, {}, {}],
  });

  await service.decide(cycle, [item], 'revoke', { comment: 'Moved' });
  const task = (await service.items(cycle, 'decision=revoke'))[0].task.external_uuid;
  await report(task, { status: 'failed', error: { code: 'INTERNAL_ERROR', message: 'Secret host' } });
  const { body } = await get(path);
  expect(body).toMatchObject({
    task,
    links: [
      {
        ...{
          state: 'done',
          code: 'removal_decided_review',
          reason: 'Moved',
          by: { external_uuid: service.adminId },
        },
        ...{ href: `/reviews/cycles/${cycle.external_uuid}`, event_ids: [expect.any(String)] },
      },
      { state: 'done' },
      { state: 'failed', label: expect.stringContaining('Secret host') },
      { state: 'waiting' },
    ],
  });
  expect(await proofOf(task)).toMatchObject({ links: [{ code: 'removal_decided_review' }, {}, {}, {}] });

  const seen = await get(path, key);
  expect(seen.status).toBe(200);
  expect(JSON.stringify(seen.body)).not.toContain('Secret');
  expect(seen.body.links[2]).toMatchObject({
    state: 'failed',
    code: 'removal_failed',
    by: null,
    event_ids: [],
  });
  expect((await get(`/api/tasks/${task}/proof/`, key)).status).toBe(403);
});

test('shows members the proof of their own accounts only, without what decided it', async () => {
  const task = await order('fay', { action: 'suspend_account' });
  const { key } = await service.keyOf(email('fay'));
  const { body } = await get(`/api/tasks/${task}/proof/`, key);
  expect(body.links[0]).toMatchObject({
    decision: { kind: 'manual', external_uuid: null, label: null },
    event_ids: [],
  });
  expect((await get(`/api/tasks/${task}/proof/`, (await service.keyOf(email('gus'))).key)).status).toBe(403);
});

test('has nothing for another organization', async () => {
  const task = await order('gus', { action: 'suspend_account' });
  const { external_uuid: account } = await service.accountByEmail(email('gus'));
  const stranger = await addOrganization(service);
  expect((await stranger('GET', `/api/tasks/${task}/proof/`)).status).toBe(404);
  expect((await stranger('GET', `/api/accounts/${account}/proof/`)).status).toBe(404);
});

test('names the person who carried the task out, with their note and files', async () => {
  const { key, id: fulfiller } = await service.keyOf(email('bob'));
  const settings = { assignment: 'round_robin', people: [fulfiller], groups: [], instructions: {} };
  const times = { due_in_working_days: {}, remind_before_working_days: 1, escalate_after_working_days: null };
  const byHand = (enabled: boolean) =>
    service.call('PUT', `/api/apps/${service.appId}/fulfillment/`, { enabled, ...settings, ...times });
  expect((await byHand(true)).status).toBe(200);
  const task = await order('ann', { action: 'suspend_account' });
  await service.app.tick();
  const waiting = await proofOf(task);
  expect(waiting.links[2]).toMatchObject({
    code: 'removal_waits_for_person',
    expected_at: expect.any(String),
  });

  const path = `/api/fulfillment/tasks/${task}`;
  const file = await service.call('POST', `${path}/attachments/?name=shot.png`, 'pixels', {
    key,
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect((await service.call('POST', `${path}/complete/`, { note: 'Switched off' }, { key })).status).toBe(
    200,
  );
  expect((await proofOf(task)).links[2]).toMatchObject({
    ...{ state: 'done', code: 'removal_reported_by_person', note: 'Switched off' },
    by: { external_uuid: fulfiller, email: email('bob') },
    files: [{ external_uuid: file.body.external_uuid, name: 'shot.png', sha256: expect.any(String) }],
  });
  const own = await get(`/api/tasks/${task}/proof/`, (await service.keyOf(email('ann'))).key);
  expect(own.body.links[2]).toMatchObject({ by: null, note: 'Switched off', files: [] });
  await byHand(false);
});
