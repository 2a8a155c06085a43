import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import type { Http } from '../../../platform/http/server.ts';
import { changePassword } from '../passwords.ts';
import { NewPassword, NoContent, own, Password, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function changePasswordRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/password/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Change your password',
        description:
          'Ends your other sessions. Allowed within 15 minutes of signing in or of confirming who you are.',
        body: Type.Object({ current_password: Password, new_password: NewPassword }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { current_password: current, new_password: wanted } = request.body;
      await changePassword(context, await visitOf(request), request.principal, causeOf(request), {
        current,
        wanted,
      });
      reply.code(204);
      return null;
    },
  );
}
