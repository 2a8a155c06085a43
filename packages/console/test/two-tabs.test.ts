// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openSamlProvider } from '../../server/test/saml.ts';
import type { Api } from './api.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { field, told } from './story.ts';

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

const conflict = { name: 'Somebody else has changed this' };

/** Opens a page that two people edit. Both see the same version. */
async function openTwice(address: string) {
  const [mine, theirs] = [await gatehouse.visit('owner'), await gatehouse.visit('admin')];
  mine.expectRefusals([412]);
  await mine.goto(address);
  await theirs.goto(address);
  await field(theirs.page, 'Name').waitFor();
  return { mine: mine.page, theirs: theirs.page };
}

test('shows both versions of a policy, and keeps mine or takes theirs', async () => {
  const { api, seeded } = gatehouse;
  const { external_uuid: id } = await api.post('/api/policies/', {
    name: 'Leavers',
    trigger: 'user.deactivated',
    condition: 'true',
    effects: [{ do: 'suspend', app: seeded.apps.crm }],
    enabled: false,
  });
  const { mine, theirs } = await openTwice(`/policies/${id}`);
  const save = (page: typeof mine) => page.getByRole('button', { name: 'Save', exact: true }).click();
  await field(theirs, 'Name').fill('Their joiners');
  await field(mine, 'Name').fill('My joiners');
  await save(theirs);
  await told(theirs, 'Policy saved');

  await save(mine);
  const dialog = mine.getByRole('dialog', conflict);
  const name = dialog.getByRole('region', { name: 'Name' });
  await name.getByText('Their joiners').waitFor();
  await name.getByText('My joiners').waitFor();
  await expect.poll(() => dialog.getByRole('region').count()).toBe(1);
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await told(mine, 'Policy saved');
  expect((await api.get(`/api/policies/${id}/`)).name).toBe('My joiners');

  await field(theirs, 'Name').fill('Another name');
  await api.patch(`/api/policies/${id}/`, { name: 'Their last name' });
  await field(mine, 'Name').fill('My last name');
  await save(mine);
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await expect.poll(() => field(mine, 'Name').inputValue()).toBe('Their last name');
  expect((await api.get(`/api/policies/${id}/`)).name).toBe('Their last name');
});

test('asks about an app only if the same fields were changed', async () => {
  const { api, seeded } = gatehouse;
  const address = `/api/apps/${seeded.apps.crm}/`;
  const { mine, theirs } = await openTwice(`/apps/${seeded.apps.crm}?tab=settings`);
  const save = (page: typeof mine, section: string) =>
    page.getByRole('region', { name: section }).getByRole('button', { name: 'Save' }).click();
  await field(theirs, 'Name').fill('Their CRM');
  await save(theirs, 'Name and owner');
  await told(theirs, 'Name and owner saved');

  await field(mine, 'More than this percentage').fill('7');
  await save(mine, 'Removal guard');
  await told(mine, 'Removal guard saved');
  expect(await api.get(address)).toMatchObject({ name: 'Their CRM', removal_guard: { percent: 7 } });

  await field(mine, 'Name').fill('My CRM');
  await save(mine, 'Name and owner');
  const dialog = mine.getByRole('dialog', conflict);
  await dialog.getByText('Their CRM').waitFor();
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await told(mine, 'Name and owner saved');
  expect((await api.get(address)).name).toBe('My CRM');
});

test('asks about a person and the organization as well', async () => {
  const { api, seeded } = gatehouse;
  const { page, goto, expectRefusals } = await gatehouse.visit('owner');
  expectRefusals([412]);
  const dialog = page.getByRole('dialog', conflict);
  const person = `/api/users/${seeded.people['marta.silva@acme.example']}/`;
  await goto(`/people/${seeded.people['marta.silva@acme.example']}?ask=edit`);
  await field(page, 'Last name').fill('Mine');
  await api.patch(person, { last_name: 'Silver', attributes: { badge: 'B-17' } });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('region', { name: 'Last name' }).getByText('Silver').waitFor();
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await told(page, 'Marta Mine saved');
  expect(await api.get(person)).toMatchObject({ last_name: 'Mine', attributes: { badge: 'B-17' } });

  await goto('/settings/organization');
  const { name } = await api.get('/api/organization/');
  await field(page, 'Name').fill('Mine');
  await api.patch('/api/organization/', { name: 'Their company' });
  await page.getByRole('button', { name: 'Save name' }).click();
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('Their company');
  await api.patch('/api/organization/', { name });
});

test('asks about a sign-in provider', async () => {
  const owner = await gatehouse.apiAs('owner');
  const saml = { idp_metadata: openSamlProvider().metadata };
  await owner.post('/api/sign-in-providers/', { id: 'adfs', name: 'Before', saml });
  const { page, goto, expectRefusals } = await gatehouse.visit('owner');
  expectRefusals([412]);
  await goto('/settings/identity-provider?provider=adfs');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await field(page, 'Name').fill('Mine');
  await owner.patch('/api/sign-in-providers/adfs/', {
    name: 'Their provider',
    email_domains: ['acme.example'],
  });
  await page.getByRole('button', { name: 'Save changes' }).click();
  const dialog = page.getByRole('dialog', conflict);
  await dialog.getByRole('region', { name: 'Name' }).getByText('Their provider').waitFor();
  await dialog.getByRole('region', { name: 'Email domains' }).getByText('acme.example').waitFor();
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('Their provider');
  expect((await owner.get('/api/sign-in-providers/adfs/')).name).toBe('Their provider');
});

interface Form {
  what: string;
  /** The page, or the tab or dialog of a page. */
  address: string;
  /** The steps that lead from there to the form. */
  open?: (page: Page) => Promise<void>;
  label: string;
  mine: string;
  save: string;
  /** A change that somebody else makes in the meantime, through the API. */
  path: string;
  theirs: object;
  /** Their value in the dialog. */
  shown: string;
  /** Returns what is stored. */
  stored: (body: Awaited<ReturnType<Api['get']>>) => unknown;
}

test('asks in every other form that changes what others may change', async () => {
  const { api, seeded } = gatehouse;
  const app = seeded.apps.crm;
  const fulfillment = await api.get(`/api/apps/${app}/fulfillment/`);
  await api.put(`/api/apps/${app}/fulfillment/`, { ...fulfillment, enabled: true });
  const { id: webhook } = await api.post('/api/webhooks/', { name: 'Before', url: 'https://siem.example' });
  const { external_uuid: channel } = await api.post('/api/notifications/channels/', {
    type: 'slack',
    name: 'Before',
    url: 'https://slack.example/hook',
    kinds: ['task_failed'],
  });
  const { id: managed } = await api.post('/api/v1/bridge/apps/', { name: 'Managed' });
  await api.post(`/api/apps/${managed}/connector/`, {
    type: 'ldap',
    settings: {
      url: 'ldaps://ldap.example',
      bindDn: 'cn=reader',
      users: 'ou=people',
      groups: 'ou=groups',
      userFilter: '(uid=*)',
    },
    secrets: { bindPassword: 'before' },
    schedule: { every_minutes: 60 },
    paused: true,
  });
  const connector = `/api/apps/${managed}/connector/`;
  const forms: Form[] = [
    {
      what: 'the task limit',
      address: '/policies?dialog=limit',
      label: 'Maximum number of tasks',
      mine: '21',
      save: 'Save',
      path: '/api/policies/settings/',
      theirs: { task_limit: 34 },
      shown: '34',
      stored: ({ task_limit }) => String(task_limit),
    },
    {
      what: 'fulfillment',
      address: `/apps/${app}?tab=fulfillment`,
      label: 'Delete account',
      mine: 'Mine',
      save: 'Save',
      path: `/api/apps/${app}/fulfillment/`,
      theirs: { ...fulfillment, enabled: true, instructions: { delete_account: 'Something else' } },
      shown: 'Something else',
      stored: ({ instructions }) => instructions.delete_account,
    },
    {
      what: 'a webhook',
      address: `/settings/webhooks/${webhook}?dialog=edit`,
      label: 'Name',
      mine: 'Mine',
      save: 'Save',
      path: `/api/webhooks/${webhook}/`,
      theirs: { name: 'Something else' },
      shown: 'Something else',
      stored: ({ name }) => name,
    },
    {
      what: 'a channel',
      address: '/settings/notifications?tab=channels',
      open: (page) => page.getByRole('button', { name: 'Edit Before' }).click(),
      label: 'Name',
      mine: 'Mine',
      save: 'Save',
      path: `/api/notifications/channels/${channel}/`,
      theirs: { name: 'Something else' },
      shown: 'Something else',
      stored: ({ name }) => name,
    },
    {
      what: 'the schedule of a connector',
      address: `/apps/${managed}?tab=connection`,
      label: 'Every',
      mine: '2',
      save: 'Save schedule',
      path: connector,
      theirs: { schedule: { every_minutes: 180 } },
      shown: 'every 3 hours',
      stored: ({ schedule }) => String(schedule.every_minutes / 60),
    },
    {
      what: 'the settings of a connector',
      address: `/apps/${managed}?tab=connection`,
      label: 'User filter',
      mine: '(uid=m*)',
      save: 'Save settings',
      path: connector,
      theirs: { settings: { userFilter: '(uid=t*)' }, secrets: { bindPassword: 'theirs' } },
      shown: '(uid=t*)',
      stored: ({ settings }) => settings.userFilter,
    },
  ];
  const { page, goto, expectRefusals } = await gatehouse.visit('owner');
  expectRefusals([412]);
  const dialog = page.getByRole('dialog', conflict);
  for (const { what, address, open, label, mine, save, path, theirs, shown, stored } of forms) {
    await goto(address);
    await open?.(page);
    await field(page, label).fill(mine);
    if (what === 'the settings of a connector') await page.getByLabel('Bind password').fill('mine');
    await (path.endsWith('/fulfillment/') ? api.put : api.patch)(path, theirs);
    await page.getByRole('button', { name: save, exact: true }).click();
    await dialog.getByText(shown).waitFor();
    await expect.poll(() => dialog.getByRole('region').count(), { message: what }).toBe(1);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => stored(await api.get(path)), { message: what }).toBe(mine);
  }
});
