import { Type } from 'typebox';
import { Component, Timestamp, Uuid } from '#kit/schemas.ts';
import type { PasskeyResponse } from '../passkeys.ts';

export const PasskeyView = Component('Passkey', {
  id: Uuid,
  name: Type.String(),
  created_at: Timestamp,
  backed_up: Type.Boolean({ description: 'Whether it is synced to other devices.' }),
});

/** WebAuthn defines the options and the response. better-auth checks them. */
export const WebAuthnOptions = Component('WebAuthnOptions', {}, { additionalProperties: true });
export const WebAuthnResponse = Type.Unsafe<PasskeyResponse>(
  Component('WebAuthnResponse', { id: Type.String({ maxLength: 2048 }) }, { additionalProperties: true }),
);
