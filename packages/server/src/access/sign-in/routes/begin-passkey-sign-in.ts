import type { Http } from '../../../platform/http/server.ts';
import { beginPasskeySignIn } from '../sign-in.ts';
import { WebAuthnOptions } from './passkey-schemas.ts';
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
