import { Type } from 'typebox';
import type { Http } from '../../../platform/http/server.ts';
import { setUpSecondFactor } from '../second-factor.ts';
import { ownWithoutFactor, Password, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function setUpSecondFactorRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/totp/',
    {
      config: ownWithoutFactor,
      schema: {
        tags,
        summary: 'Set up one-time codes as your second factor',
        description:
          'Takes effect once you confirm it with a first code. Each backup code works once. Only this response shows them.',
        body: Type.Object({ password: Password }),
        response: {
          200: Type.Object({
            uri: Type.String({ description: 'An otpauth: address, for a QR code.' }),
            backup_codes: Type.Array(Type.String()),
          }),
        },
      },
    },
    async (request) => {
      const visit = await visitOf(request);
      return setUpSecondFactor(context, visit, request.principal, request.body.password);
    },
  );
}
