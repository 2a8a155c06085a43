import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { api, ok } from '../api/client.ts';
import { onDemand } from '../kit/browser/files.ts';

const loadLibrary = onDemand(() => import('@simplewebauthn/browser'));

/** Gets a response of one of the person's passkeys. */
export async function passkeyResponse() {
  const { startAuthentication } = await loadLibrary();
  const optionsJSON = (await ok(
    api.POST('/auth/passkey-sign-in/options/'),
  )) as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON })) };
}
