import type { SSOUserResolution, SSOUserResolutionContext, SSOUserResolutionInput } from '@better-auth/sso';
import { foldedEmail, mayHaveEmail, type Role } from '#kit/identity.ts';
import { authTimeOf, idTokenProblem } from './oidc-id-token.ts';
import type { ProviderRow } from './queries/providers.ts';
import { currentExpectation, noteProblem } from './sso-expectation.ts';

const reject = (code: string, email: string): SSOUserResolution => ({
  action: 'reject',
  code,
  message: email,
});
const UNVERIFIABLE: SSOUserResolution = { action: 'reject', code: 'unverifiable_response' };

/**
 * Finds the person whom a provider has authenticated: the linked one, or else the active person with the provider's
 * email address, who is then linked to the provider's account. A person who is linked to another account of the provider is
 * somebody else (D63): an address can pass to a new person, who must not sign in as the former one. A SAML account is often named by an email address, which
 * the provider may give to someone else. Its link counts only while the linked person has the asserted address. Only people of the organization are visible here. A
 * provider creates nobody, and signs in owners only if an owner approved it for them.
 */
export async function resolveProviderUser(
  input: SSOUserResolutionInput,
  { database }: SSOUserResolutionContext,
): Promise<SSOUserResolution> {
  const { providerId, accountKey, providerUser } = input;
  const email = providerUser.email.toLowerCase();
  const { provider } = currentExpectation();
  const refusal = refusalOf(input, email, provider);
  if (refusal !== undefined) return refusal;

  const linked = await database.findOne<{ userId: string }>({
    model: 'account',
    where: [
      { field: 'providerId', value: providerId },
      { field: 'accountId', value: accountKey.accountId },
    ],
  });
  const person = await database.findOne<{ id: string; email: string; role: Role }>({
    model: 'user',
    where: [linked === null ? { field: 'email', value: email } : { field: 'id', value: linked.userId }],
  });
  if (person === null || !mayHaveEmail(emailAsSent(input), person.email))
    return reject('unknown_person', email);
  if (input.protocol === 'saml' && foldedEmail(person.email) !== foldedEmail(email))
    return reject('unknown_person', email);
  if (person.role === 'owner' && provider.approved_for_owners_at === null)
    return reject('not_approved_for_owners', email);
  if (linked === null) {
    const ofPerson = [
      { field: 'providerId', value: providerId },
      { field: 'userId', value: person.id },
    ];
    if ((await database.findOne({ model: 'account', where: ofPerson })) !== null)
      return reject('linked_to_another', email);
  }
  return { action: 'link', userId: person.id, profile: 'preserve' };
}

/** Returns the email before better-auth changes its case. */
function emailAsSent(input: SSOUserResolutionInput): string {
  const expected = currentExpectation();
  return expected.protocol === 'saml' ? expected.assertion.email : input.providerUser.email;
}

function refusalOf(
  input: SSOUserResolutionInput,
  email: string,
  provider: ProviderRow,
): SSOUserResolution | undefined {
  const expected = currentExpectation();
  if (expected.protocol !== input.protocol || provider.provider_id !== input.providerId) return UNVERIFIABLE;
  if (expected.protocol === 'saml') {
    // better-auth reads the response with another parser. Both must have read the same person.
    const { nameId, email: asserted } = expected.assertion;
    if (input.accountKey.accountId.trim() !== nameId || email.trim() !== asserted.toLowerCase())
      return UNVERIFIABLE;
  }
  if (!isPlain(emailAsSent(input))) return reject('unknown_person', email);
  if (expected.protocol === 'oidc' && input.protocol === 'oidc') {
    const { providerClaims, verifiedIdTokenClaims } = input;
    const { issuer } = provider;
    const now = new Date();
    const problem = idTokenProblem(verifiedIdTokenClaims, { issuer, ...expected }, now);
    noteProblem(problem);
    if (problem !== undefined) return UNVERIFIABLE;
    expected.authenticatedAt = authTimeOf(verifiedIdTokenClaims, now);
    expected.tellsAuthTime = expected.authenticatedAt !== null;
    if (!isVerifiedEmail(email, [providerClaims, verifiedIdTokenClaims], provider.trusts_email))
      return reject('email_not_verified', email);
  }
  const domains = provider.domain.split(',').filter((domain) => domain !== '');
  if (domains.length > 0 && !domains.includes(email.split('@').at(-1) ?? ''))
    return reject('email_domain', email);
  return undefined;
}

/**
 * Whether an address has the form in which Gatehouse compares addresses, apart from the case of A to Z. Another address
 * can have the same form as a person's, such as one with a Kelvin sign instead of a k, and belong to someone else.
 */
const isPlain = (email: string) =>
  foldedEmail(email) === email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether the provider vouches for the email address. Some providers send the claim as text. */
function isVerifiedEmail(email: string, claims: Record<string, unknown>[], trustsEmail: boolean): boolean {
  const vouching = claims.map((given) => {
    const isAbout = typeof given.email === 'string' && given.email.toLowerCase() === email;
    const { email_verified: verified } = given;
    if (verified !== undefined && verified !== true && verified !== 'true') return 'denies';
    return isAbout && verified !== undefined ? 'vouches' : 'is silent';
  });
  return !vouching.includes('denies') && (vouching.includes('vouches') || trustsEmail);
}
