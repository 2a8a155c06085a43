import type { Http } from '../../../platform/http/server.ts';
import { beginAddingPasskey } from '../passkeys.ts';
import { WebAuthnOptions } from './passkey-schemas.ts';
import { own, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function beginAddingPasskeyRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/passkeys/options/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Begin to add a passkey',
        description: 'Allowed within a day of signing in.',
        response: { 200: WebAuthnOptions },
      },
    },
    async (request, reply) => {
      const { body, cookies } = await beginAddingPasskey(context, await visitOf(request));
      setCookies(reply, cookies);
      return body;
    },
  );
}
