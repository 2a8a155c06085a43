import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { signInAs } from '#test/sign-in.ts';

let service: ProvisioningTest;
beforeAll(async () => {
  service = await openProvisioningTest();
});
afterAll(() => service.close());

type Call = ProvisioningTest['call'];

/** Makes one change of each kind. */
async function changeEverything(call: Call, name: string) {
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const { appId } = service;
  const app = await send('POST', '/api/v1/bridge/apps/', { name });
  const { sync_id } = await send('POST', `/api/v1/bridge/apps/${app.id}/sync/`);
  await send('POST', `/api/v1/bridge/apps/${app.id}/sync/${sync_id}/abandon/`);
  await send('POST', `/api/v1/bridge/apps/${app.id}/check/`, { ok: false, method: 'api' });
  await send('POST', `/api/apps/${app.id}/disconnect/`);
  await send('DELETE', `/api/apps/${app.id}/`);
  await send('POST', '/api/connection-requests/', { app_name: name, reason: null });
  const user = await send('POST', '/api/users/', { email: `${name}@x.example` });
  const path = `/api/users/${user.external_uuid}/`;
  await send('PATCH', path, { domain_type: 'external', identity_type: 'service_account' });
  await send('POST', `${path}deactivate/`, { reason: null });
  await send('POST', `${path}reactivate/`, { reason: null });
  const request = { app: appId, user: user.external_uuid, type: 'NEW_ACCESS' };
  await send('POST', '/api/tickets/', request);
  // People cannot decide their own requests, nor those of somebody who created their sign-in link (D76).
  const asker = await addPersonWithKey(service, 'admin');
  const ask = async () => (await service.call('POST', '/api/tickets/', request, asker)).body;
  const decision = { override: true, comment: 'x' };
  await send('POST', `/api/tickets/${(await ask()).external_uuid}/deny/`, decision);
  await send('POST', `/api/tickets/${(await ask()).external_uuid}/approve/`, decision);
  const { tasks } = await send('GET', `/api/v1/bridge/apps/${appId}/tasks/?status=pending`);
  await send('POST', `/api/tasks/${tasks[0].id}/cancel/`, { reason: null });
  const other = await send('POST', '/api/users/', { email: `${name}-2@x.example` });
  await send('POST', '/api/tasks/', { app: appId, action: 'create_account', user: other.external_uuid });
  const [task] = (await send('GET', `/api/v1/bridge/apps/${appId}/tasks/?status=pending`)).tasks;
  const report = `/api/v1/bridge/apps/${appId}/tasks/${task.id}/status/`;
  await send('PATCH', report, { status: 'failed', error: { code: 'INTERNAL_ERROR', message: 'x' } });
  await send(
    'DELETE',
    `/api/users/${(await send('POST', '/api/users/', { email: `${name}-3@x.example` })).external_uuid}/`,
  );
}

/** Events of a sync session, and of changes that follow from others. */
const INDIRECT = ['app.sync.completed', 'app.sync.failed', 'account.deprovisioned', 'api_key.used'];

test.each(['api', 'user_action'] as const)(
  'changes by a caller of source %s record it (D44)',
  async (source) => {
    const owner = await addPersonWithKey(service, 'owner', { email: `${source}@acme.example` });
    const browser = await signInAs(service, { external_uuid: owner.id, email: owner.email });
    const before = (await eventsOf(service, '')).length;

    const byKey: Call = (method, path, body) => service.call(method, path, body, { key: owner.key });
    await changeEverything(source === 'api' ? byKey : browser.call, source.replace('_', '-'));

    const events = (await eventsOf(service, ''))
      .slice(before)
      .filter(({ event_type, actor }) => actor.uuid === owner.id && !INDIRECT.includes(event_type));
    const types = new Set(events.map(({ event_type }) => event_type));
    expect(types.size).toBeGreaterThan(15);
    for (const { event_type, source: recorded } of events) {
      expect(recorded.type, event_type).toBe(source);
    }
    expect([...types]).toEqual(
      expect.arrayContaining(['app.created', 'app.sync.started', 'ticket.approved', 'task.created']),
    );
  },
);
