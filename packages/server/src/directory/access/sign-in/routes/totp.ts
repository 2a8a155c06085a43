import { Type } from 'typebox';
import { Component } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { confirmSecondFactor, removeSecondFactor, setUpSecondFactor } from '../second-factor.ts';
import { Code, changeOwn, changeOwnWithoutFactor, NoContent, Password, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function setUpSecondFactorRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/totp/',
    {
      config: changeOwnWithoutFactor,
      schema: {
        tags,
        summary: 'Set up one-time codes as your second factor',
        description:
          'Takes effect once you confirm it with a first code. Each backup code works once. Only this response shows them.',
        body: Component('PasswordProof', { password: Password }),
        response: {
          200: Component('TotpSetup', {
            uri: Type.String({ description: 'An otpauth: address, for a QR code.' }),
            backup_codes: Type.Array(Type.String()),
          }),
        },
      },
    },
    async (request) => {
      const visit = await visitOf(request);
      return setUpSecondFactor(context, visit, callOf(context.db, request), request.body.password);
    },
  );
}

export function confirmSecondFactorRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/totp/verify/',
    {
      config: changeOwnWithoutFactor,
      schema: {
        tags,
        summary: 'Confirm your second factor with a first code',
        body: Component('TotpCode', { code: Code }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { body } = request;
      const visit = await visitOf(request);
      setCookies(reply, await confirmSecondFactor(context, visit, callOf(context.db, request), body.code));
      reply.code(204);
      return null;
    },
  );
}

export function removeSecondFactorRoute(http: Http, { context, visitOf }: SignInTools) {
  http.delete(
    '/auth/totp/',
    {
      config: changeOwn,
      schema: {
        tags,
        summary: 'Remove your second factor',
        description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
        body: Component('PasswordProof', { password: Password }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { body } = request;
      const visit = await visitOf(request);
      setCookies(reply, await removeSecondFactor(context, visit, callOf(context.db, request), body.password));
      reply.code(204);
      return null;
    },
  );
}
