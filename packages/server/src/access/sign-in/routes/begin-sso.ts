import { Type } from 'typebox';
import type { Http } from '../../../platform/http/server.ts';
import { beginSso } from '../sso.ts';
import { open, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function beginSsoRoute(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.post(
    '/auth/sso/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Begin to sign in through a provider',
        body: Type.Object({
          provider: Type.String({ minLength: 1, maxLength: 63 }),
          return_to: Type.Optional(
            Type.String({
              maxLength: 2000,
              description: 'The path of the console to return to. Anything else is replaced by /.',
            }),
          ),
          again: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                'Asks the provider to authenticate the person even if they are signed in there, so that the session can change how they sign in.',
            }),
          ),
        }),
        response: { 200: Type.Object({ url: Type.String() }) },
      },
    },
    async (request, reply) => {
      const { provider, return_to = '/', again = false } = request.body;
      const options = { returnTo: return_to, again };
      const { url, cookies } = await beginSso(context, await visitOf(request), provider, options);
      setCookies(reply, cookies);
      return { url };
    },
  );
}
