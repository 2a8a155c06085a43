// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { runCli } from '../../server/test/cli.ts';
import { type OwnServerTest, openServer } from './harness.ts';
import { PASSWORD } from './seed.ts';
import { STAFF } from './seed-company.ts';
import { heading } from './story.ts';
import type { Visit } from './visit.ts';

const HANK = 'hank@globex.example';
let gatehouse: OwnServerTest;
let hanksPassword: string;
beforeAll(async () => {
  gatehouse = await openServer();
  const create = ['organizations', 'create', 'globex', '--name', 'Globex Inc.', '--admin-email', HANK];
  const { stdout, stderr } = await runCli(gatehouse.database, create);
  hanksPassword = /Password +(\S+)/.exec(stdout)?.[1] ?? '';
  if (hanksPassword === '') throw new Error(stderr);
  return gatehouse.close;
}, 120_000);

async function enter({ page }: Visit, email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('serves two organizations to one browser, which see nothing of each other', {
  timeout: 120_000,
}, async () => {
  const visit = await gatehouse.visit(null);
  visit.expectRefusals([401, 404]);
  const { page } = visit;

  // The first organization, at `/`.
  await visit.goto('/people?q=marta');
  await heading(page, 'Sign in to Acme')
    .or(heading(page, /^Sign in to acme/i))
    .first()
    .waitFor();
  await enter(visit, STAFF.owner, PASSWORD);
  await heading(page, 'People').waitFor();
  await page.getByRole('link', { name: 'Marta Silva' }).waitFor();

  // The second one, at its own address: the session of the first does not count there.
  await visit.goto('/org/globex/people?q=e');
  await heading(page, 'Sign in to Globex Inc.').waitFor();
  expect(page.url()).toContain('/org/globex/sign-in?return=');
  await enter(visit, HANK, hanksPassword);
  await heading(page, 'People').waitFor();
  expect(page.url()).toBe(`${gatehouse.url}/org/globex/people?q=e`);
  await page.getByRole('link', { name: 'hank' }).first().waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Marta Silva' }).count()).toBe(0);

  // Links stay within the organization.
  await page.getByRole('link', { name: 'Apps', exact: true }).first().click();
  await heading(page, 'Apps').waitFor();
  expect(page.url()).toMatch(/\/org\/globex\/apps$/);
  await visit.settled();
  await page.reload();
  await heading(page, 'Apps').waitFor();
  await visit.settled();
  const answers = await page.evaluate(async () => {
    const mine = await fetch('/org/globex/api/users/').then((answer) => answer.json());
    const theirs = await fetch('/org/acme/api/users/').then((answer) => answer.json());
    return { mine: mine.count, theirs: theirs.results.length };
  });
  // Each address gets the session of its own organization only.
  expect(answers.mine).toBe(1);
  expect(answers.theirs).toBeGreaterThan(1);

  // Both are signed in, and signing out of one leaves the other.
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in to Globex Inc.').waitFor();
  expect(page.url()).toContain('/org/globex/sign-in');
  await visit.goto('/people?q=marta');
  await page.getByRole('link', { name: 'Marta Silva' }).waitFor();
  // The first organization has an address of its own, too.
  await visit.goto('/org/acme/people?q=marta');
  await page.getByRole('link', { name: 'Marta Silva' }).waitFor();
});

test('returns JSON for unknown addresses of the API, also to browsers', async () => {
  const html = { headers: { accept: 'text/html' } };
  for (const [path, status, type] of [
    ['/org/globex/', 200, 'text/html'],
    ['/org/globex/people/0199a000-0000-7000-8000-000000000001', 200, 'text/html'],
    ['/org/nobody/', 404, 'application/json'],
    ['/org/globex/api/nothing/', 401, 'application/json'],
    ['/org/globex/auth/nothing/', 401, 'application/json'],
    ['/org/%22%3E%3Cscript%3E/', 404, 'application/json'],
  ] as const) {
    const answer = await fetch(`${gatehouse.url}${path}`, html);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers.get('content-type')).toContain(type);
  }
  const plain = await fetch(`${gatehouse.url}/org/globex/people`);
  expect(plain.status).toBe(401);
});
