import { Type } from 'typebox';
import { noContent, type Route, route } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import {
  administer,
  Code,
  changeOwn,
  changeOwnWithoutFactor,
  Password,
  PersonParams,
  tag,
} from '../../auth/routes/schemas.ts';
import { type SignInTools, setCookies } from '../../auth/routes/tools.ts';
import {
  confirmSecondFactor,
  removeSecondFactor,
  removeSecondFactorOf,
  setUpSecondFactor,
} from '../second-factor.ts';

const PasswordProof = Component('PasswordProof', { password: Password });

const TotpSetup = Component('TotpSetup', {
  uri: Type.String({ description: 'An otpauth: address, for a QR code.' }),
  backup_codes: Type.Array(Type.String()),
});

export const secondFactorRoutes = ({ context, visitOf, onPerson }: SignInTools): Route[] => [
  route(
    'POST',
    '/auth/totp/',
    {
      tag,
      config: changeOwnWithoutFactor,
      summary: 'Set up one-time codes as your second factor',
      description:
        'Takes effect once you confirm it with a first code. Each backup code works once. Only this response shows them.',
      body: PasswordProof,
      reply: TotpSetup,
    },
    async ({ call, body, request }) =>
      setUpSecondFactor(context, await visitOf(request), call, body.password),
  ),
  route(
    'POST',
    '/auth/totp/verify/',
    {
      tag,
      config: changeOwnWithoutFactor,
      summary: 'Confirm your second factor with a first code',
      body: Component('TotpCode', { code: Code }),
      ...noContent,
    },
    async ({ call, body, request, reply }) =>
      setCookies(reply, await confirmSecondFactor(await visitOf(request), call, body.code)),
  ),
  route(
    'DELETE',
    '/auth/totp/',
    {
      tag,
      config: changeOwn,
      summary: 'Remove your second factor',
      description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
      body: PasswordProof,
      ...noContent,
    },
    async ({ call, body, request, reply }) =>
      setCookies(reply, await removeSecondFactor(await visitOf(request), call, body.password)),
  ),
  route(
    'DELETE',
    '/api/users/:user_id/second-factor/',
    {
      tag,
      config: administer,
      before: onPerson,
      summary: "Remove a person's second factor and passkeys",
      description:
        'For a person who has lost them. Ends their sessions. They sign in with their password alone until they set up a new factor.',
      params: PersonParams,
      ...noContent,
    },
    ({ call, params }) => removeSecondFactorOf(call, params.user_id),
  ),
];
