import type { RequestCause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { PasskeyResponse } from './passkeys.ts';
import type { PasskeyOwner } from './queries/passkeys.ts';

/** The place of the signature count in the authenticator data (WebAuthn, 6.1). */
const COUNT_OFFSET = 33;

/**
 * Returns the event that a verified passkey did not count on (WebAuthn, 7.2), or nothing. The passkey may have been copied. More
 * often it moved to a keychain that syncs and does not count, so the person signs in all the same.
 */
export function countEvents(
  { actor, source }: RequestCause,
  { id, email, passkey_name, counter: before }: PasskeyOwner,
  { response }: PasskeyResponse,
): NewEvent[] {
  const after = Buffer.from(response.authenticatorData, 'base64url').readUInt32BE(COUNT_OFFSET);
  if (after > before || before === 0) return [];
  return [
    {
      type: 'factor.count_fell',
      actor,
      subject: { type: 'platform_user', uuid: id },
      source,
      payload: { user_id: id, email, kind: 'passkey', name: passkey_name, before, after },
    },
  ];
}
