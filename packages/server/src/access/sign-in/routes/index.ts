import type { Http } from '../../../platform/http/server.ts';
import { addPasskeyRoute } from './add-passkey.ts';
import { beginAddingPasskeyRoute } from './begin-adding-passkey.ts';
import { beginPasskeySignInRoute } from './begin-passkey-sign-in.ts';
import { beginSsoRoute } from './begin-sso.ts';
import { changePasswordRoute } from './change-password.ts';
import { changeProviderRoute } from './change-provider.ts';
import { completeOidcRoute } from './complete-oidc.ts';
import { completeSamlRoute } from './complete-saml.ts';
import { confirmIdentityRoute } from './confirm-identity.ts';
import { confirmSecondFactorRoute } from './confirm-second-factor.ts';
import { createPasswordLinkRoute } from './create-password-link.ts';
import { createProviderRoute } from './create-provider.ts';
import { emailPasswordLinkRoute } from './email-password-link.ts';
import { endSessionRoute } from './end-session.ts';
import { endSessionsOfRoute } from './end-sessions-of.ts';
import { getProviderRoute } from './get-provider.ts';
import { getSamlMetadataRoute } from './get-saml-metadata.ts';
import { getSignInOptionsRoute } from './get-sign-in-options.ts';
import { listPasskeysRoute } from './list-passkeys.ts';
import { listPasskeysOfRoute } from './list-passkeys-of.ts';
import { listProvidersRoute } from './list-providers.ts';
import { listSessionsRoute } from './list-sessions.ts';
import { removePasskeyRoute } from './remove-passkey.ts';
import { removePasskeyOfRoute } from './remove-passkey-of.ts';
import { removeProviderRoute } from './remove-provider.ts';
import { removeSecondFactorRoute } from './remove-second-factor.ts';
import { removeSecondFactorOfRoute } from './remove-second-factor-of.ts';
import { setPasswordWithLinkRoute } from './set-password-with-link.ts';
import { setUpSecondFactorRoute } from './set-up-second-factor.ts';
import { signInWithPasskeyRoute } from './sign-in-with-passkey.ts';
import { signInWithPasswordRoute } from './sign-in-with-password.ts';
import { signInWithSecondFactorRoute } from './sign-in-with-second-factor.ts';
import { signOutRoute } from './sign-out.ts';
import { createSignInTools, type SignInOptions, type SignInTools } from './tools.ts';

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
}

async function ssoRoutes(http: Http, tools: SignInTools) {
  beginSsoRoute(http, tools);
  completeOidcRoute(http, tools);
  getSamlMetadataRoute(http, tools);
  await completeSamlRoute(http, tools);
}
