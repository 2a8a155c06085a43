import { Type } from 'typebox';
import { noContent, type Route } from '#kit/http.ts';
import { Component, Timestamp } from '#kit/schemas.ts';
import {
  Code,
  NewPassword,
  ownSignIn,
  ownWithoutFactor,
  Password,
  person,
} from '../../auth/routes/schemas.ts';
import type { SignInTools } from '../../auth/routes/tools.ts';
import { signInRefusals } from '../../sentences.ts';
import { confirmIdentity } from '../confirm.ts';
import { createPasswordLink, requestPasswordLink, setPasswordWithLink } from '../password-links.ts';
import { changePassword } from '../passwords.ts';
import { WebAuthnResponse } from './passkey-schemas.ts';

const IdentityProof = Component('IdentityProof', {
  password: Type.Optional(Password),
  code: Type.Optional(Code),
  response: Type.Optional(WebAuthnResponse),
});

const PasswordWithLink = Component('PasswordWithLink', {
  token: Type.String({ minLength: 1, maxLength: 512 }),
  new_password: NewPassword,
});

const SentSignInLink = Component('SentSignInLink', {
  email: Type.String({ description: 'The address of the person.' }),
});

const SignInLink = Component('SignInLink', {
  url: Type.String({
    description: 'Pass it on to the person, and to nobody else. Its secret follows the #.',
  }),
  expires_at: Timestamp,
});

export const passwordRoutes = ({ context, visitor, visitOf, linkOrigin, canEmail }: SignInTools): Route[] => [
  ownSignIn.post(
    'confirm/',
    'Confirm who you are',
    {
      // It is the step-up itself.
      config: { ...ownWithoutFactor, access: { ...ownWithoutFactor.access, stepUp: false } },

      description:
        'Required before you change how you sign in, if you signed in more than 15 minutes ago: requests then return 403 with the error code `confirmation_required`. Send exactly one of `password`, `code` (a one-time code) and `response` (of a passkey, to the options of `/auth/passkey-sign-in/options/`).',
      body: IdentityProof,
      ...noContent,
    },
    async ({ call, body, request }) => confirmIdentity(context, await visitOf(request), call, body),
  ),
  ownSignIn.post(
    'password/',
    'Change your password',
    {
      description:
        'Ends your other sessions. Allowed within 15 minutes of signing in or of confirming who you are.',
      body: Component('PasswordChange', { current_password: Password, new_password: NewPassword }),
      ...noContent,
    },
    async ({ call, body: { current_password: current, new_password: wanted }, request }) =>
      changePassword(await visitOf(request), call, { current, wanted }),
  ),
  visitor.post(
    'welcome/',
    'Set a password with a one-time link',
    {
      description: "Removes the person's passkeys and ends their sessions.",
      body: PasswordWithLink,
      reply: Component('PasswordSet', { email: Type.String() }),
    },
    async ({ body: { token, new_password: password }, request }) =>
      setPasswordWithLink(context, await visitOf(request), { token, password }),
  ),
  person.post(
    'sign-in-link/email/',
    'Email a one-time link for setting a password',
    {
      description:
        "Gatehouse creates the link and sends it to the person's email address soon. Returns 409 if emails are not configured.",

      reply: SentSignInLink,
      status: 202,
    },
    async ({ call, found }) => {
      if (!canEmail) throw signInRefusals.emails_not_configured();
      return requestPasswordLink(call, found.id);
    },
  ),
  person.post(
    'sign-in-link/',
    'Create a one-time link for setting a password',
    {
      // The link leads to a session, which can do more than a key with fewer scopes, fewer apps or an expiry (D8).

      description:
        "The link works once, for 72 hours. It replaces the person's earlier links. Returns 409 if emails are configured: the link then goes to the person's mailbox only. Only owners create links for owners, administrators and auditors, and nobody for themselves.",

      reply: SignInLink,
    },
    async ({ call, found, request }) => {
      if (canEmail) throw signInRefusals.emails_configured();
      const page = `${linkOrigin(request)}${context.consolePath(call.principal.orgSlug)}/welcome`;
      const { token, expires_at } = await createPasswordLink(call, found.id);
      return { url: `${page}#${token}`, expires_at };
    },
  ),
];
