import { Type } from 'typebox';
import { within } from '#kit/database.ts';
import { codeAndValues, noContent, type Route } from '#kit/http.ts';
import { Component, Nullable, SentenceFields } from '#kit/schemas.ts';
import { Code, Email, ownSignIn, ownWithoutFactor, Password } from '../../auth/routes/schemas.ts';
import { type SignInTools, setCookies } from '../../auth/routes/tools.ts';
import { ProviderType } from '../../protocols/provider-config.ts';
import { signOut } from '../../sessions/sessions.ts';
import { currentSession } from '../../sessions/waiting.ts';
import { noticeOf } from '../../visit/failure-notice.ts';
import { listOfferedProviders } from '../facts.ts';
import { refusalOfPasskeys } from '../passkeys.ts';
import {
  beginPasskeySignIn,
  signInWithPasskey,
  signInWithPassword,
  signInWithSecondFactor,
} from '../sign-in.ts';
import { WebAuthnOptions, WebAuthnResponse } from './passkey-schemas.ts';

const SignInOptions = Component('SignInOptions', {
  organization: Type.Object({ slug: Type.String(), name: Type.String() }),
  signed_in: Type.Boolean({ description: 'Whether this browser has a valid session.' }),
  passkeys: Type.Object({
    available: Type.Boolean(),
    reason: Nullable(Type.String({ description: 'Why browsers refuse passkeys at this address.' })),
    ...SentenceFields,
  }),
  providers: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), type: ProviderType })),
  failure: Nullable(
    Type.Object(
      {
        failure: Type.String({ description: 'The code in the address of the sign-in page.' }),
        provider: Type.String({ description: 'The name of the provider.' }),
        error: Type.String({ description: "The provider's own code." }),
        words: Nullable(Type.String({ description: "The provider's own words." })),
      },
      { description: 'The report of a provider in this browser within the last five minutes.' },
    ),
  ),
});

const PasswordSignInResult = Component('PasswordSignInResult', {
  signed_in: Type.Boolean(),
  second_factor: Type.Optional(
    Type.Boolean({ description: 'The password was correct. A second factor is required next.' }),
  ),
});

const SignedIn = Component('SignedIn', { signed_in: Type.Boolean() });

export const signInAndOutRoutes = ({ context, origin, visitor, visitOf }: SignInTools): Route[] => [
  visitor.get('', 'Get sign-in options', { reply: SignInOptions }, async ({ request }) => {
    const { id, slug, name } = request.organization;
    const refusal = refusalOfPasskeys(origin(request));
    const visit = await visitOf(request);
    return {
      organization: { slug, name },
      signed_in: (await currentSession(context, visit)) !== undefined,
      passkeys: {
        available: refusal === null,
        reason: refusal?.message ?? null,
        ...codeAndValues(refusal?.sentence),
      },
      providers: await listOfferedProviders(within(context.db, id)),
      failure: noticeOf(visit),
    };
  }),
  visitor.post(
    'sign-in/',
    'Sign in with a password',
    {
      description:
        'Sets the session cookie. After 10 wrong passwords, codes or links within 15 minutes, the address is blocked with 429 for 15 minutes.',
      body: Component('PasswordSignIn', { email: Email, password: Password }),
      reply: PasswordSignInResult,
    },
    async ({ body, request, reply }) => {
      const { signedIn, cookies } = await signInWithPassword(context, await visitOf(request), body);
      setCookies(reply, cookies);
      return signedIn ? { signed_in: true } : { signed_in: false, second_factor: true };
    },
  ),
  visitor.post(
    'second-factor/',
    'Complete sign-in with a second factor',
    {
      description: 'Must follow within 10 minutes of the password. Five wrong codes end the sign-in.',
      body: Component('SecondFactor', { code: Code, kind: Type.Enum(['totp', 'backup_code']) }),
      reply: SignedIn,
    },
    async ({ body, request, reply }) => {
      const { signedIn, cookies } = await signInWithSecondFactor(context, await visitOf(request), body);
      setCookies(reply, cookies);
      return { signed_in: signedIn };
    },
  ),
  visitor.post(
    'passkey-sign-in/options/',
    'Begin to sign in with a passkey',
    { reply: WebAuthnOptions },
    async ({ request, reply }) => {
      const { body, cookies } = await beginPasskeySignIn(context, await visitOf(request));
      setCookies(reply, cookies);
      return body;
    },
  ),
  visitor.post(
    'passkey-sign-in/',
    'Sign in with a passkey',
    {
      description: 'A passkey counts as both factors: the device asks for a finger, a face or a PIN.',
      body: Component('PasskeySignIn', { response: WebAuthnResponse }),
      reply: SignedIn,
    },
    async ({ body, request, reply }) => {
      const { signedIn, cookies } = await signInWithPasskey(context, await visitOf(request), body.response);
      setCookies(reply, cookies);
      return { signed_in: signedIn };
    },
  ),
  ownSignIn.post(
    'sign-out/',
    'Sign out',
    { config: ownWithoutFactor, ...noContent },
    async ({ call, request, reply }) =>
      setCookies(reply, [await signOut(context, await visitOf(request), call)]),
  ),
];
