import { addRoutes } from '../../../../kit/http/route.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { addFormRoutes } from './forms.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordRoutes } from './passwords.ts';
import { providerLinkRoutes } from './provider-links.ts';
import { providerRoutes } from './providers.ts';
import { secondFactorRoutes } from './second-factors.ts';
import { sessionRoutes } from './sessions.ts';
import { signInAndOutRoutes } from './sign-in-and-out.ts';
import { completeSaml, ssoRoutes } from './sso.ts';
import { startSso, startSsoWithForm } from './start-sso.ts';
import { createSignInTools, type SignInOptions } from './tools.ts';
import { waitingRoutes } from './waiting.ts';

/** The size of the form of a start from elsewhere. */
const LARGEST_START_BYTES = 16 * 1024;
/** A response of 64 KB in base64, with escaped characters. A usual one has about 10 KB. */
const LARGEST_RESPONSE_BYTES = 128 * 1024;

/** Sign-in with passwords, second factors, passkeys and providers. */
export async function signInRoutes(http: Http, options: SignInOptions) {
  const tools = createSignInTools(options);
  addRoutes(http, tools, [
    ...signInAndOutRoutes(tools),
    ...sessionRoutes(tools),
    ...passwordRoutes(tools),
    ...secondFactorRoutes(tools),
    ...passkeyRoutes(tools),
    ...providerRoutes(tools),
    ...providerLinkRoutes(tools),
    ...ssoRoutes(tools),
    startSso(tools),
    ...waitingRoutes(tools),
  ]);
  await addFormRoutes(http, tools, LARGEST_START_BYTES, [startSsoWithForm(tools)]);
  await addFormRoutes(http, tools, LARGEST_RESPONSE_BYTES, [completeSaml(tools)]);
}
