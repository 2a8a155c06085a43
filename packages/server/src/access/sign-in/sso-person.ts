import type { SSOUserResolution, SSOUserResolutionContext, SSOUserResolutionInput } from '@better-auth/sso';

const refuse = (code: string, message: string): SSOUserResolution => ({ action: 'reject', code, message });

/**
 * Whom a provider means. It names an email address; the person who has it, is active and belongs to the organization
 * (better-auth sees nobody else) signs in, and is linked to what the provider calls them from then on. Nobody is made.
 */
export async function personOfProvider(
  input: SSOUserResolutionInput,
  { database }: SSOUserResolutionContext,
): Promise<SSOUserResolution> {
  const { providerId, accountKey, providerUser } = input;
  const email = providerUser.email.toLowerCase();
  const claims = input.protocol === 'oidc' ? [input.providerClaims, input.verifiedIdTokenClaims] : [];
  const isDenied = claims.some(
    ({ email_verified }) => email_verified === false || email_verified === 'false',
  );
  if (isDenied) return refuse('email_not_verified', email);

  const provider = await database.findOne<{ domain: string }>({
    model: 'ssoProvider',
    where: [{ field: 'providerId', value: providerId }],
  });
  const domains = (provider?.domain ?? '').split(',').filter((domain) => domain !== '');
  if (domains.length > 0 && !domains.includes(email.split('@').at(-1) ?? ''))
    return refuse('email_domain', email);

  const linked = await database.findOne<{ userId: string }>({
    model: 'account',
    where: [
      { field: 'providerId', value: providerId },
      { field: 'accountId', value: accountKey.accountId },
    ],
  });
  const person = await database.findOne<{ id: string }>({
    model: 'user',
    where: [linked === null ? { field: 'email', value: email } : { field: 'id', value: linked.userId }],
  });
  return person === null
    ? refuse('unknown_person', email)
    : { action: 'link', userId: person.id, profile: 'preserve' };
}
