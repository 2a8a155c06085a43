import { addRoutes, type Http } from '#kit/http.ts';
import { addFormRoutes } from './auth/routes/forms.ts';
import { createSignInTools, type SignInOptions } from './auth/routes/tools.ts';
import { passkeyRoutes } from './credentials/routes/passkeys.ts';
import { passwordRoutes } from './credentials/routes/passwords.ts';
import { secondFactorRoutes } from './credentials/routes/second-factors.ts';
import { signInAndOutRoutes } from './credentials/routes/sign-in-and-out.ts';
import { sessionRoutes } from './sessions/routes/sessions.ts';
import { waitingRoutes } from './sessions/routes/waiting.ts';
import { providerLinkRoutes } from './sso/routes/provider-links.ts';
import { providerRoutes } from './sso/routes/providers.ts';
import { completeSaml, ssoRoutes } from './sso/routes/sso.ts';
import { startSso, startSsoWithForm } from './sso/routes/start-sso.ts';

/** The size of the form of a start from elsewhere. */
const LARGEST_START_BYTES = 16 * 1024;
/** A response of 64 KB in base64, with escaped characters. A usual one has about 10 KB. */
const LARGEST_RESPONSE_BYTES = 128 * 1024;

/** Sign-in with passwords, second factors, passkeys and providers. */
export async function signInRoutes(http: Http, options: SignInOptions) {
  const tools = createSignInTools(options);
  addRoutes(http, tools, [
    ...signInAndOutRoutes(tools),
    ...sessionRoutes,
    ...passwordRoutes(tools),
    ...secondFactorRoutes(tools),
    ...passkeyRoutes(tools),
    ...providerRoutes(tools),
    ...providerLinkRoutes,
    ...ssoRoutes(tools),
    startSso(tools),
    ...waitingRoutes(tools),
  ]);
  await addFormRoutes(http, tools, LARGEST_START_BYTES, [startSsoWithForm(tools)]);
  await addFormRoutes(http, tools, LARGEST_RESPONSE_BYTES, [completeSaml(tools)]);
}
