import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { organizationOf } from '#test/people.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp({ own: true });
  call = service.call;
  const rows = Array.from({ length: 14 }, (_, n) => `sales${n}@acme.example,Sales`);
  rows.push('leaver@acme.example,');
  await call('POST', '/api/users/import/', ['email,department', ...rows, 'it@acme.example,IT'].join('\n'), {
    headers: { 'content-type': 'text/csv' },
  });
});
afterAll(() => service.close());

const matches = (body: object) => call('POST', '/api/policies/matches/', body);

test('counts the people whom a condition matches, and names the first ten', async () => {
  const { status, body } = await matches({ condition: "user.attributes.department == 'Sales'" });
  expect(status).toBe(200);
  const total = (await call('GET', '/api/users/')).body.count;
  expect(body).toMatchObject({ count: 14, of: total, more: false });
  expect(body.people).toHaveLength(10);
  expect(body.people[0]).toMatchObject({ email: expect.stringMatching(/^sales\d/) });
});

test('matches people in the scope of a review, which reads only people', async () => {
  const inScope = (condition: string) => matches({ condition, of: 'review' });
  expect((await inScope("user.attributes.department == 'Sales'")).body).toMatchObject({ count: 14 });
  expect(await inScope('account == null')).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'condition', code: 'cel' }] },
  });
});

test('finds attributes by a name that is not an identifier', async () => {
  const [first] = (await call('GET', '/api/users/?q=it@acme.example')).body.results;
  await call('PATCH', `/api/users/${first.external_uuid}/`, { attributes: { 'cost center': 'A 1' } });
  for (const condition of [
    "user.attributes['cost center'] == 'A 1'",
    "'cost center' in user.attributes",
    "user.attributes['cost center'] in ['A 1', 'B 2']",
    "user.attributes['cost center'].startsWith('A')",
  ])
    expect((await matches({ condition })).body, condition).toMatchObject({ count: 1 });
  expect((await call('GET', '/api/users/attributes/')).body.results).toEqual([
    { name: 'department', values: ['Sales', 'IT'] },
    { name: 'cost center', values: ['A 1'] },
  ]);
});

test('reads an attribute in any of its spellings', async () => {
  for (const [email, attributes] of [
    ['scim@spelled.example', { costCenter: 'B 7' }],
    ['file@spelled.example', { 'Cost center': 'B 7' }],
    ['form@spelled.example', { cost_center: 'B 7' }],
  ] as const) {
    const { body } = await call('POST', '/api/users/', { email, attributes });
    onTestFinished(async () => {
      await call('POST', `/api/users/${body.external_uuid}/deactivate/`);
      await call('DELETE', `/api/users/${body.external_uuid}/`);
    });
  }
  for (const condition of [
    "user.attributes.cost_center == 'B 7'",
    "user.attributes.costCenter == 'B 7'",
    "has(user.attributes.cost_center) && user.attributes['Cost center'] == 'B 7'",
  ])
    expect((await matches({ condition })).body, condition).toMatchObject({ count: 3 });
  const { results } = (await call('GET', '/api/users/attributes/')).body;
  expect(results.filter(({ values }: { values: string[] }) => values.includes('B 7'))).toHaveLength(1);
});

test('looks only at people whom the trigger concerns', async () => {
  const [one] = (await call('GET', '/api/users/?q=leaver')).body.results;
  await call('POST', `/api/users/${one.external_uuid}/deactivate/`);
  const { body } = await matches({ condition: 'true', trigger: 'user.deactivated' });
  expect(body).toMatchObject({ count: 1, of: 1, people: [{ email: 'leaver@acme.example' }] });
  onTestFinished(async () => {
    await call('POST', `/api/users/${one.external_uuid}/reactivate/`);
  });
  const active = (await call('GET', '/api/users/?status=active')).body.count;
  const everyone = (await call('GET', '/api/users/')).body.count;
  expect(active).toBe(everyone - 1);
  for (const [trigger, of] of [
    ['user.created', active],
    ['user.reactivated', active],
    ['user.updated', everyone],
    ['daily', everyone],
  ])
    expect((await matches({ condition: 'true', trigger })).body, trigger).toMatchObject({ count: of, of });
});

test('looks at each app for a condition on accounts', async () => {
  await call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' });
  const everyone = (await call('GET', '/api/users/')).body.count;
  expect((await matches({ condition: 'account == null' })).body).toMatchObject({ count: everyone });
  expect((await matches({ condition: 'account != null' })).body).toMatchObject({ count: 0, of: everyone });
});

test('returns the position of an error in the condition', async () => {
  expect(await matches({ condition: "user.email = 'a'" })).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/at line 1, column \d+/) },
  });
});

test('stops in an organization with many apps, and needs only one of them for a match', async () => {
  const { orgId } = await organizationOf(service);
  await sql`
    insert into app (org_id, name, clone_group_id)
    select ${orgId}::uuid, 'Many', uuidv7() from generate_series(1, 5000)`.execute(service.database.db);
  onTestFinished(() => service.database.exec("delete from app where name = 'Many'"));
  const everyone = (await call('GET', '/api/users/')).body.count;
  expect(everyone).toBeGreaterThan(10);
  for (const condition of ['account != null', "app.name == 'None'"]) {
    const { body } = await matches({ condition });
    expect(body, condition).toMatchObject({ count: 0, of: expect.any(Number), more: true });
    expect(body.of).toBeLessThan(everyone);
  }
  for (const condition of ['account == null', "app.name == 'Many'"])
    expect((await matches({ condition })).body, condition).toMatchObject({
      count: everyone,
      of: everyone,
      more: false,
    });
});
