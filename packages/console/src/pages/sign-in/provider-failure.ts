import { t } from '@lingui/core/macro';

const SENTENCES: Record<string, string> = {
  unknown_person: t`Nobody with your email address can sign in here. Ask an administrator to add you.`,
  email_domain: t`This provider cannot sign in people of your email domain.`,
  not_approved_for_owners: t`This provider is not approved to sign in owners. Use your password or a passkey, or ask another owner.`,
  email_not_verified: t`The provider has not verified your email address. Verify it there, then try again.`,
  linked_to_another: t`Your email address belongs to a person who signs in with another account of this provider. Ask an administrator to unlink it.`,
  expired: t`The sign-in took too long or started in another window. Try again.`,
  refused: t`The provider rejected the sign-in.`,
  unavailable: t`The provider refused Gatehouse's request, or did not respond. Try again, or ask an administrator to check the client ID and the client secret.`,
  no_id_token: t`The provider sent no ID token. Ask an administrator to allow the scope openid at the provider.`,
  no_email: t`The provider sent no email address. Ask an administrator to allow the scope email at the provider.`,
  id_token_signature: t`The provider's ID token is not signed with one of its published keys.`,
  id_token_issuer: t`The provider's ID token names another issuer than the settings of the provider in Gatehouse.`,
  id_token_audience: t`The provider's ID token is meant for other clients. Its audience (aud) must include the client ID of Gatehouse.`,
  id_token_party: t`The provider's ID token was issued to another client. Its authorized party (azp) must be the client ID of Gatehouse.`,
  id_token_nonce: t`The provider's ID token belongs to another sign-in. Try again.`,
  id_token_expired: t`The provider's ID token has expired, or is too old. Ask an administrator to compare the clocks of Gatehouse and of the provider.`,
  id_token_early: t`The provider's ID token was issued in the future. Ask an administrator to compare the clocks of Gatehouse and of the provider.`,
  id_token_times: t`The provider's ID token does not say when it was issued and when it expires.`,
  throttled: t`Too many failed sign-ins from your IP address. Try again in 15 minutes.`,
};

/** Returns why a sign-in through a provider failed. Never returns text from the address, which anyone can write. */
export function providerFailure(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  return (
    SENTENCES[code] ??
    t`The sign-in through the provider failed. Try again, or ask an administrator: the event log has the reason.`
  );
}
