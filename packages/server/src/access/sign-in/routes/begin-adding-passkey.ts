import type { Http } from '../../../platform/http/server.ts';
import { beginAddingPasskey } from '../passkeys.ts';
import { WebAuthnOptions } from './passkey-schemas.ts';
import { ownWithoutFactor, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function beginAddingPasskeyRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/passkeys/options/',
    {
      config: ownWithoutFactor,
      schema: {
        tags,
        summary: 'Begin to add a passkey',
        description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
        response: { 200: WebAuthnOptions },
      },
    },
    async (request, reply) => {
      const { body, cookies } = await beginAddingPasskey(context, await visitOf(request), request.principal);
      setCookies(reply, cookies);
      return body;
    },
  );
}
