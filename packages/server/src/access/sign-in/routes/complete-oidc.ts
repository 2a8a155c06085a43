import { Type } from 'typebox';
import type { Http } from '../../../platform/http/server.ts';
import { completeOidc } from '../sso.ts';
import { open, ProviderParams, tags } from './schemas.ts';
import { redirectAfterSso } from './sso-redirect.ts';
import type { SignInTools } from './tools.ts';

export function completeOidcRoute(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.get(
    '/auth/sso/callback/:provider',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Complete an OpenID Connect sign-in',
        description: 'The provider redirects the browser to this address.',
        params: ProviderParams,
        querystring: Type.Object({
          code: Type.Optional(Type.String({ maxLength: 4000 })),
          state: Type.Optional(Type.String({ maxLength: 200 })),
          error: Type.Optional(Type.String({ maxLength: 200 })),
          error_description: Type.Optional(Type.String({ maxLength: 4000 })),
        }),
      },
    },
    async (request, reply) =>
      redirectAfterSso(request, reply, context, async () =>
        completeOidc(context, await visitOf(request), request.params.provider, request.query),
      ),
  );
}
