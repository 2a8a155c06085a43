import { Type } from 'typebox';
import { invalid } from '../../../../kit/errors.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { requireSize } from '../saml.ts';
import { completeSaml } from '../sso-complete.ts';
import { takeForms } from './forms.ts';
import { open, ProviderParams, tags } from './schemas.ts';
import { pageOfError, redirectAfterSso } from './sso-redirect.ts';
import type { SignInTools } from './tools.ts';

/** A response of 64 KB in base64, with escaped characters. A usual one has about 10 KB. */
const LARGEST_FORM_BYTES = 128 * 1024;

export async function completeSamlRoute(http: Http, { context, onCrossSiteVisit, linkVisitOf }: SignInTools) {
  await http.register(async (scope) => {
    takeForms(scope as unknown as Http, LARGEST_FORM_BYTES);
    (scope as unknown as Http).post(
      // better-auth writes this address into SAML metadata and requests.
      '/auth/sso/saml2/sp/acs/:provider',
      {
        config: open,
        onRequest: onCrossSiteVisit,
        errorHandler: pageOfError(context),
        schema: {
          tags,
          summary: 'Complete a SAML sign-in',
          description:
            "The provider's page posts its response to this address. A response that Gatehouse did not request signs in nobody: the sign-in page then starts an ordinary sign-in at the provider.",
          params: ProviderParams,
          body: {
            content: {
              'application/x-www-form-urlencoded': {
                schema: Type.Object({
                  SAMLResponse: Type.String({ description: 'At most 64 KB after decoding.' }),
                  RelayState: Type.Optional(Type.String({ maxLength: 2000 })),
                }),
              },
            },
          },
        },
      },
      async (request, reply) => {
        // Without a body, Fastify checks no schema.
        if (!request.body) throw invalid('Field required (SAMLResponse)');
        const { SAMLResponse, RelayState = '' } = request.body as {
          SAMLResponse: string;
          RelayState?: string;
        };
        requireSize(SAMLResponse);
        return redirectAfterSso(request, reply, context, async () =>
          completeSaml(context, await linkVisitOf(request), request.params.provider, {
            SAMLResponse,
            RelayState,
          }),
        );
      },
    );
  });
}
