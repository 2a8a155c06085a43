import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../../platform/http/lists.ts';
import type { Http } from '../../../platform/http/server.ts';
import { listProviders } from '../providers.ts';
import { ProviderView, readProviders, providerTags as tags } from './provider-schemas.ts';
import type { SignInTools } from './tools.ts';

export function listProvidersRoute(http: Http, { db, origin, visitOf }: SignInTools) {
  http.get(
    '/api/sign-in-providers/',
    {
      config: readProviders,
      schema: {
        tags,
        summary: 'List sign-in providers',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ProviderView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const providers = await listProviders(db, request.principal.orgId, await visitOf(request), page);
      return listReply(request, origin(request), page, providers);
    },
  );
}
