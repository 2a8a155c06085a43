import { t } from '@lingui/core/macro';

const SENTENCES: Record<string, string> = {
  unknown_person: t`Nobody with your email address can sign in here. Ask an administrator to add you.`,
  email_domain: t`This provider cannot sign in people of your email domain.`,
  not_approved_for_owners: t`This provider is not approved to sign in owners. Use your password or a passkey, or ask another owner.`,
  email_not_verified: t`The provider has not verified your email address. Verify it there, then try again.`,
  linked_to_another: t`Your email address belongs to a person who signs in with another account of this provider. Ask an administrator to unlink it.`,
  expired: t`The sign-in took too long or started in another window. Try again.`,
  refused: t`The provider rejected the sign-in.`,
  throttled: t`Too many failed sign-ins from your IP address. Try again in 15 minutes.`,
};

/** Returns why a sign-in through a provider failed. Never returns text from the address, which anyone can write. */
export function providerFailure(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  return SENTENCES[code] ?? t`The sign-in through the provider failed. Try again, or ask an administrator.`;
}
