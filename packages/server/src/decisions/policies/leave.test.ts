import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';
import { setTimes } from '#test/time.ts';

/** Leave is not leaving (D85). */
let service: PolicyTest;
beforeAll(async () => {
  service = await openPolicyTest([
    { id: 'a', email: 'a@leave.example' },
    { id: 'b', email: 'b@leave.example' },
  ]);
});
afterAll(() => service.close());

const leave = (id: string, more: object = {}) =>
  service.call('POST', `/api/users/${id}/absences/`, {
    kind: 'leave',
    starts_at: new Date(Date.now() - 60_000).toISOString(),
    ...more,
  });
const settled = async () => {
  await service.app.tick();
  await service.settled();
};
const actionsOf = async (id: string) =>
  (await service.tasksOf(id)).map(({ action, app_user }) => `${action} ${app_user.email}`);

test('policies act when a leave begins and ends, and policies for leavers do not', async () => {
  const all = [{ do: 'suspend', app: 'all' }];
  const away = await service.policy({ trigger: 'user.on_leave', effects: all });
  const back = await service.policy({
    trigger: 'user.back',
    effects: [{ do: 'grant', app: service.appId, memberships: {} }],
  });
  const leavers = await service.policy({ trigger: 'user.deactivated', effects: all });
  const ends = await service.policy({ trigger: 'user.ends', effects: all });
  const reads = await service.policy({
    trigger: 'daily',
    condition: 'user != null && user.on_leave',
    effects: all,
    enabled: false,
  });
  const a = await service.person('a@leave.example');
  const other = await service.person('other@leave.example');
  const { body } = await leave(a);
  await leave(other, { starts_at: '2099-01-01T00:00:00Z' });
  await settled();
  expect(await actionsOf(away)).toEqual(['suspend_account a@leave.example']);
  expect(await actionsOf(back)).toEqual([]);
  const preview = await service.call('POST', `/api/policies/${reads}/preview/`);
  expect(preview.body.undecided.count).toBe(0);
  const matches = await service.call('POST', '/api/policies/matches/', { condition: 'user.on_leave' });
  expect(matches.body).toMatchObject({ count: 1, people: [{ email: 'a@leave.example' }] });

  await setTimes(service, 'absence', { ends_at: '1 second ago' }, { id: body.external_uuid });
  await settled();
  expect(await service.call('GET', `/api/users/${a}/`)).toMatchObject({ body: { on_leave: false } });
  const fired = await service.call('GET', `/api/policies/${back}/`);
  expect(fired.status).toBe(200);
  expect(await actionsOf(leavers)).toEqual([]);
  expect(await actionsOf(ends)).toEqual([]);
});

test('a leave that is over by the time a policy acts fires user.back only', async () => {
  const effects = [{ do: 'suspend', app: 'all' }];
  const away = await service.policy({ trigger: 'user.on_leave', effects });
  const back = await service.policy({ trigger: 'user.back', effects });
  const b = await service.person('b@leave.example');
  const { body } = await leave(b);
  await setTimes(service, 'absence', { ends_at: '1 second ago' }, { id: body.external_uuid });
  await settled();
  expect(await actionsOf(away)).toEqual([]);
  expect(await actionsOf(back)).toEqual(['suspend_account b@leave.example']);
});

test.each([
  [['suspend', 'unsuspend'], 'effects[0] and effects[1]: suspend and unsuspend'],
  [['delete', 'grant'], 'effects[1] and effects[0]: grant and delete'],
  [['unsuspend', 'delete'], 'effects[0] and effects[1]: unsuspend and delete'],
])('refuses %j in one policy', async (kinds, sentence) => {
  const effects = kinds.map((kind) => ({ do: kind, app: service.appId }));
  const { status, body } = await post(effects);
  expect({ status, detail: body.detail }).toMatchObject({
    status: 400,
    detail: expect.stringContaining(sentence),
  });
});

const post = (effects: object[]) =>
  service.call('POST', '/api/policies/', { name: 'P', trigger: 'daily', condition: 'true', effects });

test('refuses to grant and revoke the same group', async () => {
  const of = (kind: string, ids: string[]) => ({
    do: kind,
    app: service.appId,
    ...(ids.length > 0 && { memberships: { team: ids } }),
  });
  for (const [granted, revoked, status] of [
    [['red'], ['red'], 400],
    [['red', 'blue'], ['blue'], 400],
    [['red'], [], 400],
    [['red'], ['blue'], 201],
    [[], ['red'], 201],
    [[], [], 201],
  ] as const) {
    const reply = await post([of('revoke', [...revoked]), of('grant', [...granted])]);
    expect({ granted, revoked, status: reply.status }).toEqual({ granted, revoked, status });
    if (status === 400) expect(reply.body.detail).toMatch(/effects\[1\] and effects\[0\].*team\//);
  }
});
