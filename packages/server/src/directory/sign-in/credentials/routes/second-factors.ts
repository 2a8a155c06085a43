import { Type } from 'typebox';
import { noContent, type Route } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import { Code, changeOwnWithoutFactor, ownSignIn, Password, person } from '../../auth/routes/schemas.ts';
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

export const secondFactorRoutes = ({ context, visitOf }: SignInTools): Route[] => [
  ownSignIn.post(
    'totp/',
    'Set up one-time codes as your second factor',
    {
      config: changeOwnWithoutFactor,

      description:
        'Takes effect once you confirm it with a first code. Each backup code works once. Only this response shows them.',
      body: PasswordProof,
      reply: TotpSetup,
    },
    async ({ call, body, request }) =>
      setUpSecondFactor(context, await visitOf(request), call, body.password),
  ),
  ownSignIn.post(
    'totp/verify/',
    'Confirm your second factor with a first code',
    {
      config: changeOwnWithoutFactor,

      body: Component('TotpCode', { code: Code }),
      ...noContent,
    },
    async ({ call, body, request, reply }) =>
      setCookies(reply, await confirmSecondFactor(await visitOf(request), call, body.code)),
  ),
  ownSignIn.delete(
    'totp/',
    'Remove your second factor',
    {
      description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
      body: PasswordProof,
      ...noContent,
    },
    async ({ call, body, request, reply }) =>
      setCookies(reply, await removeSecondFactor(await visitOf(request), call, body.password)),
  ),
  person.delete(
    'second-factor/',
    "Remove a person's second factor and passkeys",
    {
      description:
        'For a person who has lost them. Ends their sessions. They sign in with their password alone until they set up a new factor.',

      ...noContent,
    },
    ({ call, found }) => removeSecondFactorOf(call, found),
  ),
];
