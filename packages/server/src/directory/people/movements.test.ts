import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { setTimes } from '#test/time.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
});
afterAll(() => service.close());

const add = async (name: string, department?: string) =>
  (
    await call('POST', '/api/users/', {
      email: `${name}@acme.example`,
      ...(department === undefined ? {} : { attributes: { department } }),
    })
  ).body.external_uuid as string;

test('counts who joined this month by department, without those who joined and left', async () => {
  const before = (await call('GET', '/api/users/movements/')).body;
  expect(before.month).toMatch(/^\d{4}-\d\d$/);
  await add('ada', 'Engineering');
  const alan = await add('alan', 'Engineering');
  const grace = await add('grace', 'Navy');
  await add('jose');
  await call('PATCH', `/api/users/${grace}/`, { attributes: { department: 'Engineering' } });
  await call('POST', `/api/users/${alan}/deactivate/`);

  const { results } = (await call('GET', '/api/users/movements/')).body;
  expect(results).toContainEqual({
    from_place: 'outside',
    from_department: null,
    to_place: 'department',
    to_department: 'Engineering',
    people: 2,
  });
  expect(results.some(({ to_place }: { to_place: string }) => to_place === 'none')).toBe(true);
});

test('has no movements in a month before the organization existed', async () => {
  expect((await call('GET', '/api/users/movements/?month=2001-02')).body.results).toEqual([]);
  expect((await call('GET', '/api/users/movements/?month=2001-13')).status).toBe(400);
});

test('counts who moved and who left since the month began', async () => {
  const moved = await add('moved', 'Old');
  const left = await add('left', 'Old');
  await setTimes(
    service,
    'platform_user',
    { created_at: '400 days ago', updated_at: '400 days ago' },
    { id: [moved, left] },
  );
  await call('PATCH', `/api/users/${moved}/`, { attributes: { department: 'New' } });
  await call('POST', `/api/users/${left}/deactivate/`);
  const { results } = (await call('GET', '/api/users/movements/')).body;
  expect(results).toContainEqual({
    ...{ from_place: 'department', from_department: 'Old', to_place: 'department', to_department: 'New' },
    people: 1,
  });
  expect(results).toContainEqual({
    ...{ from_place: 'department', from_department: 'Old', to_place: 'outside', to_department: null },
    people: 1,
  });
});
