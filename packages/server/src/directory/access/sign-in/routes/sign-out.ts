import type { Http } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { signOut } from '../sessions.ts';
import { NoContent, ownWithoutFactor, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function signOutRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/sign-out/',
    { config: ownWithoutFactor, schema: { tags, summary: 'Sign out', response: NoContent } },
    async (request, reply) => {
      const visit = await visitOf(request);
      setCookies(reply, [await signOut(context, visit, callOf(context.db, request))]);
      reply.code(204);
      return null;
    },
  );
}
