// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type OidcProvider, openOidcProvider } from '../../server/test/oidc.ts';
import { signedInEarlier } from './earlier.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { heading } from './story.ts';

let gatehouse: ConsoleTest<Company>;
let oidc: OidcProvider;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  oidc = await openProvider();
  return async () => {
    await oidc.close();
    await gatehouse.close();
  };
}, 120_000);

const OWNER = 'ines.duarte@acme.example';

/** Connects a provider through which an owner signs in who has neither a password nor a passkey. */
async function openProvider() {
  const provider = await openOidcProvider([`${gatehouse.base}/auth/sso/callback/keycloak`]);
  const first = await gatehouse.apiAs('owner');
  for (const id of ['keycloak', 'spare']) {
    await first.post('/api/sign-in-providers/', {
      id,
      name: id,
      approved_for_owners: true,
      oidc: {
        issuer: provider.issuer,
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
      },
    });
  }
  await first.patch(`/api/users/${gatehouse.seeded.people[OWNER]}/`, { role: 'owner' });
  return provider;
}

test('lets an owner without a password or passkey prove at their provider who they are', async () => {
  const visit = await gatehouse.visit(null, { origins: [oidc.issuer] });
  visit.expectRefusals([401, 403]);
  const { page } = visit;
  const prompts: (string | null)[] = [];
  // The provider's own pages load fonts of other hosts, so the person signs in outside of this window.
  await visit.context.route(
    ({ origin }) => origin === oidc.issuer,
    async (route) => {
      const address = route.request().url();
      prompts.push(new URL(address).searchParams.get('prompt'));
      await route.fulfill({
        status: 303,
        headers: { location: (await oidc.visit(address, OWNER)).href },
      });
    },
  );
  await visit.goto('/sign-in?return=%2Fsettings%2Fprofile');
  await page.getByRole('button', { name: 'Sign in with keycloak' }).click();
  await heading(page, 'My profile').waitFor();
  await page.goto('about:blank');
  await gatehouse.changeData(signedInEarlier(gatehouse.slug));

  await visit.goto('/settings/identity-provider?provider=spare');
  const remove = async () => {
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Remove provider' }).click();
    await page.getByLabel('Type spare to confirm').fill('spare');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
  };
  await remove();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByText('You then return to this page and can make the change.').waitFor();
  await expect.poll(() => proof.getByLabel('Your password').count()).toBe(0);
  await expect.poll(() => proof.getByRole('button', { name: 'Confirm with a passkey' }).count()).toBe(0);
  await proof.getByRole('button', { name: 'Sign in again' }).click();

  // The page starts again, on the first tab.
  await page.getByRole('tab', { name: 'Provider setup', selected: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?provider=spare');
  expect(prompts).toEqual([null, 'login']);
  await remove();
  await page.getByText('spare was removed').waitFor();
  await expect.poll(() => proof.count()).toBe(0);
}, 120_000);

test('refuses a second account of the provider until the first is unlinked, which its person sees', async () => {
  const email = 'marta.silva@acme.example';
  const id = gatehouse.seeded.people[email];
  await gatehouse.changeData(
    `insert into sign_in_account (org_id, user_id, provider_id, account_id) select org_id, id, 'keycloak', 'first' from platform_user where id = '${id}'`,
  );
  oidc.people.set('namesake', { email, email_verified: true });
  const stranger = await gatehouse.visit(null, { origins: [oidc.issuer] });
  stranger.expectRefusals([401, 403]);
  await stranger.context.route(
    ({ origin }) => origin === oidc.issuer,
    async (route) => {
      const { href } = await oidc.visit(route.request().url(), 'namesake');
      await route.fulfill({ status: 303, headers: { location: href } });
    },
  );
  await stranger.goto('/sign-in');
  await stranger.page.getByRole('button', { name: 'Sign in with keycloak' }).click();
  await stranger.page.getByText('signs in with another account of this provider').waitFor();

  const { page, goto } = await gatehouse.visit('owner');
  await goto(`/people/${id}`);
  await page.getByRole('button', { name: 'Unlink keycloak' }).click();
  await page.getByText('make sure that it is theirs').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('The account at keycloak was unlinked').waitFor();

  await stranger.page.getByRole('button', { name: 'Sign in with keycloak' }).click();
  await heading(stranger.page, 'Work').waitFor();
  await stranger.goto('/settings/profile');
  await stranger.page.getByRole('cell', { name: 'namesake' }).waitFor();
});
