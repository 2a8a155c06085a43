import { Type } from 'typebox';
import type { Route } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import { Form } from '../../auth/routes/forms.ts';
import { open, ProviderParams } from '../../auth/routes/schemas.ts';
import { type SignInTools, setCookies } from '../../auth/routes/tools.ts';
import { signInRefusals } from '../../sentences.ts';
import { requireSize } from '../saml.ts';
import { beginSso, samlMetadata } from '../sso.ts';
import { completeOidc, completeSaml as finishSaml } from '../sso-complete.ts';
import { continueSso } from '../sso-without-start.ts';
import { pageOfError, redirectAfterSso } from './sso-redirect.ts';

const ProviderSignIn = Component('ProviderSignIn', {
  provider: Type.String({ minLength: 1, maxLength: 63 }),
  return_to: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'The path of the console to return to. Anything else is replaced by /.',
    }),
  ),
  again: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Asks the provider to authenticate the person even if they are signed in there, so that the session can change how they sign in.',
    }),
  ),
});

/** Signing in through a provider of OpenID Connect or SAML. */
export const ssoRoutes = ({ context, visitor, visitOf, linkVisitOf }: SignInTools): Route[] => [
  visitor.post(
    'sso/',
    'Begin to sign in through a provider',
    {
      config: { ...open, waits: true },

      body: ProviderSignIn,
      reply: Component('ProviderSignInAddress', { url: Type.String() }),
    },
    async ({ body: { provider, return_to: returnTo = '/', again = false }, request, reply }) => {
      const visit = await linkVisitOf(request);
      const { url, cookies } = await beginSso(context, visit, provider, { returnTo, again });
      setCookies(reply, cookies);
      return { url };
    },
  ),
  visitor.get(
    'sso/callback/:provider',
    'Complete an OpenID Connect sign-in',
    {
      config: { ...open, waits: true },
      options: { errorHandler: pageOfError(context) },

      description: 'The provider redirects the browser to this address.',
      params: ProviderParams,
      query: {
        code: Type.Optional(Type.String({ maxLength: 4000 })),
        state: Type.Optional(Type.String({ maxLength: 200 })),
        error: Type.Optional(Type.String({ maxLength: 200 })),
        error_description: Type.Optional(Type.String({ maxLength: 4000 })),
      },
    },
    ({ params, query, request, reply }) =>
      redirectAfterSso(request, reply, context, async () =>
        completeOidc(context, await linkVisitOf(request), params.provider, query),
      ),
  ),
  visitor.get(
    'sso/continue/',
    'Go on after a SAML sign-in',
    {
      options: { errorHandler: pageOfError(context) },

      description:
        "Browsers do not send the session with the form of a provider's page. Gatehouse redirects here to see whether somebody else is signed in.",
      query: {
        return: Type.Optional(Type.String({ maxLength: 2000 })),
        finished: Type.Optional(Type.String({ maxLength: 64 })),
      },
    },
    ({ query, request, reply }) =>
      redirectAfterSso(request, reply, context, async () =>
        continueSso(context, await visitOf(request), query),
      ),
  ),
  visitor.get(
    'sso/saml/:provider/metadata/',
    "Get Gatehouse's metadata for a SAML provider",
    { params: ProviderParams },
    async ({ params, request, reply }) => {
      const metadata = await samlMetadata(context, await linkVisitOf(request), params.provider);
      return reply.type('application/samlmetadata+xml').send(metadata);
    },
  ),
];

const SamlForm = Form(
  Type.Object({
    SAMLResponse: Type.String({ description: 'At most 64 KB after decoding.' }),
    RelayState: Type.Optional(Type.String({ maxLength: 2000 })),
  }),
);

export const completeSaml = ({ context, crossSiteVisitor, linkVisitOf }: SignInTools): Route =>
  crossSiteVisitor.post(
    // better-auth writes this address into SAML metadata and requests.
    'sso/saml2/sp/acs/:provider',
    'Complete a SAML sign-in',
    {
      options: { errorHandler: pageOfError(context) },

      description:
        "The provider's page posts its response to this address. A response that Gatehouse did not request signs in nobody: the sign-in page then starts an ordinary sign-in at the provider.",
      params: ProviderParams,
      body: SamlForm,
    },
    ({ params, body, request, reply }) => {
      if (!body) throw signInRefusals.saml_response_missing();
      requireSize(body.SAMLResponse);
      return redirectAfterSso(request, reply, context, async () =>
        finishSaml(context, await linkVisitOf(request), params.provider, body),
      );
    },
  );
