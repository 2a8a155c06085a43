// @module-tag engine
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HoldTest, openHoldTest } from '#test/holds.ts';
import { setTimes } from '#test/time.ts';

/* A task of somebody in a hold waits in it, in whichever way it came into the queue (D78). */

let service: HoldTest;
let ids: string[];
beforeEach(async () => {
  service = await openHoldTest();
  ids = await service.addUsers(20);
});
afterEach(() => service.close());

/** The tasks that the connector has, by the ids of their accounts. */
const pending = async () =>
  new Map<string, string>(
    (await service.bridge('GET', '/tasks/?status=pending&limit=1000')).body.tasks.map(
      ({ id, payload }: { id: string; payload: { account: { id: string } } }) => [payload.account.id, id],
    ),
  );
const fail = async (task: string | undefined, code: string) => {
  const error = { code, message: 'Later.' };
  const { status } = await service.bridge('PATCH', `/tasks/${task}/status/`, { status: 'failed', error });
  expect(status).toBe(200);
};
const retriesOf = async (task: string | undefined) =>
  (await service.tasks()).filter(({ retry_of }) => retry_of === task);
/** The time of retries has come. */
const later = async () => {
  await setTimes(service, 'task', { execute_after: '1 hour earlier' }, { status: 'scheduled' });
  await service.settled();
};
/** Lets the connector fetch the tasks of three leavers, and three more leave, which opens a hold. Returns a fetched task. */
const openHold = async () => {
  await service.leavers();
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  const task = (await pending()).get(ids[0] as string);
  await service.leave(...ids.slice(3, 6));
  await service.settled();
  return task;
};
const holdId = async () => (await service.onlyHold()).external_uuid as string;

test.each(['RATE_LIMITED', 'TIMEOUT'])('a retry after %s waits until the hold is confirmed', async (code) => {
  const task = await openHold();
  const before = await service.onlyHold();
  await fail(task, code);
  expect(await retriesOf(task)).toMatchObject([{ status: 'scheduled', waits_for: 'hold' }]);
  expect((await service.onlyHold()).tasks).toBe(before.tasks + 1);
  await later();
  expect(await service.fetched()).not.toContain(ids[0]);
  await service.decide(await holdId(), 'confirm');
  await later();
  expect(await service.fetched()).toEqual(ids.slice(0, 6).toSorted());
});

test('a retry by an administrator waits as well', async () => {
  const task = await openHold();
  await fail(task, 'INTERNAL_ERROR');
  const made = await service.call('POST', `/api/tasks/${task}/retry/`);
  expect(made).toMatchObject({ status: 201, body: { status: 'scheduled', waits_for: 'hold' } });
  expect(await service.fetched()).not.toContain(ids[0]);
  await service.decide(await holdId(), 'discard');
  await service.settled();
  expect(await retriesOf(task)).toMatchObject([{ status: 'cancelled' }]);
});

test('a retry that was due before the hold opened is part of it', async () => {
  await service.leavers();
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  const task = (await pending()).get(ids[0] as string);
  await fail(task, 'RATE_LIMITED');
  await service.leave(...ids.slice(3, 6));
  await later();
  expect(await retriesOf(task)).toMatchObject([{ status: 'scheduled', waits_for: 'hold' }]);
});

test('a task that fails after the discard is not retried', async () => {
  const task = await openHold();
  await service.decide(await holdId(), 'discard');
  await service.settled();
  await fail(task, 'RATE_LIMITED');
  await later();
  const [retry] = await retriesOf(task);
  expect(retry).toMatchObject({ status: 'cancelled' });
  expect(retry.explanation.happened).toContain('was discarded');
  expect(await service.fetched()).not.toContain(ids[0]);
});

test('a task that fails after the confirmation is retried', async () => {
  const task = await openHold();
  await service.decide(await holdId(), 'confirm');
  await service.settled();
  await fail(task, 'RATE_LIMITED');
  await later();
  expect(await service.fetched()).toContain(ids[0]);
});

test('a retry of a task for another reason has its turn', async () => {
  const contractors = await service.leavers({
    name: 'Contractors',
    trigger: 'user.updated',
    condition: 'user.domain_type == "external"',
    effects: [{ do: 'revoke', app: service.appId }],
  });
  await service.call('PATCH', `/api/users/${ids[0]}/`, { domain_type: 'external' });
  await service.settled();
  const revocation = (await pending()).get(ids[0] as string);
  await service.leave(...ids.slice(0, 2));
  await service.leavers();
  await service.leave(...ids.slice(2, 6));
  await service.settled();
  await fail(revocation, 'RATE_LIMITED');
  await later();
  expect(await service.tasks(`&source=${contractors}&status=pending`)).toHaveLength(1);
});

test('retries for people who were deleted since wait as well', async () => {
  await service.call('PATCH', '/api/organization/', { scim_deletes: true });
  const task = await openHold();
  expect((await service.scim('DELETE', `/Users/${ids[0]}`)).status).toBe(204);
  await fail(task, 'RATE_LIMITED');
  await later();
  expect(await retriesOf(task)).toMatchObject([{ status: 'scheduled', waits_for: 'hold' }]);
});
