import { passkey } from '@better-auth/passkey';
import { sso } from '@better-auth/sso';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins';
import type { Db } from '../../platform/database/open.ts';
import { organizationAdapter } from './adapter.ts';
import { allowedOrigins } from './provider-config.ts';
import type { Organization } from './queries.ts';
import { personOfProvider } from './sso-person.ts';

/** Our own header for the caller's address: what Fastify says it is (D11), whatever the caller claims. */
export const CLIENT_IP = 'x-gatehouse-client-ip';
export const MAX_AGE_SECONDS = 7 * 24 * 3600;
const REMEMBERED = 20;
/** What a provider hands out for its own API. We ask it nothing there, and what is not kept is not stolen. */
const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null };

export type Auth = ReturnType<typeof openAuth>;

/**
 * better-auth for one organization at one origin. It checks passwords, passkeys, codes and providers, and writes
 * its own tables; what may be called, by whom, and what is recorded of it, is said in the routes beside.
 */
export function openAuth(db: Db, organization: Organization, origin: string) {
  const isSecure = origin.startsWith('https:');
  return betterAuth({
    appName: `Gatehouse ${organization.slug}`,
    baseURL: origin,
    basePath: `/org/${organization.slug}/auth`,
    secret: organization.sign_in_secret,
    // Whom it may ask, and send people to. Who may call us is said in exchange.ts: better-auth is told our own origin.
    trustedOrigins: allowedOrigins(origin),
    database: organizationAdapter(db, organization),
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: { enabled: true, disableSignUp: true, maxPasswordLength: 128 },
    session: { expiresIn: MAX_AGE_SECONDS, disableSessionRefresh: true },
    account: { accountLinking: { enabled: true }, updateAccountOnSignIn: false },
    databaseHooks: {
      account: { create: { before: async (account) => ({ data: { ...account, ...NO_TOKENS } }) } },
    },
    advanced: {
      cookiePrefix: 'gatehouse',
      useSecureCookies: isSecure,
      defaultCookieAttributes: { path: `/org/${organization.slug}`, httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [CLIENT_IP] },
      database: { generateId: false },
    },
    plugins: [
      twoFactor({ issuer: `Gatehouse ${organization.slug}` }),
      passkey({
        rpID: new URL(origin).hostname,
        rpName: 'Gatehouse',
        // As browsers write it: without a port that the scheme implies.
        origin: new URL(origin).origin,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: async ({ verification: { registrationInfo } }) =>
            requireUser(registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: async ({ verification: { authenticationInfo } }) =>
            requireUser(authenticationInfo.userVerified),
        },
      }),
      // Only those who are the organization's people sign in; a provider makes nobody.
      sso({
        disableImplicitSignUp: true,
        resolveUser: personOfProvider,
        saml: { requireTimestamps: true, algorithms: { onDeprecated: 'reject' } },
      }),
    ],
  });
}

/** Having the device is not enough: it must have asked who holds it. */
function requireUser(isVerified: boolean | undefined) {
  if (isVerified !== true)
    throw new APIError('UNAUTHORIZED', { message: 'The device did not ask who you are.' });
}

/** The few that a deployment needs: one for each organization and origin under which it is called. */
export function rememberAuths(db: Db) {
  const known = new Map<string, Auth>();
  return (organization: Organization, origin: string): Auth => {
    const name = `${organization.id} ${origin}`;
    const auth = known.get(name) ?? openAuth(db, organization, origin);
    known.delete(name);
    known.set(name, auth);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value as string);
    return auth;
  };
}
