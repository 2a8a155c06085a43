import { t } from '@lingui/core/macro';

const SENTENCES: Record<string, string> = {
  unknown_person: t`Nobody with your email address can sign in here. Ask an administrator to add you.`,
  email_domain: t`This provider cannot sign in people of your email domain.`,
  not_approved_for_owners: t`This provider is not approved to sign in owners. Use your password or a passkey, or ask another owner.`,
  email_not_verified: t`The provider has not verified your email address. Verify it there, then try again.`,
  linked_to_another: t`Your email address belongs to a person who signs in with another account of this provider. Ask an administrator to unlink it.`,
  expired: t`This sign-in is already complete, took too long, or began in another browser. Sign in again.`,
  malformed: t`The provider sent a malformed response. Sign in again, or ask an administrator to compare the settings at the provider.`,
  unsolicited: t`The provider sent a response that Gatehouse did not request. Sign in with the provider here.`,
  unknown_provider: t`The address that you opened belongs to no sign-in provider. Sign in here, and ask an administrator for the address of the provider.`,
  another_issuer: t`The address that you opened belongs to another provider. Sign in here, and ask an administrator to compare the address with the settings of the provider.`,
  no_address: t`Gatehouse does not know its own address, so it cannot send you to the provider. Ask the operator to set GATEHOUSE_PUBLIC_URL.`,
  refused: t`The provider rejected the sign-in. Try again, or ask an administrator to assign Gatehouse to you at the provider.`,
  interaction_required: t`The provider had to ask you something and could not. Sign in at the provider first, then try again.`,
  provider_unavailable: t`The provider cannot sign in people at the moment. Try again in a few minutes.`,
  provider_settings: t`The provider did not accept Gatehouse's request. Ask an administrator to compare the settings of the provider in Gatehouse and at the provider.`,
  provider_error: t`The provider reports an error. Try again, or ask an administrator: the log of the provider has the reason.`,
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
