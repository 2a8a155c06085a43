import { Type } from 'typebox';
import { Component } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { signInWithPassword } from '../sign-in.ts';
import { Email, open, Password, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function signInWithPasswordRoute(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.post(
    '/auth/sign-in/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Sign in with a password',
        description:
          'Sets the session cookie. After 10 wrong passwords, codes or links within 15 minutes, the address is blocked with 429 for 15 minutes.',
        body: Component('PasswordSignIn', { email: Email, password: Password }),
        response: {
          200: Component('PasswordSignInResult', {
            signed_in: Type.Boolean(),
            second_factor: Type.Optional(
              Type.Boolean({ description: 'The password was correct. A second factor is required next.' }),
            ),
          }),
        },
      },
    },
    async (request, reply) => {
      const { signedIn, cookies } = await signInWithPassword(context, await visitOf(request), request.body);
      setCookies(reply, cookies);
      return signedIn ? { signed_in: true } : { signed_in: false, second_factor: true };
    },
  );
}
