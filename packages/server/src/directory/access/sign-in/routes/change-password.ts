import { Component } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { changePassword } from '../passwords.ts';
import { changeOwn, NewPassword, NoContent, Password, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function changePasswordRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/password/',
    {
      config: changeOwn,
      schema: {
        tags,
        summary: 'Change your password',
        description:
          'Ends your other sessions. Allowed within 15 minutes of signing in or of confirming who you are.',
        body: Component('PasswordChange', { current_password: Password, new_password: NewPassword }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { current_password: current, new_password: wanted } = request.body;
      await changePassword(await visitOf(request), callOf(context.db, request), {
        current,
        wanted,
      });
      reply.code(204);
      return null;
    },
  );
}
