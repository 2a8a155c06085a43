import { beforeAll, expect, test } from 'vitest';
import { apiSignedIn, until } from './api.ts';
import { type ConsoleTest, openServer } from './harness.ts';
import { PASSWORD, setPassword, signInLink } from './seed.ts';
import { STAFF } from './seed-company.ts';
import { heading, tabTo } from './story.ts';
import type { Visit } from './visit.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openServer();
  return gatehouse.close;
});

async function enter({ page }: Visit, email: string, password = PASSWORD) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('signs in, opens the requested page and signs out', async () => {
  const visit = await gatehouse.visit(null);
  visit.expectRefusals([401]);
  const { page } = visit;

  await visit.goto('/people?q=marta');
  await expect.poll(() => page.url()).toContain('/sign-in?return=');
  await heading(visit.page, /^Sign in/).waitFor();
  await enter(visit, STAFF.owner);
  await heading(visit.page, 'People').waitFor();
  expect(page.url()).toBe(`${gatehouse.home}/people?q=marta`);
  await page.getByRole('link', { name: 'Marta Silva' }).waitFor();

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(visit.page, /^Sign in/).waitFor();
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');
  await page.goto(`${gatehouse.home}/people`);
  await heading(visit.page, /^Sign in/).waitFor();
});

test('nobody is refused on the way to the sign-in page', async () => {
  const visit = await gatehouse.visit(null);
  const refused: string[] = [];
  visit.page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url());
  });
  await visit.goto('/');
  await heading(visit.page, /^Sign in/).waitFor();
  expect(refused).toEqual([]);
});

test('signs in and out by keyboard', { tags: ['long'] }, async () => {
  const visit = await gatehouse.visit(null);
  const { page } = visit;
  await visit.goto('/sign-in');
  await tabTo(page, page.getByLabel('Email'));
  await page.keyboard.type(STAFF.member);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await heading(page, 'Work').waitFor();

  await tabTo(page, page.getByRole('button', { name: 'Your account' }));
  await page.keyboard.press('Enter');
  const signOut = page.getByRole('menuitem', { name: 'Sign out' });
  await signOut.waitFor();
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown');
      return signOut.evaluate((item) => item === document.activeElement);
    })
    .toBe(true);
  await page.keyboard.press('Enter');
  await heading(page, /^Sign in/).waitFor();
  // Nothing is requested without a session: `problems` would have the refusal.
  await visit.settled();
});

test('shows only that the email or password is wrong', async () => {
  const visit = await gatehouse.visit(null);
  visit.expectRefusals([401]);
  await visit.goto('/sign-in');

  await enter(visit, STAFF.owner, 'not the password');

  const alert = visit.page.getByRole('alert');
  await alert.waitFor();
  await expect.poll(() => alert.textContent()).toBe('Wrong email address or password.');
  expect(await visit.context.cookies()).toEqual([]);
});

test.each(['//stranger.example/x', 'https://stranger.example/', '/\\stranger.example'])(
  'does not redirect to %s after sign-in',
  { tags: ['long'] },
  async (address) => {
    const visit = await gatehouse.visit(null);
    visit.expectRefusals([401]);
    await visit.goto(`/sign-in?return=${encodeURIComponent(address)}`);

    await enter(visit, STAFF.owner);

    await heading(visit.page, 'Work').waitFor();
    expect(new URL(visit.page.url()).origin).toBe(gatehouse.url);
  },
);

test('sets a password with a one-time link, once', async () => {
  const visit = await gatehouse.visit(null);
  visit.expectRefusals([400, 401, 404]);
  const { page } = visit;
  const person = gatehouse.seeded.people['ines.duarte@acme.example'];
  const url = await signInLink(gatehouse.base, person ?? '');

  await page.goto(url);
  await page.getByLabel('New password').fill('a new and long password');
  await page.getByLabel('Confirm password').fill('a new and long password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await heading(visit.page, 'Work').waitFor();

  await page.goto(`${gatehouse.home}/`);
  await page.goto(url);
  await page.getByLabel('New password').fill('another password of mine');
  await page.getByLabel('Confirm password').fill('another password of mine');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('alert').waitFor();
});

test('returns to the same page after an expired session', { tags: ['long'] }, async () => {
  const visit = await gatehouse.visit('manager', { own: true });
  visit.expectRefusals([401]);
  const { page } = visit;
  await visit.goto('/requests?status=DENIED&page=1');
  const before = page.url();

  await visit.context.clearCookies();
  await page.getByRole('link', { name: 'Approvals' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  await expect.poll(() => dialog.getByLabel('Email').inputValue()).toBe(STAFF.manager);
  await enter(visit, STAFF.manager);
  await dialog.waitFor({ state: 'detached' });
  await heading(visit.page, 'Approvals').waitFor();

  await visit.context.clearCookies();
  await page.goto(before);
  await heading(visit.page, /^Sign in/).waitFor();
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(STAFF.manager);
  await enter(visit, STAFF.manager);
  await heading(visit.page, 'Requests').waitFor();
  expect(page.url()).toBe(before);
});

test('ends a session when its person is deactivated', async () => {
  const person = 'hugo.garnier@acme.example';
  await setPassword(gatehouse.base, gatehouse.seeded.people[person] ?? '');
  const visit = await gatehouse.visit(null);
  visit.expectRefusals([401]);
  await visit.goto('/sign-in');
  await enter(visit, person);
  await heading(visit.page, 'Work').waitFor();

  await gatehouse.api.post(`/api/users/${gatehouse.seeded.people[person]}/deactivate/`);

  await visit.page.getByRole('link', { name: 'Requests' }).click();
  await visit.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await visit.page.getByRole('button', { name: 'Leave this page' }).click();
  await heading(visit.page, /^Sign in/).waitFor();
});

test("refuses an administrator's pages to a member, and the API too", { tags: ['long'] }, async () => {
  const visit = await gatehouse.visit('member', { own: true });
  const { page } = visit;
  visit.expectRefusals([403, 404]);
  const { apps, policies } = gatehouse.seeded;
  const addresses = ['/events', '/policies', `/policies/${policies.leavers}`, '/settings/api-keys'];

  for (const address of addresses) {
    await visit.goto(address);
    const main = page.getByRole('main');
    await main.getByText('Your role does not allow this').waitFor();
    await expect.poll(() => main.getByRole('table').count(), { message: address }).toBe(0);
  }

  const member = await gatehouse.apiAs('member');
  for (const path of ['/api/api-keys/', '/api/events/', '/api/policies/', `/api/apps/${apps.crm}/syncs/`]) {
    await expect(member.get(path), path).rejects.toThrow(/: 403 /);
  }
  await expect(member.post('/api/tasks/', {})).rejects.toThrow(/: 403 /);
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents())
    .toEqual(['Work', 'Requests', 'Apps', 'Notifications', 'My profile']);
});

test('lets an auditor read everything and change nothing', { tags: ['long'] }, async () => {
  const visit = await gatehouse.visit('auditor', { own: true });
  const { apps } = gatehouse.seeded;
  for (const address of ['/people', '/tasks', '/policies', '/events', `/apps/${apps.crm}?tab=settings`]) {
    await visit.goto(address);
    await expect.poll(() => visit.page.getByRole('alert').count(), { message: address }).toBe(0);
    const buttons = await visit.page.getByRole('main').getByRole('button').allTextContents();
    expect(
      buttons.filter((name) =>
        /^(New|Create|Add|Cancel|Retry|Delete|Archive|Save|Disconnect|Deactivate)/.test(name),
      ),
      address,
    ).toEqual([]);
  }
});

test('sends a strict content security policy and an HTTP-only cookie', async () => {
  const visit = await gatehouse.visit('owner', { own: true });
  await visit.goto('/');
  const page = await fetch(`${gatehouse.home}/apps`, { headers: { accept: 'text/html' } });
  const policy = page.headers.get('content-security-policy') ?? '';

  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*/);
  const html = await page.text();
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)/);
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  const [cookie] = await visit.context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect(await visit.page.evaluate(() => document.cookie)).toBe('');
});

test('records sign-ins, failed sign-ins and sign-outs', { tags: ['long'] }, async () => {
  await expect(apiSignedIn(gatehouse.base, STAFF.member, 'not the password')).rejects.toThrow('401');
  const session = await apiSignedIn(gatehouse.base, STAFF.member, PASSWORD);
  await session.post('/auth/sign-out/');
  const types = async () =>
    (await gatehouse.api.get('/api/events/?category=authentication&limit=200')).results.map(
      ({ event_type }: { event_type: string }) => event_type,
    );
  const seen = await until(types, (all) => all.includes('session.logout'));
  expect(seen).toEqual(
    expect.arrayContaining(['session.login.succeeded', 'session.login.failed', 'session.logout']),
  );
});
