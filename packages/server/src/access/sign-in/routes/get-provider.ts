import type { Http } from '../../../platform/http/server.ts';
import { getProvider } from '../providers.ts';
import { ProviderView, readProviders, providerTags as tags } from './provider-schemas.ts';
import { ProviderParams } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function getProviderRoute(http: Http, { db, visitOf }: SignInTools) {
  http.get(
    '/api/sign-in-providers/:provider/',
    {
      config: readProviders,
      schema: {
        tags,
        summary: 'Get sign-in provider',
        params: ProviderParams,
        response: { 200: ProviderView },
      },
    },
    async (request) =>
      getProvider(db, request.principal.orgId, await visitOf(request), request.params.provider),
  );
}
