import { Type } from 'typebox';
import { Component } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { beginPasskeySignIn, signInWithPasskey } from '../sign-in.ts';
import { WebAuthnOptions, WebAuthnResponse } from './passkey-schemas.ts';
import { open, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function beginPasskeySignInRoute(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.post(
    '/auth/passkey-sign-in/options/',
    {
      config: open,
      onRequest: onVisit,
      schema: { tags, summary: 'Begin to sign in with a passkey', response: { 200: WebAuthnOptions } },
    },
    async (request, reply) => {
      const { body, cookies } = await beginPasskeySignIn(context, await visitOf(request));
      setCookies(reply, cookies);
      return body;
    },
  );
}

export function signInWithPasskeyRoute(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.post(
    '/auth/passkey-sign-in/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Sign in with a passkey',
        description: 'A passkey counts as both factors: the device asks for a finger, a face or a PIN.',
        body: Component('PasskeySignIn', { response: WebAuthnResponse }),
        response: { 200: Component('SignedIn', { signed_in: Type.Boolean() }) },
      },
    },
    async (request, reply) => {
      const visit = await visitOf(request);
      const { signedIn, cookies } = await signInWithPasskey(context, visit, request.body.response);
      setCookies(reply, cookies);
      return { signed_in: signedIn };
    },
  );
}
