import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { api, ok } from '../api/client.ts';

/** Gets a response of one of the person's passkeys. */
export async function passkeyResponse() {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = (await ok(
    api.POST('/auth/passkey-sign-in/options/'),
  )) as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON })) };
}
