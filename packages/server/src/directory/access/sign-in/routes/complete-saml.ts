import { Type } from 'typebox';
import { invalid } from '../../../../kit/errors.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { requireSize } from '../saml.ts';
import { completeSaml } from '../sso.ts';
import { open, ProviderParams, tags } from './schemas.ts';
import { redirectAfterSso } from './sso-redirect.ts';
import type { SignInTools } from './tools.ts';

/** A response of 64 KB in base64, with escaped characters. A usual one has about 10 KB. */
const LARGEST_FORM_BYTES = 128 * 1024;

/** The only route that takes a form. It takes nothing else. */
export async function completeSamlRoute(http: Http, { context, onCrossSiteVisit, visitOf }: SignInTools) {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LARGEST_FORM_BYTES },
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
                schema: Type.Object({
                  SAMLResponse: Type.String({ description: 'At most 64 KB after decoding.' }),
                  RelayState: Type.String({ maxLength: 1000 }),
                }),
              },
            },
          },
        },
      },
      async (request, reply) => {
        // Without a body, Fastify checks no schema.
        if (!request.body) throw invalid('Field required (SAMLResponse)');
        const { SAMLResponse, RelayState } = request.body as { SAMLResponse: string; RelayState: string };
        requireSize(SAMLResponse);
        return redirectAfterSso(request, reply, context, async () =>
          completeSaml(context, await visitOf(request), request.params.provider, {
            SAMLResponse,
            RelayState,
          }),
        );
      },
    );
  });
}
