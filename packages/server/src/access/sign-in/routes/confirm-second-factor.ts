import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import type { Http } from '../../../platform/http/server.ts';
import { confirmSecondFactor } from '../second-factor.ts';
import { Code, NoContent, ownWithoutFactor, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function confirmSecondFactorRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/totp/verify/',
    {
      config: ownWithoutFactor,
      schema: {
        tags,
        summary: 'Confirm your second factor with a first code',
        body: Type.Object({ code: Code }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const visit = await visitOf(request);
      setCookies(reply, await confirmSecondFactor(context, visit, principal, causeOf(request), body.code));
      reply.code(204);
      return null;
    },
  );
}
