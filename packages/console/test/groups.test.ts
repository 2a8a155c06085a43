// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Api, apiWithKey } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { heading, told } from './story.ts';

/** The groups that an identity provider pushes through SCIM. */
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const SUPPORT = 'Support team';
const AUDITORS = 'Internal <b>audit</b>';
const INES = 'ines.duarte@acme.example';
const HUGO = 'hugo.garnier@acme.example';

let gatehouse: ConsoleTest<Company>;
let provider: Api;
const groups: Record<string, string> = {};
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  const owner = await gatehouse.apiAs('owner');
  const { key } = await owner.post('/api/api-keys/', { name: 'Identity provider', scopes: ['scim'] });
  provider = apiWithKey(gatehouse.base, key);
  await push(SUPPORT, [INES, HUGO]);
  await push(AUDITORS, [HUGO]);
  return gatehouse.close;
});

const idOf = (email: string) => gatehouse.seeded.people[email] ?? '';
const roleOf = async (email: string) => (await gatehouse.api.get(`/api/users/${idOf(email)}/`)).role;
async function push(displayName: string, emails: string[]) {
  const members = emails.map((email) => ({ value: idOf(email) }));
  groups[displayName] = (
    await provider.post('/scim/v2/Groups', { schemas: [GROUP], displayName, members })
  ).id;
}
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const roleIn = (page: Page, name: string) =>
  page.getByRole('combobox', { name: `Role of the members of ${name}` });

test('lists the groups with their members, and searches them by name', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/people');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Groups' }).click();
  await heading(page, 'Groups').waitFor();
  await rowOf(page, SUPPORT).getByText('2 people').waitFor();
  await rowOf(page, AUDITORS).getByText('1 person').waitFor();

  await page.getByRole('searchbox', { name: 'Search by name' }).fill('support');
  await rowOf(page, AUDITORS).waitFor({ state: 'detached' });
  expect(page.url()).toContain('q=support');
  await rowOf(page, SUPPORT).waitFor();
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('nobody');
  await page.getByText('No groups match this search').waitFor();

  await goto(`/people/${idOf(HUGO)}`);
  await page.getByText(`${AUDITORS}, ${SUPPORT}`).waitFor();
});

test('shows members that the provider adds and removes', async () => {
  const { page, goto } = await gatehouse.visit('admin');
  const change = (...operations: object[]) =>
    provider.patch(`/scim/v2/Groups/${groups[SUPPORT]}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: operations,
    });
  await change({ op: 'remove', path: `members[value eq "${idOf(HUGO)}"]` });
  await goto('/groups');
  await rowOf(page, SUPPORT).getByText('1 person').waitFor();
  await change({ op: 'add', path: 'members', value: [{ value: idOf(HUGO) }] });
  await goto('/groups');
  await rowOf(page, SUPPORT).getByText('2 people').click();
  await heading(page, SUPPORT).waitFor();
  await rowOf(page, HUGO).getByText('Active').waitFor();
  await rowOf(page, INES).getByRole('link').first().click();
  await page.getByText(INES).first().waitFor();
  expect(page.url()).toContain(`/people/${idOf(INES)}`);
});

test('an owner lets a group give its members a role, and takes it back', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  expect(await roleOf(HUGO)).toBe('member');
  await goto('/groups');
  await expect.poll(() => roleIn(page, AUDITORS).inputValue()).toBe('');

  await roleIn(page, AUDITORS).click();
  await page.getByRole('option', { name: 'Auditor' }).click();
  await told(page, `Role of ${AUDITORS} saved`);
  expect(await roleOf(HUGO)).toBe('auditor');
  expect(await roleOf(INES)).toBe('member');
  await page.reload();
  await expect.poll(() => roleIn(page, AUDITORS).inputValue()).toBe('Auditor');
  await goto(`/people/${idOf(HUGO)}`);
  await page.getByText('from a group').waitFor();

  await goto('/groups');
  await page.getByRole('option').waitFor({ state: 'detached' });
  await rowOf(page, AUDITORS).locator('button').click();
  await expect.poll(() => roleOf(HUGO)).toBe('member');
  await expect.poll(() => roleIn(page, AUDITORS).inputValue()).toBe('');
});

test.each(['admin', 'auditor'] as const)('the role of a group is only shown to an %s', async (role) => {
  const owner = await gatehouse.apiAs('owner');
  await owner.put(`/api/person-groups/${groups[AUDITORS]}/role/`, { role: 'auditor' });
  const { page, goto } = await gatehouse.visit(role);

  await goto('/groups');

  await rowOf(page, AUDITORS).getByText('Auditor', { exact: true }).waitFor();
  await rowOf(page, SUPPORT).getByText('None', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('main').getByRole('combobox').count()).toBe(0);
  const api = await gatehouse.apiAs(role);
  await expect(api.put(`/api/person-groups/${groups[SUPPORT]}/role/`, { role: 'admin' })).rejects.toThrow(
    /: 403 /,
  );
  expect(await roleOf(INES)).toBe('member');
});

test('members of the organization do not see the groups', async () => {
  const { page, goto, expectRefusals } = await gatehouse.visit('member');
  expectRefusals([403]);
  await goto('/groups');
  await page.getByRole('main').getByText('Your role does not allow this').waitFor();
  await expect.poll(() => page.getByRole('table').count()).toBe(0);
});
