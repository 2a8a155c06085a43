import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import type { Http } from '../../../platform/http/server.ts';
import { addPasskey } from '../passkeys.ts';
import { PasskeyView, WebAuthnResponse } from './passkey-schemas.ts';
import { ownWithoutFactor, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function addPasskeyRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/passkeys/',
    {
      config: ownWithoutFactor,
      schema: {
        tags,
        summary: 'Add a passkey',
        body: Type.Object({
          name: Type.String({ minLength: 1, maxLength: 100 }),
          response: WebAuthnResponse,
        }),
        response: { 201: PasskeyView },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const passkey = await addPasskey(context, await visitOf(request), principal, causeOf(request), body);
      reply.code(201);
      return passkey;
    },
  );
}
