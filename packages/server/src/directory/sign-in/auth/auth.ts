import { passkey } from '@better-auth/passkey';
import { sso } from '@better-auth/sso';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { LRUCache } from 'lru-cache';
import type { Db } from '#kit/database.ts';
import { problemOfVerification } from '../protocols/oidc-id-token.ts';
import { allowedOrigins } from '../protocols/provider-config.ts';
import { CLOCK_SKEW_MS } from '../protocols/saml-assertion.ts';
import { noteProblem } from '../protocols/sso-expectation.ts';
import { resolveProviderUser } from '../protocols/sso-person.ts';
import type { Organization } from '../visit/organization.ts';
import { CLIENT_IP } from '../visit/visit.ts';
import { MAX_PASSWORD_LENGTH } from './password-policy.ts';
import { organizationAdapter } from './queries/models.ts';
import { MAX_AGE_SECONDS } from './session-token.ts';

const REMEMBERED_AUTHS = 20;
/** A provider's tokens for its own API. Gatehouse does not use them, and does not store them. */
const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null };

export type Auth = ReturnType<typeof openAuth>;

/**
 * Opens better-auth for one organization at one origin. It verifies passwords, passkeys, codes and providers, and writes
 * its own tables. The routes decide who may call what, and record the events.
 */
export function openAuth(db: Db, organization: Organization, origin: string) {
  const isSecure = origin.startsWith('https:');
  return betterAuth({
    appName: `Gatehouse ${organization.slug}`,
    baseURL: origin,
    basePath: `/org/${organization.slug}/auth`,
    secret: organization.sign_in_secret,
    // The providers it may contact and redirect to. cross-site.ts decides who may call us.
    trustedOrigins: allowedOrigins(origin),
    database: organizationAdapter(db, organization),
    telemetry: { enabled: false },
    // Only its errors tell why an id token could not be verified. They stay out of the log: they may quote a token.
    logger: { level: 'error', log: (_level, message) => noteProblem(problemOfVerification(message)) },
    rateLimit: { enabled: false },
    emailAndPassword: { enabled: true, disableSignUp: true, maxPasswordLength: MAX_PASSWORD_LENGTH },
    // For sso-person.ts.
    user: { additionalFields: { role: { type: 'string', input: false } } },
    // Routes with a step-up decide how recent a sign-in must be.
    session: { expiresIn: MAX_AGE_SECONDS, disableSessionRefresh: true, freshAge: 0 },
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
        // As browsers write it: without a default port.
        origin: new URL(origin).origin,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: async ({ verification: { registrationInfo } }) =>
            requireUserVerification(registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: async ({ verification: { authenticationInfo } }) =>
            requireUserVerification(authenticationInfo.userVerified),
        },
      }),
      // Providers sign in existing people only. They create nobody.
      sso({
        disableImplicitSignUp: true,
        resolveUser: resolveProviderUser,
        saml: { requireTimestamps: true, clockSkew: CLOCK_SKEW_MS, algorithms: { onDeprecated: 'reject' } },
      }),
    ],
  });
}

/** Possession of the device is not enough: it must verify its user by finger, face or PIN. */
function requireUserVerification(isVerified: boolean | undefined) {
  if (isVerified !== true)
    throw new APIError('UNAUTHORIZED', { message: 'The device did not verify the person.' });
}

/** Keeps one better-auth per organization and origin, since opening one is expensive. */
export function openAuthCache(db: Db) {
  const auths = new LRUCache<string, Auth>({ max: REMEMBERED_AUTHS });
  return (organization: Organization, origin: string): Auth => {
    const name = `${organization.id} ${origin}`;
    const auth = auths.get(name) ?? openAuth(db, organization, origin);
    auths.set(name, auth);
    return auth;
  };
}
