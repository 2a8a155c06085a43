import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());

test('counts the active people of each department, and nobody twice', async () => {
  const { call } = service;
  const rows = Array.from({ length: 20 }, (_, n) => `p${n}@acme.example,Department ${n % 17}`);
  await call('POST', '/api/users/import/', ['email,department', ...rows].join('\n'), {
    headers: { 'content-type': 'text/csv' },
  });
  const { status, body } = await call('GET', '/api/users/access-by-department/');
  expect(status).toBe(200);
  const total = (await call('GET', '/api/users/?status=active')).body.count;
  const { departments, results } = body as {
    departments: { place: string; department: string | null; people: number }[];
    results: unknown[];
  };
  expect(departments.reduce((sum, { people }) => sum + people, 0)).toBe(total);
  expect(departments.filter(({ place }) => place === 'department')).toHaveLength(15);
  expect(departments.find(({ place }) => place === 'other')).toMatchObject({ people: 2, department: null });
  expect(results).toEqual([]);
});
