import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import type { Http } from '../../../platform/http/server.ts';
import { removeSecondFactor } from '../second-factor.ts';
import { NoContent, own, Password, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function removeSecondFactorRoute(http: Http, { context, visitOf }: SignInTools) {
  http.delete(
    '/auth/totp/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Remove your second factor',
        description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
        body: Type.Object({ password: Password }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const visit = await visitOf(request);
      setCookies(reply, await removeSecondFactor(context, visit, principal, causeOf(request), body.password));
      reply.code(204);
      return null;
    },
  );
}
