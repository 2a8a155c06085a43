import { Type } from 'typebox';
import { noContent, type Route, route } from '#kit/http.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import {
  administer,
  changeOwn,
  changeOwnWithoutFactor,
  oversee,
  ownWithoutFactor,
  PersonParams,
  tag,
} from '../../auth/routes/schemas.ts';
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

export const passkeyRoutes = ({ context, visitOf, onPerson }: SignInTools): Route[] => [
  route(
    'GET',
    '/auth/passkeys/',
    { tag, config: ownWithoutFactor, summary: 'List your passkeys', reply: Passkeys },
    async ({ call }) => ({ results: await listPasskeys(call) }),
  ),
  route(
    'POST',
    '/auth/passkeys/options/',
    {
      tag,
      config: changeOwnWithoutFactor,
      summary: 'Begin to add a passkey',
      description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
      reply: WebAuthnOptions,
    },
    async ({ call, request, reply }) => {
      const { body, cookies } = await beginAddingPasskey(context, await visitOf(request), call);
      setCookies(reply, cookies);
      return body;
    },
  ),
  route(
    'POST',
    '/auth/passkeys/',
    {
      tag,
      config: changeOwnWithoutFactor,
      summary: 'Add a passkey',
      body: NewPasskey,
      reply: PasskeyView,
      status: 201,
    },
    async ({ call, body, request }) => addPasskey(await visitOf(request), call, body),
  ),
  route(
    'DELETE',
    '/auth/passkeys/:passkey_id/',
    {
      tag,
      config: changeOwn,
      summary: 'Remove one of your passkeys',
      description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
      params: { passkey_id: Uuid },
      ...noContent,
    },
    ({ call, params }) => removePasskey(call, params.passkey_id),
  ),
  route(
    'GET',
    '/api/users/:user_id/passkeys/',
    {
      tag,
      config: oversee,
      before: onPerson,
      summary: "List a person's passkeys",
      params: PersonParams,
      reply: Passkeys,
    },
    async ({ call, params }) => ({ results: await listPasskeysOf(call, params.user_id) }),
  ),
  route(
    'DELETE',
    '/api/users/:user_id/passkeys/:passkey_id/',
    {
      tag,
      config: administer,
      before: onPerson,
      summary: "Remove a person's passkey",
      description: "Ends the person's sessions, since one of them may have been started with it.",
      params: { ...PersonParams, passkey_id: Uuid },
      ...noContent,
    },
    ({ call, params }) => removePasskeyOf(call, params.user_id, params.passkey_id),
  ),
];
