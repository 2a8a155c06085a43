import { Type } from 'typebox';
import { Component } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { signInWithSecondFactor } from '../sign-in.ts';
import { Code, open, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function signInWithSecondFactorRoute(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.post(
    '/auth/second-factor/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Complete sign-in with a second factor',
        description: 'Must follow within 10 minutes of the password. Five wrong codes end the sign-in.',
        body: Component('SecondFactor', { code: Code, kind: Type.Enum(['totp', 'backup_code']) }),
        response: { 200: Component('SignedIn', { signed_in: Type.Boolean() }) },
      },
    },
    async (request, reply) => {
      const visit = await visitOf(request);
      const { signedIn, cookies } = await signInWithSecondFactor(context, visit, request.body);
      setCookies(reply, cookies);
      return { signed_in: signedIn };
    },
  );
}
