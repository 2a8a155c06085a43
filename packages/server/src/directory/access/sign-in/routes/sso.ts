import { Type } from 'typebox';
import { Component } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { beginSso, samlMetadata } from '../sso.ts';
import { completeOidc } from '../sso-complete.ts';
import { continueSso } from '../sso-without-start.ts';
import { open, ProviderParams, tags } from './schemas.ts';
import { pageOfError, redirectAfterSso } from './sso-redirect.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function beginSsoRoute(http: Http, { context, onVisit, linkVisitOf }: SignInTools) {
  http.post(
    '/auth/sso/',
    {
      config: { ...open, waits: true },
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Begin to sign in through a provider',
        body: Component('ProviderSignIn', {
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
        }),
        response: { 200: Component('ProviderSignInAddress', { url: Type.String() }) },
      },
    },
    async (request, reply) => {
      const { provider, return_to = '/', again = false } = request.body;
      const options = { returnTo: return_to, again };
      const { url, cookies } = await beginSso(context, await linkVisitOf(request), provider, options);
      setCookies(reply, cookies);
      return { url };
    },
  );
}

export function completeOidcRoute(http: Http, { context, onVisit, linkVisitOf }: SignInTools) {
  http.get(
    '/auth/sso/callback/:provider',
    {
      config: { ...open, waits: true },
      onRequest: onVisit,
      errorHandler: pageOfError(context),
      schema: {
        tags,
        summary: 'Complete an OpenID Connect sign-in',
        description: 'The provider redirects the browser to this address.',
        params: ProviderParams,
        querystring: Type.Object({
          code: Type.Optional(Type.String({ maxLength: 4000 })),
          state: Type.Optional(Type.String({ maxLength: 200 })),
          error: Type.Optional(Type.String({ maxLength: 200 })),
          error_description: Type.Optional(Type.String({ maxLength: 4000 })),
        }),
      },
    },
    async (request, reply) =>
      redirectAfterSso(request, reply, context, async () =>
        completeOidc(context, await linkVisitOf(request), request.params.provider, request.query),
      ),
  );
}

export function continueSsoRoute(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.get(
    '/auth/sso/continue/',
    {
      config: open,
      onRequest: onVisit,
      errorHandler: pageOfError(context),
      schema: {
        tags,
        summary: 'Go on after a SAML sign-in',
        description:
          "Browsers do not send the session with the form of a provider's page. Gatehouse redirects here to see whether somebody else is signed in.",
        querystring: Type.Object({
          return: Type.Optional(Type.String({ maxLength: 2000 })),
          finished: Type.Optional(Type.String({ maxLength: 64 })),
        }),
      },
    },
    async (request, reply) =>
      redirectAfterSso(request, reply, context, async () =>
        continueSso(context, await visitOf(request), request.query),
      ),
  );
}

export function getSamlMetadataRoute(http: Http, { context, onVisit, linkVisitOf }: SignInTools) {
  http.get(
    '/auth/sso/saml/:provider/metadata/',
    {
      config: open,
      onRequest: onVisit,
      schema: { tags, summary: "Get Gatehouse's metadata for a SAML provider", params: ProviderParams },
    },
    async (request, reply) => {
      const metadata = await samlMetadata(context, await linkVisitOf(request), request.params.provider);
      return reply.type('application/samlmetadata+xml').send(metadata);
    },
  );
}
