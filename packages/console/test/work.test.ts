// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
import { heading, told } from './story.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});

test('a reviewer makes the first decision after sign-in with one click, and cannot decide another by a second one', async () => {
  const { cycles } = gatehouse.seeded;
  const { page, goto } = await gatehouse.visit('manager');
  const path = `/api/reviews/cycles/${cycles.open}/`;
  const kept = async () => (await gatehouse.api.get(path)).progress.kept;
  const before = await kept();
  await goto('/');
  const card = page.getByRole('region', { name: 'Quarterly review of Engineering' });
  const keep = card.getByRole('button', { name: 'Keep' });
  await keep.click();
  await expect.poll(kept).toBe(before + 1);
  await card.getByText('Decided.').waitFor();
  await expect.poll(() => keep.count()).toBe(0);

  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(kept).toBe(before);
  await keep.click();
  await card.getByRole('button', { name: 'Show next item' }).click();
  await keep.waitFor();
  await expect.poll(kept).toBe(before + 1);
});

test('an approver decides the oldest request in place, and the numbers agree everywhere', async () => {
  const visit = await gatehouse.visit('owner');
  const { page, goto, settled } = visit;
  const [owner, member] = [await gatehouse.apiAs('owner'), await gatehouse.apiAs('member')];
  const { external_uuid: user } = await member.get('/api/me/');
  await member.post('/api/tickets/', { app: gatehouse.seeded.apps.payroll, user, type: 'NEW_ACCESS' });
  const { approvals } = await owner.get('/api/work/');
  expect(approvals.count).toBeGreaterThan(0);
  await goto('/');
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const entry = (count: number) => pages.getByRole('link', { name: `Approvals ${count} waiting` });
  await entry(approvals.count).waitFor();
  const words = approvals.count === 1 ? '1 approval' : `${approvals.count} approvals`;
  const work = page.getByRole('region', { name: 'Waiting for you' });
  await work.getByRole('link', { name: words, exact: true }).click();
  await heading(page, 'Approvals').waitFor();
  await settled();
  const listed = page.getByRole('list', { name: 'Pending requests' }).getByRole('listitem');
  await expect.poll(() => listed.count()).toBe(approvals.count);

  await goto('/');
  await work.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
  await told(page, 'Request denied');
  const status = async () =>
    (await owner.get(`/api/tickets/${approvals.first.external_uuid}/`)).ticket_status;
  await expect.poll(status).toBe('REJECTED');
  const left = (await owner.get('/api/work/')).approvals.count;
  expect(left).toBe(approvals.count - 1);
  if (left > 0) await entry(left).waitFor();
});

test('the navigation shows an area with its pages, and nothing that is empty for a role', async () => {
  const { page, goto } = await gatehouse.visit('auditor');
  await goto('/');
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  const names = async () => (await links.allInnerTexts()).map((name) => name.split('\n')[0]);
  await expect
    .poll(names)
    .toEqual(expect.arrayContaining(['Work', 'Access', 'People', 'Apps', 'Policies', 'Findings', 'Events']));
  expect(await names()).not.toContain('Approvals');
  expect(await names()).not.toContain('Webhooks');
  await links.filter({ hasText: 'Settings' }).click();
  await expect.poll(names).toEqual(expect.arrayContaining(['Webhooks', 'My profile']));
});

test('an administrator sees tasks of their own, those that people carry out, and all on one page', async () => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto('/tasks');
  const view = (name: string) => page.getByRole('group', { name: 'View' }).getByRole('button', { name });
  await expect.poll(() => view('All').getAttribute('aria-pressed')).toBe('true');
  await view('By hand').click();
  await page.waitForURL(/whose=by_hand/);
  await view('Mine').click();
  await page.waitForURL(/whose=mine/);
  await page.getByText('No open tasks').waitFor();
  await goto('/my-tasks?all=true&state=ended');
  await page.waitForURL(/whose=by_hand/);
  expect(new URL(page.url()).searchParams.get('state')).toBe('ended');
});
