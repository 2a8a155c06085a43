// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { openOidcProvider } from '../../server/test/oidc.ts';
import { openSamlProvider } from '../../server/test/saml.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { told } from './story.ts';
import type { Visit } from './visit.ts';

let gatehouse: ConsoleTest<Company>;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  return gatehouse.close;
});

const PAGE = '/settings/identity-provider';
const select = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();
const region = ({ page }: Visit, name: string) => page.getByRole('region', { name, exact: true });

/** Waits until a field of the product's form is shown with its value and a button that copies it. */
async function shown(part: ReturnType<typeof region>, field: string, value: string) {
  await part
    .getByRole('button', { name: `Copy ${field}`, exact: true })
    .first()
    .waitFor();
  await part.getByText(value, { exact: true }).first().waitFor();
}

test('shows the values to enter in Okta, and adds it from what it shows in return', async () => {
  const provider = await openOidcProvider([`${gatehouse.base}/auth/sso/callback/okta-emea`]);
  const visit = await gatehouse.visit('owner', { own: true });
  visit.expectRefusals([400]);
  await visit.goto(PAGE);
  await select(visit, 'Okta');

  const signIn = region(visit, 'Set up sign-in');
  await shown(signIn, 'Sign-in redirect URIs', `${gatehouse.base}/auth/sso/callback/okta`);
  await shown(signIn, 'Initiate login URI', `${gatehouse.base}/auth/start/?provider=okta`);
  await signIn.getByRole('textbox', { name: /^ID/ }).fill('okta-emea');
  await shown(signIn, 'Sign-in redirect URIs', `${gatehouse.base}/auth/sso/callback/okta-emea`);

  await signIn.getByLabel('Issuer').fill('http://127.0.0.1:9/nobody');
  await signIn.getByLabel('Client ID').fill(provider.clientId);
  await signIn.getByRole('textbox', { name: 'Client secret' }).fill(provider.clientSecret);
  await select(visit, 'Add provider');
  await signIn.getByText(/^The provider's configuration could not be read/).waitFor();
  await signIn.getByLabel('Issuer').fill(provider.issuer);
  await select(visit, 'Add provider');
  await told(visit.page, 'Okta was saved');
  await visit.page
    .getByRole('dialog', { name: 'Okta' })
    .getByRole('button', { name: 'Test sign-in' })
    .waitFor();
  await provider.close();
});

test('names the fields of Entra ID and of Google for SAML', async () => {
  const visit = await gatehouse.visit('owner', { own: true });
  await visit.goto(`${PAGE}?product=entra&protocol=saml`);
  const signIn = region(visit, 'Set up sign-in');
  await shown(
    signIn,
    'Reply URL (Assertion Consumer Service URL)',
    `${gatehouse.base}/auth/sso/saml2/sp/acs/entra`,
  );
  await shown(signIn, 'Identifier (Entity ID)', `${gatehouse.base}/auth/sso/saml/entra/metadata/`);
  await expect.poll(() => signIn.getByLabel('Email attribute').inputValue()).toMatch(/claims\/emailaddress$/);

  await select(visit, 'Google Workspace');
  await shown(signIn, 'ACS URL', `${gatehouse.base}/auth/sso/saml2/sp/acs/google`);
  await signIn.getByLabel('Provider metadata').fill(openSamlProvider().metadata);
  await select(visit, 'Add provider');
  const dialog = visit.page.getByRole('dialog', { name: 'Google Workspace' });
  await dialog.getByText(`${gatehouse.base}/auth/sso/saml2/sp/acs/google`).waitFor();
});

test('makes the key of a SCIM client once, and shows its first request', async () => {
  const visit = await gatehouse.visit('owner', { own: true });
  await visit.goto(`${PAGE}?product=entra`);
  const setup = region(visit, 'Set up people and groups (SCIM)');
  await shown(setup, 'Tenant URL', `${gatehouse.base}/scim/v2`);
  await shown(setup, 'objectId', 'externalId');
  await setup.getByRole('button', { name: 'Create key' }).click();
  const key = await setup.getByRole('region', { name: 'API key' }).innerText();
  await setup.getByText('No request yet').waitFor();
  const client = region(visit, 'Microsoft Entra ID');
  await client.getByText('Active', { exact: true }).waitFor();

  const { status } = await fetch(`${gatehouse.base}/scim/v2/Users?count=0`, {
    headers: { authorization: `Bearer ${key.trim()}` },
  });
  expect(status).toBe(200);
  await expect.poll(() => setup.getByText('No request yet').count(), { timeout: 30_000 }).toBe(0);

  await visit.page.reload();
  await setup.getByRole('button', { name: 'Create key' }).waitFor();
  await expect.poll(() => visit.page.getByText(key.trim()).count()).toBe(0);
});

test('says that Google and Keycloak send nobody over SCIM', async () => {
  const visit = await gatehouse.visit('admin');
  await visit.goto(PAGE);
  const setup = region(visit, 'Set up people and groups (SCIM)');
  await select(visit, 'Google Workspace');
  await setup.getByText(/sends people only to the applications of its own catalog/).waitFor();
  await select(visit, 'Keycloak');
  await setup.getByText(/but sends nobody/).waitFor();
  await expect.poll(() => setup.getByRole('button').count()).toBe(0);
});

test('shows the state to auditors without the set-up', async () => {
  const visit = await gatehouse.visit('auditor');
  await visit.goto(`${PAGE}?product=okta`);
  await region(visit, 'Sign-in').waitFor();
  await region(visit, 'SCIM clients').waitFor();
  await expect.poll(() => region(visit, 'Set up').count()).toBe(0);
  await expect.poll(() => visit.page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
});

test('still opens the former addresses of the page', async () => {
  const visit = await gatehouse.visit('owner');
  for (const [former, search] of [
    ['/settings/sign-in', ''],
    ['/settings/sign-in?new=saml', '?product=other&protocol=saml'],
    ['/settings/scim-clients', ''],
  ] as const) {
    await visit.goto(former);
    await visit.page.getByRole('heading', { level: 1, name: 'Identity provider' }).waitFor();
    expect(new URL(visit.page.url()).search, former).toBe(search);
  }
});
