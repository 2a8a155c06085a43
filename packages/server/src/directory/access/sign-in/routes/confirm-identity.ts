import { Type } from 'typebox';
import { Component } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { confirmIdentity } from '../confirm.ts';
import { WebAuthnResponse } from './passkey-schemas.ts';
import { Code, NoContent, ownWithoutFactor, Password, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function confirmIdentityRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/confirm/',
    {
      // It is the step-up itself.
      config: { ...ownWithoutFactor, access: { ...ownWithoutFactor.access, stepUp: false } },
      schema: {
        tags,
        summary: 'Confirm who you are',
        description:
          'Required before you change how you sign in, if you signed in more than 15 minutes ago: requests then return 403 with the error code `confirmation_required`. Send exactly one of `password`, `code` (a one-time code) and `response` (of a passkey, to the options of `/auth/passkey-sign-in/options/`).',
        body: Component('IdentityProof', {
          password: Type.Optional(Password),
          code: Type.Optional(Code),
          response: Type.Optional(WebAuthnResponse),
        }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      await confirmIdentity(context, await visitOf(request), callOf(context.db, request), request.body);
      reply.code(204);
      return null;
    },
  );
}
