import { causeOf } from '../../../identity/cause.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createProvider } from '../providers.ts';
import { NewProvider, ProviderView, providerTags as tags, writeProviders } from './provider-schemas.ts';
import type { SignInTools } from './tools.ts';

export function createProviderRoute(http: Http, { db, visitOf }: SignInTools) {
  http.post(
    '/api/sign-in-providers/',
    {
      config: writeProviders,
      schema: {
        tags,
        summary: 'Add sign-in provider',
        description:
          'With oidc, Gatehouse fetches the endpoints from the issuer at once. Existing people sign in through a provider, found by their email address. A provider creates nobody. Only a signed-in owner can call this; API keys cannot.',
        body: NewProvider,
        response: { 201: ProviderView },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createProvider(db, request.principal, causeOf(request), await visitOf(request), request.body);
    },
  );
}
