import type { Http } from '../../../platform/http/server.ts';
import { samlMetadata } from '../sso.ts';
import { open, ProviderParams, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function getSamlMetadataRoute(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.get(
    '/auth/sso/saml/:provider/metadata/',
    {
      config: open,
      onRequest: onVisit,
      schema: { tags, summary: "Get Gatehouse's metadata for a SAML provider", params: ProviderParams },
    },
    async (request, reply) => {
      const metadata = await samlMetadata(context, await visitOf(request), request.params.provider);
      return reply.type('application/samlmetadata+xml').send(metadata);
    },
  );
}
