// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { STAFF } from './seed-company.ts';
import { pick, told } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('a deputy asks for information and approves on behalf of an absent manager', async () => {
  const { seeded } = gatehouse;
  const manager = await gatehouse.visit('manager');
  await manager.goto('/settings/profile');
  await manager.page.getByRole('button', { name: 'Set absence' }).click();
  const absence = manager.page.getByRole('dialog');
  await absence.getByLabel("Deputy's email").fill(STAFF.owner);
  await absence.getByLabel('Last day away').fill('2020-01-01');
  await absence.getByRole('button', { name: 'Save absence' }).click();
  manager.expectRefusals([400]);
  await absence.getByText('ends_at must be').waitFor();
  const nextWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  await absence.getByLabel('Last day away').fill(nextWeek);
  await absence.getByRole('button', { name: 'Save absence' }).click();
  await told(manager.page, 'Absence saved');
  await manager.page.getByRole('table', { name: 'Absences' }).getByText(STAFF.owner).waitFor();

  const owner = await gatehouse.visit('owner');
  await owner.goto('/approvals');
  const waiting = owner.page.getByRole('list', { name: 'Pending requests' });
  await waiting.getByText(`For ${STAFF.manager}`).first().waitFor();
  await owner.goto(`/requests/${seeded.tickets.mine}`);
  await owner.page.getByRole('button', { name: 'Request information' }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByLabel('Question').fill('For which customers?');
  await dialog.getByRole('button', { name: 'Request information' }).click();
  await told(owner.page, 'Information requested');

  const member = await gatehouse.visit('member');
  await member.goto(`/requests/${seeded.tickets.mine}`);
  await member.page.getByText('More information needed').waitFor();
  await member.page.getByLabel('Your answer').fill('For those in Norway.');
  await member.page.getByRole('button', { name: 'Provide information' }).click();
  await member.page.getByText('More information needed').waitFor({ state: 'detached' });

  await owner.goto(`/requests/${seeded.tickets.mine}`);
  await owner.page.getByText('For those in Norway.').waitFor();
  await owner.page.getByRole('button', { name: 'Approve' }).first().click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await owner.page.getByText(`approved on behalf of ${STAFF.manager}`).waitFor();

  await manager.page.getByRole('button', { name: /^Remove the absence/ }).click();
  await manager.page.getByRole('dialog').getByRole('button', { name: 'Remove absence' }).click();
  await told(manager.page, 'Absence removed');
});

test('an administrator reassigns a request', async () => {
  const { seeded } = gatehouse;
  const asked = await (await gatehouse.apiAs('member')).post('/api/tickets/', {
    app: seeded.apps.crm,
    user: seeded.people[STAFF.member],
    type: 'NEW_ACCESS',
    initial_comment: 'For the fair.',
  });
  const owner = await gatehouse.visit('owner');
  await owner.goto(`/requests/${asked.external_uuid}`);
  await owner.page.getByRole('button', { name: 'Reassign' }).click();
  await pick(owner.page, 'New approvers', 'hana.kimura@acme.example');
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('On another project.');
  await dialog.getByRole('button', { name: 'Reassign' }).click();
  await told(owner.page, 'Request reassigned');
  await owner.page.getByText('Waiting for hana.kimura@acme.example').waitFor();
  expect(await owner.page.getByText('reassigned the request').count()).toBe(1);
});

test('an administrator reassigns the selected items of a review', async () => {
  const { seeded } = gatehouse;
  const owner = await gatehouse.visit('owner');
  await owner.goto(`/reviews/cycles/${seeded.cycles.open}?all=true&decision=none`);
  const items = owner.page.getByRole('table', { name: 'Items' });
  await items.getByRole('checkbox').nth(1).check();
  await owner.page.getByRole('button', { name: /^Reassign \d/ }).click();
  const dialog = owner.page.getByRole('dialog', { name: /^Reassign/ });
  await pick(owner.page, 'New reviewers', 'hana.kimura@acme.example');
  await dialog.getByLabel('Reason').fill('Knows the team.');
  await dialog.getByRole('button', { name: 'Reassign' }).click();
  await items.getByText('hana.kimura@acme.example').first().waitFor();
});
