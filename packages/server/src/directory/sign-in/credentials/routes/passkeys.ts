import { Type } from 'typebox';
import { noContent, type Route } from '#kit/http.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import { changeOwnWithoutFactor, ownSignIn, ownWithoutFactor, person } from '../../auth/routes/schemas.ts';
import { type SignInTools, setCookies } from '../../auth/routes/tools.ts';
import {
  addPasskey,
  beginAddingPasskey,
  listPasskeys,
  listPasskeysOf,
  removePasskey,
  removePasskeyOf,
} from '../passkeys.ts';
import { PasskeyView, WebAuthnOptions, WebAuthnResponse } from './passkey-schemas.ts';

const Passkeys = Component('Passkeys', { results: Type.Array(PasskeyView) });

const NewPasskey = Component('NewPasskey', {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  response: WebAuthnResponse,
});

export const passkeyRoutes = ({ context, visitOf }: SignInTools): Route[] => [
  ownSignIn.get(
    'passkeys/',
    'List your passkeys',
    { config: ownWithoutFactor, reply: Passkeys },
    async ({ call }) => ({ results: await listPasskeys(call) }),
  ),
  ownSignIn.post(
    'passkeys/options/',
    'Begin to add a passkey',
    {
      config: changeOwnWithoutFactor,

      description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
      reply: WebAuthnOptions,
    },
    async ({ call, request, reply }) => {
      const { body, cookies } = await beginAddingPasskey(context, await visitOf(request), call);
      setCookies(reply, cookies);
      return body;
    },
  ),
  ownSignIn.post(
    'passkeys/',
    'Add a passkey',
    {
      config: changeOwnWithoutFactor,

      body: NewPasskey,
      reply: PasskeyView,
      status: 201,
    },
    async ({ call, body, request }) => addPasskey(await visitOf(request), call, body),
  ),
  ownSignIn.delete(
    'passkeys/:passkey_id/',
    'Remove one of your passkeys',
    {
      description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
      params: { passkey_id: Uuid },
      ...noContent,
    },
    ({ call, params }) => removePasskey(call, params.passkey_id),
  ),
  person.get('passkeys/', "List a person's passkeys", { reply: Passkeys }, async ({ call, found }) => ({
    results: await listPasskeysOf(call, found),
  })),
  person.delete(
    'passkeys/:passkey_id/',
    "Remove a person's passkey",
    {
      description: "Ends the person's sessions, since one of them may have been started with it.",
      params: { passkey_id: Uuid },
      ...noContent,
    },
    ({ call, found, params }) => removePasskeyOf(call, found, params.passkey_id),
  ),
];
