// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { type HostileOidcProvider, openHostileOidcProvider } from '../../server/test/hostile-oidc.ts';
import { type ConsoleTest, openCompanyConsole } from './harness.ts';
import type { Company } from './seed.ts';
import { heading } from './story.ts';
import type { Visit } from './visit.ts';

let gatehouse: ConsoleTest<Company>;
let provider: HostileOidcProvider;
beforeAll(async () => {
  gatehouse = await openCompanyConsole();
  provider = await openHostileOidcProvider('gatehouse');
  const first = await gatehouse.apiAs('owner');
  await first.post('/api/sign-in-providers/', {
    id: 'okta',
    name: 'Okta',
    approved_for_owners: true,
    oidc: { issuer: provider.issuer, client_id: 'gatehouse', client_secret: 'secret' },
  });
  return async () => {
    await provider.close();
    await gatehouse.close();
  };
}, 120_000);

const MARTA = 'marta.silva@acme.example';
const INES = 'ines.duarte@acme.example';

/** Opens a window in which the provider sends the browser back with what `respond` returns for a request. */
async function visitWith(respond: () => Record<string, string | undefined>, as: 'owner' | null = null) {
  const visit = await gatehouse.visit(as, { own: true, origins: [provider.issuer] });
  visit.expectRefusals([401, 403, 404]);
  await visit.context.route(
    ({ origin }) => origin === provider.issuer,
    async (route) => {
      const { searchParams } = new URL(route.request().url());
      const { email, ...query } = respond();
      const about = { iss: provider.issuer, aud: 'gatehouse', sub: email, email, email_verified: true };
      provider.claims = { ...about, nonce: searchParams.get('nonce') };
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      for (const [name, value] of Object.entries({ code: 'code', ...query }))
        if (value !== undefined) back.searchParams.set(name, value);
      await route.fulfill({ status: 303, headers: { location: back.href } });
    },
  );
  return visit;
}

const signIn = async ({ page, goto }: Visit, path = '/sign-in') => {
  await goto(path);
  await page.getByRole('button', { name: 'Sign in with Okta' }).click();
};

test('asks before a sign-in replaces the session of somebody else', async () => {
  let email = MARTA;
  const visit = await visitWith(() => ({ email }));
  const { page } = visit;
  await signIn(visit);
  await heading(page, 'Work').waitFor();

  email = INES;
  await signIn(visit, '/sign-in?return=%2Fsettings%2Fprofile');
  await heading(page, 'Continue as Ines Duarte?').waitFor();
  await page.getByText(`You are signed in as Marta Silva (${MARTA}).`).waitFor();
  await page.getByRole('button', { name: 'Stay signed in as Marta Silva' }).click();
  await heading(page, 'My profile').waitFor();
  await page.getByText(MARTA).first().waitFor();

  await signIn(visit, '/sign-in?return=%2Fsettings%2Fprofile');
  await page.getByRole('button', { name: 'Continue as Ines Duarte' }).click();
  await heading(page, 'My profile').waitFor();
  await page.getByText(INES).first().waitFor();
  await visit.goto('/switch');
  await heading(page, 'Nothing to continue').waitFor();
});

test('says so and offers to try again if the server cannot tell what waits', async () => {
  const visit = await visitWith(() => ({ email: MARTA }));
  visit.expectRefusals([500]);
  const { page } = visit;
  const body = JSON.stringify({ detail: 'An unexpected error occurred.' });
  await page.route('**/auth/waiting/', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body }),
  );
  await visit.goto('/switch');
  await page.getByRole('alert').getByText('An unexpected error occurred.').waitFor();

  await page.unroute('**/auth/waiting/');
  await page.getByRole('button', { name: 'Retry' }).click();
  await heading(page, 'Nothing to continue').waitFor();
});

test('shows what the provider reports as text, and only where it was reported', async () => {
  const words = 'Not <b>assigned</b>. Ask your administrator.';
  const visit = await visitWith(() => ({
    code: undefined,
    error: 'access_denied',
    error_description: words,
  }));
  const { page } = visit;
  await signIn(visit);

  await page.getByRole('alert').getByText('The provider rejected the sign-in.').waitFor();
  await page.getByText('Okta reports access_denied, in its own words:').waitFor();
  await page.getByText(words).waitFor();
  await visit.goto('/sign-in?error=provider_error');
  await page.getByText('The provider reports an error.').waitFor();
  await expect.poll(() => page.getByText(words).count()).toBe(0);
});

test('goes on to the provider from the tile of a portal, and not in a circle', async () => {
  const visit = await visitWith(() => ({ email: MARTA }));
  const { page } = visit;

  await page.goto(`${gatehouse.base}/auth/sso/callback/okta?code=unsolicited`);
  await heading(page, 'Work').waitFor();

  await page.goto(`${gatehouse.base}/auth/sso/callback/okta?code=unsolicited`);
  await page.getByText('Okta again sent a response that Gatehouse did not request.').waitFor();
  await page.getByRole('button', { name: 'Continue with Okta' }).click();
  await heading(page, 'Work').waitFor();
});

test('says at the set-up that the provider does not say when people signed in', async () => {
  const visit = await visitWith(() => ({ email: INES }), 'owner');
  const { page } = visit;
  await visit.goto('/settings/identity-provider?provider=okta');

  await page.getByText(`${gatehouse.base}/auth/start/?provider=okta`).waitFor();
  await page.getByRole('button', { name: 'Test sign-in' }).click();

  await page
    .getByRole('button', { name: 'Continue as Ines Duarte' })
    .or(page.getByText('does not say when'))
    .first()
    .waitFor();
});
