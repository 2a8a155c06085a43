import type { SSOUserResolution, SSOUserResolutionContext, SSOUserResolutionInput } from '@better-auth/sso';

const reject = (code: string, message: string): SSOUserResolution => ({ action: 'reject', code, message });

/**
 * Finds the person whom a provider has authenticated: the linked one, or else the active person with the provider's
 * email address, who is then linked to the provider's account. Only people of the organization are visible here. A
 * provider creates nobody.
 */
export async function resolveProviderUser(
  input: SSOUserResolutionInput,
  { database }: SSOUserResolutionContext,
): Promise<SSOUserResolution> {
  const { providerId, accountKey, providerUser } = input;
  const email = providerUser.email.toLowerCase();
  const claims = input.protocol === 'oidc' ? [input.providerClaims, input.verifiedIdTokenClaims] : [];
  const isUnverified = claims.some(
    ({ email_verified }) => email_verified === false || email_verified === 'false',
  );
  if (isUnverified) return reject('email_not_verified', email);

  const provider = await database.findOne<{ domain: string }>({
    model: 'ssoProvider',
    where: [{ field: 'providerId', value: providerId }],
  });
  const domains = (provider?.domain ?? '').split(',').filter((domain) => domain !== '');
  if (domains.length > 0 && !domains.includes(email.split('@').at(-1) ?? ''))
    return reject('email_domain', email);

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
    ? reject('unknown_person', email)
    : { action: 'link', userId: person.id, profile: 'preserve' };
}
