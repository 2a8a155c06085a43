// @module-tag long
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from '../../server/test/keeper.ts';
import { hiding } from '../../server/test/workbooks.ts';
import { type ConsoleTest, openEmptyConsole } from './harness.ts';

let gatehouse: ConsoleTest<undefined>;
beforeAll(async () => {
  gatehouse = await openEmptyConsole();
  return gatehouse.close;
});

test('an uploaded spreadsheet is mapped, corrected, planned and applied', async () => {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'crew.csv');
  const app = (await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Crew list' })).id;
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${app}`);
  await page.getByRole('link', { name: 'Upload a spreadsheet' }).click();
  const input = page.locator('input[type=file]');

  await writeFile(
    file,
    Buffer.from('Kennung;E-Mail;Vorname;Zustand\n1;zoe@x.example;Zo\xeb;an\n2;wrong;Max;aktiv', 'latin1'),
  );
  await input.setInputFiles(file);
  await page.getByText('Zoë').waitFor();
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Encoding' }).inputValue())
    .toContain('Windows-1252');
  await expect.poll(() => page.getByRole('combobox', { name: 'Field of Kennung' }).inputValue()).toBe('ID');
  await page.getByRole('combobox', { name: '"an" means' }).click();
  await page.getByRole('option', { name: 'Active', exact: true }).click();
  await page.getByRole('button', { name: 'Check rows' }).click();
  const problems = page.getByRole('region', { name: 'Problems' });
  await problems.getByText('This is not an email address.').waitFor();
  await expect.poll(() => problems.getByRole('row').count()).toBe(2);

  await page.getByRole('button', { name: 'Choose another file' }).click();
  await writeFile(
    file,
    'Kennung;E-Mail;Vorname;Zustand\n1;zoe@x.example;Zoë;active\n2;max@x.example;Max;aktiv',
  );
  await input.setInputFiles(file);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('2 accounts created').waitFor();
  expect((await gatehouse.api.get(`/api/accounts/?app=${app}`)).count).toBe(0);
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.getByText('crew.csv was applied with 2 rows.').waitFor();
  await page.getByRole('link', { name: 'Show the sync' }).click();
  await expect
    .poll(async () => (await gatehouse.api.get(`/api/accounts/?app=${app}`)).count, { timeout: 30_000 })
    .toBe(2);
});

test('a file that would remove most accounts says that the removal guard will hold them', async () => {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'large.csv');
  const app = (await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Large list' })).id;
  const { page, goto } = await gatehouse.visit('owner');
  const apply = async (rows: number) => {
    const lines = Array.from({ length: rows }, (_, n) => `${n},p${n}@large.example`);
    await writeFile(file, ['id,email', ...lines].join('\n'));
    await goto(`/apps/${app}/upload`);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByRole('button', { name: 'Apply changes' }).waitFor();
  };
  await apply(150);
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await expect
    .poll(async () => (await gatehouse.api.get(`/api/accounts/?app=${app}`)).count, { timeout: 30_000 })
    .toBe(150);

  await apply(1);

  await page.getByText('would remove 149 accounts').waitFor();
});

test('a file that looks cut off is applied once somebody says that it is complete', async () => {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'cut.csv');
  const app = (await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Cut list' })).id;
  const { page, goto } = await gatehouse.visit('owner');
  const upload = async (rows: number) => {
    const lines = Array.from(
      { length: rows },
      (_, n) => `${n},p${n}@cut.example,${n % 2 ? 'Ad\u200Bmins' : 'Admins'}`,
    );
    await writeFile(file, ['id,email,groups', ...lines].join('\n'));
    await goto(`/apps/${app}/upload`);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByRole('button', { name: 'Apply changes' }).waitFor();
  };
  await upload(12);
  await page.getByText('Names that look alike').waitFor();
  await page.getByText('U+200B').first().waitFor();
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.getByText('cut.csv was applied with 12 rows.').waitFor();
  await expect
    .poll(async () => (await gatehouse.api.get(`/api/accounts/?app=${app}`)).count, { timeout: 30_000 })
    .toBe(12);

  await upload(8);

  await page.getByText('The last 4 accounts of the last applied upload are missing').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Apply changes' }).isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: 'The file is complete' }).check();
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.getByText('cut.csv was applied with 8 rows.').waitFor();
});

test('hidden rows of a workbook are imported or left out, as somebody chooses', async () => {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'hidden.xlsx');
  const rows = [['id', 'email', 'note'], ...[1, 2, 3].map((n) => [`${n}`, `h${n}@hidden.example`, 'x'])];
  await writeFile(file, hiding(rows));
  const app = (await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Hidden list' })).id;
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${app}/upload`);
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Check rows' }).click();

  await page.getByText('The sheet has 2 hidden rows').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Apply changes' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Leave out hidden rows' }).click();
  await page.getByText('Hidden rows are left out.').waitFor();
  await page.getByText('1 account created').waitFor();
  await page.getByRole('button', { name: 'Import hidden rows' }).click();
  await page.getByText('3 accounts created').waitFor();
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.getByText('hidden.xlsx was applied with 3 rows.').waitFor();
});

test('a file without a column of IDs uses the email as the ID', async () => {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'canteen.csv');
  const app = (await gatehouse.api.post('/api/v1/bridge/apps/', { name: 'Canteen' })).id;
  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/apps/${app}/upload`);
  await writeFile(file, 'Name,Mail\nZoe Miller,zoe@x.example');
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('Mail is the ID: each row has a value of its own.').waitFor();
  await page.getByRole('checkbox', { name: 'Also the ID of the account', checked: true }).waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'Field of Mail' }).inputValue()).toBe('Email');
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('The only row of canteen.csv is valid.').waitFor();
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await expect
    .poll(async () => (await gatehouse.api.get(`/api/accounts/?app=${app}`)).results, { timeout: 30_000 })
    .toMatchObject([{ external_id: 'zoe@x.example', email: 'zoe@x.example' }]);
});

test('people whose email has changed are found by the attribute that identifies a person', async () => {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'people.csv');
  const { api } = gatehouse;
  const person = { email: 'ada.byron@acme.example', attributes: { employee_number: '1001' } };
  const { external_uuid: ada } = await api.post('/api/users/', person);
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/settings/organization');
  await page.getByRole('textbox', { name: 'Attribute that identifies a person' }).fill('employee_number');
  await page.getByRole('button', { name: 'Save attribute' }).click();
  await expect.poll(async () => (await api.get('/api/organization/')).person_key).toBe('employee_number');
  await writeFile(file, 'email,first_name,employee_number\nada.king@acme.example,Ada,1001');
  const check = async () => {
    await goto('/people/upload');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('combobox', { name: 'People are found by' }).waitFor();
  };

  await check();
  const by = page.getByRole('combobox', { name: 'People are found by' });
  await expect.poll(() => by.inputValue()).toBe('employee_number');
  await by.click();
  await page.getByRole('option', { name: 'Email' }).click();
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('if this person has another email now').waitFor();

  await check();
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('Email from ada.byron@acme.example to ada.king@acme.example').waitFor();
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await expect.poll(async () => (await api.get(`/api/users/${ada}/`)).email).toBe('ada.king@acme.example');
});
