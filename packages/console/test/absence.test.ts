// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { STAFF } from './seed-company.ts';
import { field, heading, pick, told } from './story.ts';

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
  manager.expectRefusals([400]);
  await absence.getByRole('button', { name: 'Save absence' }).click();
  await absence.getByText('ends_at must be').waitFor();
  const nextWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  await absence.getByLabel('Last day away').fill(nextWeek);
  await absence.getByRole('button', { name: 'Save absence' }).click();
  await told(manager.page, 'Absence saved');
  await manager.page.getByRole('table', { name: 'Absences' }).getByText(STAFF.owner).waitFor();

  const owner = await gatehouse.visit('owner');
  await owner.goto('/approvals');
  const waiting = owner.page.getByRole('list', { name: 'Pending requests' });
  await waiting.getByText('For Marta Silva').first().waitFor();
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
  await owner.page.getByText(/approved on behalf of .*Marta Silva/).waitFor();

  await manager.page.getByRole('button', { name: /^Remove the absence/ }).click();
  await manager.page.getByRole('dialog').getByRole('button', { name: 'Remove absence' }).click();
  await told(manager.page, 'Absence removed');
});

test('people edit their absences, and administrators those of others', async () => {
  const { seeded } = gatehouse;
  const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
  const absences = `/api/users/${seeded.people[STAFF.member]}/absences/`;
  const starts_at = `${day(30)}T09:30:00Z`;
  await gatehouse.api.post(absences, {
    deputy_email: STAFF.admin,
    starts_at,
    ends_at: `${day(33)}T00:00:00Z`,
  });
  const absence = async () => (await gatehouse.api.get(absences)).results[0];

  const member = await gatehouse.visit('member');
  await member.goto('/settings/profile');
  await member.page.getByRole('button', { name: /^Edit the absence/ }).click();
  const own = member.page.getByRole('dialog', { name: 'Edit absence' });
  await expect.poll(() => own.getByLabel('First day away').inputValue()).toBe(day(30));
  await expect.poll(() => own.getByLabel('Last day away').inputValue()).toBe(day(32));
  await own.getByLabel("Deputy's email").fill(STAFF.owner);
  await own.getByRole('button', { name: 'Save absence' }).click();
  await told(member.page, 'Absence saved');
  await member.page.getByRole('table', { name: 'Absences' }).getByText(STAFF.owner).waitFor();
  expect(await absence()).toMatchObject({
    deputy: { email: STAFF.owner },
    starts_at: expect.stringContaining('T09:30:00'),
    ends_at: expect.stringContaining(`${day(33)}T00:00:00`),
  });

  const owner = await gatehouse.visit('owner');
  await owner.goto(`/people/${seeded.people[STAFF.member]}`);
  await owner.page.getByRole('button', { name: /^Edit the absence/ }).click();
  const theirs = owner.page.getByRole('dialog', { name: 'Edit absence' });
  await theirs.getByLabel('Last day away').fill(day(29));
  owner.expectRefusals([400]);
  await theirs.getByRole('button', { name: 'Save absence' }).click();
  await theirs.getByText('ends_at must be').waitFor();
  await theirs.getByLabel('Last day away').fill(day(40));
  await theirs.getByRole('button', { name: 'Save absence' }).click();
  await told(owner.page, 'Absence saved');
  expect(await absence()).toMatchObject({
    deputy: { email: STAFF.owner },
    ends_at: expect.stringContaining(`${day(41)}T00:00:00`),
  });
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
  await owner.page.getByText('Waiting for Hana Kimura').first().waitFor();
  await expect.poll(() => owner.page.getByText('reassigned the request').count()).toBe(1);
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

test('a member reassigns a request that they decide', async () => {
  const { seeded } = gatehouse;
  const asked = await (await gatehouse.apiAs('member')).post('/api/tickets/', {
    app: seeded.apps.crm,
    user: seeded.people[STAFF.member],
    type: 'NEW_ACCESS',
    initial_comment: 'For the summer campaign.',
  });
  const manager = await gatehouse.visit('manager');
  await manager.goto(`/requests/${asked.external_uuid}`);
  await manager.page.getByRole('button', { name: 'Reassign' }).click();
  await field(manager.page, 'New approvers').fill('h');
  await manager.page.getByText('Type at least 2 characters.').waitFor();
  await pick(manager.page, 'New approvers', 'hana.kimura@acme.example');
  const dialog = manager.page.getByRole('dialog');
  await dialog.getByText('Hana Kimura (hana.kimura@acme.example)').waitFor();
  await dialog.getByLabel('Reason').fill('On leave.');
  await dialog.getByRole('button', { name: 'Reassign' }).click();
  await told(manager.page, 'Request reassigned');
  await heading(manager.page, 'Approvals').waitFor();
  const { waiting_for } = await gatehouse.api.get(`/api/tickets/${asked.external_uuid}/`);
  expect(waiting_for).toMatchObject([{ email: 'hana.kimura@acme.example' }]);
});

test('a member reassigns their items of a review', async () => {
  const { seeded } = gatehouse;
  const manager = await gatehouse.visit('manager');
  await manager.goto(`/reviews/cycles/${seeded.cycles.open}?decision=none`);
  const items = manager.page.getByRole('table', { name: 'Items' });
  const left = async () =>
    (
      await gatehouse.api.get(`/api/reviews/cycles/${seeded.cycles.open}/items/?decision=none&limit=200`)
    ).results.filter(({ reviewers }: { reviewers: { email: string }[] }) =>
      reviewers.some(({ email }) => email === STAFF.manager),
    ).length as number;
  const before = await left();
  await items.getByRole('checkbox').nth(1).check();
  await manager.page.getByRole('button', { name: 'Reassign 1', exact: true }).click();
  await pick(manager.page, 'New reviewers', 'omar.farouk@acme.example');
  const dialog = manager.page.getByRole('dialog', { name: /^Reassign/ });
  await dialog.getByLabel('Reason').fill('Knows the team.');
  await dialog.getByRole('button', { name: 'Reassign' }).click();
  await expect.poll(left).toBe(before - 1);
});

test('a member who reassigns all items of a review leaves it', async () => {
  const { seeded, api } = gatehouse;
  // Without an account in the wiki: nobody reviews their own access.
  await api.post('/api/users/', { email: 'wiki.owner@acme.example', first_name: 'Wiki' });
  const review = await api.post('/api/reviews/', {
    name: 'Review of the wiki',
    reviewer: [seeded.people[STAFF.manager]],
    scope: { apps: [seeded.apps.wiki], include: ['accounts'] },
  });
  const cycle = await api.post(`/api/reviews/${review.external_uuid}/start/`);
  const address = `/api/reviews/cycles/${cycle.external_uuid}/`;
  await expect.poll(async () => (await api.get(address)).status).toBe('in_progress');
  const manager = await gatehouse.visit('manager');
  await manager.goto(`/reviews/cycles/${cycle.external_uuid}`);
  manager.expectRefusals([403], /\/reviews\/cycles\//);
  await manager.page.getByRole('table', { name: 'Items' }).getByRole('checkbox').first().check();
  await manager.page.getByText(/\d+ selected/).waitFor();
  const all = manager.page.getByRole('button', { name: /^Select all/ });
  if (await all.isVisible()) await all.click();
  await manager.page.getByRole('button', { name: /^Reassign \d/ }).click();
  await pick(manager.page, 'New reviewers', 'wiki.owner@acme.example');
  const dialog = manager.page.getByRole('dialog', { name: /^Reassign/ });
  await dialog.getByLabel('Reason').fill('Owns the wiki.');
  await dialog.getByRole('button', { name: 'Reassign' }).click();

  await manager.page.getByText('You have nothing left to review here').waitFor();
  await manager.page.getByRole('link', { name: 'Open access reviews' }).click();
  await heading(manager.page, 'Access reviews').waitFor();
});
