import type { Http } from '../../../../kit/http/server.ts';
import { changePasswordRoute } from './change-password.ts';
import { completeSamlRoute } from './complete-saml.ts';
import { confirmIdentityRoute } from './confirm-identity.ts';
import { getSignInOptionsRoute } from './get-sign-in-options.ts';
import { beginPasskeySignInRoute, signInWithPasskeyRoute } from './passkey-sign-in.ts';
import {
  addPasskeyRoute,
  beginAddingPasskeyRoute,
  listPasskeysOfRoute,
  listPasskeysRoute,
  removePasskeyOfRoute,
  removePasskeyRoute,
} from './passkeys.ts';
import { providerLinkRoutes } from './provider-links.ts';
import { endSessionRoute, listSessionsRoute } from './sessions.ts';
import { setPasswordWithLinkRoute } from './set-password-with-link.ts';
import { createPasswordLinkRoute, emailPasswordLinkRoute } from './sign-in-link.ts';
import {
  changeProviderRoute,
  createProviderRoute,
  getProviderRoute,
  listProvidersRoute,
  removeProviderRoute,
} from './sign-in-providers.ts';
import { signInWithPasswordRoute } from './sign-in-with-password.ts';
import { signInWithSecondFactorRoute } from './sign-in-with-second-factor.ts';
import { signOutRoute } from './sign-out.ts';
import { beginSsoRoute, completeOidcRoute, continueSsoRoute, getSamlMetadataRoute } from './sso.ts';
import { startSsoRoute, startSsoWithFormRoute } from './start-sso.ts';
import { createSignInTools, type SignInOptions, type SignInTools } from './tools.ts';
import { confirmSecondFactorRoute, removeSecondFactorRoute, setUpSecondFactorRoute } from './totp.ts';
import { endSessionsOfRoute, removeSecondFactorOfRoute } from './users.ts';
import { waitingRoutes } from './waiting.ts';

/** Sign-in with passwords, second factors, passkeys and providers. */
export async function signInRoutes(http: Http, options: SignInOptions) {
  const tools = createSignInTools(options);
  passwordRoutes(http, tools);
  secondFactorRoutes(http, tools);
  passkeyRoutes(http, tools);
  providerRoutes(http, tools);
  await ssoRoutes(http, tools);
}

function passwordRoutes(http: Http, tools: SignInTools) {
  getSignInOptionsRoute(http, tools);
  signInWithPasswordRoute(http, tools);
  signOutRoute(http, tools);
  listSessionsRoute(http, tools);
  endSessionRoute(http, tools);
  confirmIdentityRoute(http, tools);
  changePasswordRoute(http, tools);
  setPasswordWithLinkRoute(http, tools);
  emailPasswordLinkRoute(http, tools);
  createPasswordLinkRoute(http, tools);
}

function secondFactorRoutes(http: Http, tools: SignInTools) {
  signInWithSecondFactorRoute(http, tools);
  setUpSecondFactorRoute(http, tools);
  confirmSecondFactorRoute(http, tools);
  removeSecondFactorRoute(http, tools);
  removeSecondFactorOfRoute(http, tools);
  endSessionsOfRoute(http, tools);
}

function passkeyRoutes(http: Http, tools: SignInTools) {
  beginPasskeySignInRoute(http, tools);
  signInWithPasskeyRoute(http, tools);
  listPasskeysRoute(http, tools);
  beginAddingPasskeyRoute(http, tools);
  addPasskeyRoute(http, tools);
  removePasskeyRoute(http, tools);
  listPasskeysOfRoute(http, tools);
  removePasskeyOfRoute(http, tools);
}

function providerRoutes(http: Http, tools: SignInTools) {
  listProvidersRoute(http, tools);
  createProviderRoute(http, tools);
  getProviderRoute(http, tools);
  changeProviderRoute(http, tools);
  removeProviderRoute(http, tools);
  providerLinkRoutes(http, tools);
}

async function ssoRoutes(http: Http, tools: SignInTools) {
  beginSsoRoute(http, tools);
  startSsoRoute(http, tools);
  await startSsoWithFormRoute(http, tools);
  completeOidcRoute(http, tools);
  continueSsoRoute(http, tools);
  waitingRoutes(http, tools);
  getSamlMetadataRoute(http, tools);
  await completeSamlRoute(http, tools);
}
