import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey } from '../people.ts';
import { openPolicyTest, type PolicyTest } from '../policies.ts';
import { signInAsOwner } from '../sign-in.ts';

const NAMES = ['back', 'fetched', 'merged', 'misused', 'own', 'told'];
const synced = (id: string, more = {}) => ({ id, email: `${id}@acme.example`, ...more });
const recordsWith = (changes: Record<string, object> = {}) =>
  NAMES.map((name) => synced(name, changes[name]));

let service: PolicyTest;
let call: PolicyTest['call'];
beforeAll(async () => {
  service = await openPolicyTest(recordsWith());
  call = service.call;
  await call('PATCH', '/api/organization/', { people_guard: null });
  await service.policy({
    trigger: 'user.deactivated',
    condition: `user.email in ${JSON.stringify(['back', 'fetched', 'merged', 'misused'].map(email))}`,
    effects: [{ do: 'suspend', app: 'all' }],
    name: 'Leavers',
  });
});
afterAll(() => service.close());

const email = (name: string) => `${name}@acme.example`;
const idOf = async (name: string) => (await service.accountByEmail(email(name))).external_uuid;
const suspend = async (name: string, more: object) => {
  const task = { app: service.appId, action: 'suspend_account', account: await idOf(name), ...more };
  return (await call('POST', '/api/tasks/', task)).body.external_uuid as string;
};
const carryOut = async () => {
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
  for (const { id } of tasks) await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
};
const suspensionsOf = async (name: string, more = {}) =>
  (await call('GET', `/api/suspensions/?account=${await idOf(name)}`, undefined, more)).body.results;

test('says which accounts stay suspended before a person is reactivated, and afterwards', async () => {
  const user = await service.person(email('fetched'));
  await suspend('fetched', { reason: 'misuse' });
  await carryOut();
  await call('POST', `/api/users/${user}/deactivate/`);
  await service.settled();
  const stays = [
    { source: { kind: 'manual', label: 'misuse' }, reason: 'misuse', app: { name: 'Payroll' } },
    { source: { kind: 'policy', label: 'Leavers' }, email: email('fetched') },
  ];
  const dry = await call('POST', `/api/users/${user}/reactivate/?dry_run=true`);
  expect(dry).toMatchObject({ status: 200, body: { status: 'deactivated', still_suspended: stays } });
  expect((await call('GET', `/api/users/${user}/`)).body.status).toBe('deactivated');
  const real = await call('POST', `/api/users/${user}/reactivate/`, { reason: 'back' });
  expect(real.body).toMatchObject({ status: 'active', still_suspended: stays });
});

test('leaves out what no connector has fetched', async () => {
  const user = await service.person(email('back'));
  await call('POST', `/api/users/${user}/deactivate/`);
  await service.settled();
  expect(await suspensionsOf('back')).toHaveLength(1);
  const { body } = await call('POST', `/api/users/${user}/reactivate/`);
  expect(body.still_suspended).toEqual([]);
  await service.settled();
  expect(await suspensionsOf('back')).toEqual([]);
});

test('a merge lists the suspensions of the merged person and ends them if it says so', async () => {
  const into = await service.person(email('into'));
  const from = await service.person(email('merged'));
  await call('POST', `/api/users/${from}/deactivate/`);
  await service.settled();
  await carryOut();
  const merge = (query: string, more = {}) =>
    call('POST', `/api/users/${into}/merge/${query}`, { from, ...more });
  const listed = [{ account: await idOf('merged'), source: { kind: 'policy', label: 'Leavers' } }];
  expect((await merge('?dry_run=true')).body).toMatchObject({ suspensions: listed });
  expect(await suspensionsOf('merged')).toHaveLength(1);
  const { status, body } = await merge('', { end_suspensions: true });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { suspensions: listed, moved: { unsuspended_accounts: 1 } },
  });
  expect(await suspensionsOf('merged')).toEqual([]);
  await carryOut();
  expect(await service.accountByEmail(email('merged'))).toMatchObject({ status: 'ACTIVE', user: into });
});

test('a merge unsuspends no account that was suspended otherwise', async () => {
  const into = await service.person(email('into.two'));
  const from = await service.person(email('misused'));
  await suspend('misused', { reason: 'misuse' });
  await carryOut();
  await call('POST', `/api/users/${from}/deactivate/`);
  await service.settled();
  const { body } = await call('POST', `/api/users/${into}/merge/`, { from, end_suspensions: true });
  expect(body).toMatchObject({
    suspensions: [{ source: { kind: 'policy' } }],
    moved: { unsuspended_accounts: 0 },
  });
  expect(await suspensionsOf('misused')).toMatchObject([{ source: { kind: 'manual' } }]);
});

test('members see the suspensions of their own accounts without who decided and why', async () => {
  const { id, key } = await addPersonWithKey(service, 'member');
  await call('PATCH', `/api/accounts/${await idOf('own')}/`, { user: id });
  await suspend('own', { reason: 'misuse', leaving: true });
  expect(await suspensionsOf('own')).toMatchObject([
    { reason: 'misuse', leaving: true, source: { label: 'misuse' }, user: id },
  ]);
  const [found, ...others] = (await call('GET', '/api/suspensions/', undefined, { key })).body.results;
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    ...{ reason: null, decided_by: null },
    source: { kind: 'manual', external_uuid: null, label: null },
  });
  const [foreign] = await suspensionsOf('fetched');
  const answer = await call('GET', `/api/suspensions/${foreign.external_uuid}/`, undefined, { key });
  expect(answer.status).toBe(403);
});

test('tells the person who suspended an account that a sync shows it active', async () => {
  const { call: owner } = await signInAsOwner(service);
  await suspend('told', { reason: 'misuse' });
  await carryOut();
  await service.sync(recordsWith());
  await service.settled();
  await expect
    .poll(async () => {
      await service.app.tick();
      const { results } = (await owner('GET', '/api/notifications/')).body;
      return results.filter(({ kind }: { kind: string }) => kind === 'suspension_ended');
    })
    .toContainEqual(expect.objectContaining({ kind: 'suspension_ended' }));
});
