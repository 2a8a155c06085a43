import { Type } from 'typebox';
import type { Http } from '../../../platform/http/server.ts';
import { completeSaml } from '../sso.ts';
import { open, ProviderParams, tags } from './schemas.ts';
import { redirectAfterSso } from './sso-redirect.ts';
import type { SignInTools } from './tools.ts';

/** A signed SAML response in base64 has about 10 KB. */
const LARGEST_RESPONSE_BYTES = 512 * 1024;

/** The only route that takes a form. It takes nothing else. */
export async function completeSamlRoute(http: Http, { context, onCrossSiteVisit, visitOf }: SignInTools) {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LARGEST_RESPONSE_BYTES },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text as string))),
    );
    (scope as unknown as Http).post(
      // better-auth writes this address into SAML metadata and requests.
      '/auth/sso/saml2/sp/acs/:provider',
      {
        config: open,
        onRequest: onCrossSiteVisit,
        schema: {
          tags,
          summary: 'Complete a SAML sign-in',
          description: "The provider's page posts its response to this address.",
          params: ProviderParams,
          body: {
            content: {
              'application/x-www-form-urlencoded': {
                schema: Type.Object({ SAMLResponse: Type.String(), RelayState: Type.String() }),
              },
            },
          },
        },
      },
      async (request, reply) =>
        redirectAfterSso(request, reply, context, async () => {
          const body = request.body as { SAMLResponse: string; RelayState: string };
          return completeSaml(context, await visitOf(request), request.params.provider, body);
        }),
    );
  });
}
