import type { OrgDb } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import type { SignInContext } from '../auth/context.ts';
import type { ProviderRow } from '../protocols/queries/providers.ts';
import { SsoRefusal } from '../protocols/sso-failure.ts';
import type { Visit } from '../visit/visit.ts';
import { requireProvider } from './providers.ts';
import type { StartCookie } from './sso-starts.ts';

export interface SsoResult {
  /** The path to which the browser goes next. */
  location: string;
  cookies: string[];
}

/** A response of a provider, and the start to which it may belong. */
export interface Flow {
  method: 'oidc' | 'saml';
  provider: string;
  state: string;
  cookie: StartCookie | undefined;
  /** Whether the response has taken its start. */
  hasTaken?: boolean;
}

/** Returns the provider. A sign-in through one that was removed in the meantime is refused like any other. */
export async function providerRow(db: OrgDb, id: string): Promise<ProviderRow> {
  try {
    return await requireProvider(db, id);
  } catch (error) {
    throw error instanceof DomainError ? new SsoRefusal('provider') : error;
  }
}

export const homeOf = ({ consolePath }: SignInContext, { organization }: Visit) =>
  consolePath(organization.slug);
export const authPathOf = ({ organization }: Visit) => `/org/${organization.slug}/auth`;
