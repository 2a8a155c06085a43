import { Type } from 'typebox';
import { Component } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { setPasswordWithLink } from '../password-links.ts';
import { NewPassword, open, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function setPasswordWithLinkRoute(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.post(
    '/auth/welcome/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Set a password with a one-time link',
        description: "Removes the person's passkeys and ends their sessions.",
        body: Component('PasswordWithLink', {
          token: Type.String({ minLength: 1, maxLength: 512 }),
          new_password: NewPassword,
        }),
        response: { 200: Component('PasswordSet', { email: Type.String() }) },
      },
    },
    async (request) => {
      const { token, new_password: password } = request.body;
      return setPasswordWithLink(context, await visitOf(request), { token, password });
    },
  );
}
