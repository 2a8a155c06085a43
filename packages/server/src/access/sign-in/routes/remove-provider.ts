import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import type { Http } from '../../../platform/http/server.ts';
import { removeProvider } from '../providers.ts';
import { onProvider, providerTags as tags, writeProviders } from './provider-schemas.ts';
import { ProviderParams } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function removeProviderRoute(http: Http, tools: SignInTools) {
  http.delete(
    '/api/sign-in-providers/:provider/',
    {
      config: writeProviders,
      onRequest: onProvider(tools),
      schema: {
        tags,
        summary: 'Remove sign-in provider',
        description: 'Only a signed-in owner can call this; API keys cannot.',
        params: ProviderParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeProvider(tools.db, request.principal, causeOf(request), request.params.provider);
      reply.code(204);
      return null;
    },
  );
}
