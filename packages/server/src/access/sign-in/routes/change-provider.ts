import { causeOf } from '../../../identity/cause.ts';
import type { Http } from '../../../platform/http/server.ts';
import { changeProvider } from '../providers.ts';
import {
  onProvider,
  ProviderChange,
  ProviderView,
  providerTags as tags,
  writeProviders,
} from './provider-schemas.ts';
import { ProviderParams } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function changeProviderRoute(http: Http, tools: SignInTools) {
  const { db, visitOf } = tools;
  http.patch(
    '/api/sign-in-providers/:provider/',
    {
      config: writeProviders,
      onRequest: onProvider(tools),
      schema: {
        tags,
        summary: 'Update sign-in provider',
        description:
          'oidc or saml replaces the whole configuration. The client secret stays if it is not given. Only a signed-in owner can call this; API keys cannot.',
        params: ProviderParams,
        body: ProviderChange,
        response: { 200: ProviderView },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      return changeProvider(db, principal, causeOf(request), await visitOf(request), params.provider, body);
    },
  );
}
