import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import { Nullable, Timestamp } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import * as providers from './providers.ts';
import type { Ways } from './routes.ts';

const Text = Type.String({ minLength: 1, maxLength: 2000 });
const Id = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
  description: 'Stands in the addresses that the provider is given.',
});
const Name = Type.String({ minLength: 1, maxLength: 100, description: 'On the sign-in page.' });
const Domain = Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$', maxLength: 253 });
const Domains = Type.Array(Domain, {
  maxItems: 100,
  description: 'Addresses of other domains are not believed. None: all are.',
});
const oidcFields = {
  issuer: Text,
  client_id: Text,
  scopes: Type.Optional(
    Type.Array(Text, { maxItems: 20, description: 'openid, email, profile by default.' }),
  ),
  discovery_url: Type.Optional(Text),
};
const secret = Type.String({ minLength: 1, maxLength: 2000, description: 'Never answered.' });
const Saml = Type.Object(
  {
    idp_metadata: Type.Optional(Type.String({ minLength: 1, maxLength: 100_000, description: 'XML.' })),
    entity_id: Type.Optional(Text),
    sso_url: Type.Optional(Text),
    certificate: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000, description: 'PEM.' })),
    email_attribute: Type.Optional(Text),
  },
  { description: 'idp_metadata, or entity_id, sso_url and certificate.' },
);

const NewProvider = Type.Object({
  id: Id,
  name: Type.Optional(Name),
  oidc: Type.Optional(Type.Object({ ...oidcFields, client_secret: secret })),
  saml: Type.Optional(Saml),
  email_domains: Type.Optional(Domains),
});
const ProviderChange = Type.Object({
  name: Type.Optional(Name),
  oidc: Type.Optional(Type.Object({ ...oidcFields, client_secret: Type.Optional(secret) })),
  saml: Type.Optional(Saml),
  email_domains: Type.Optional(Domains),
});
const ToPaste = (what: string) => Nullable(Type.String({ description: what }));
const ProviderView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.Union([Type.Literal('oidc'), Type.Literal('saml')]),
  oidc: Nullable(
    Type.Object({
      issuer: Type.String(),
      client_id: Type.String(),
      scopes: Type.Array(Type.String()),
      discovery_url: Type.String(),
    }),
  ),
  saml: Nullable(
    Type.Object({
      idp_metadata: Nullable(Type.String()),
      entity_id: Type.String(),
      sso_url: Nullable(Type.String()),
      certificate: Nullable(Type.String()),
      email_attribute: Nullable(Type.String()),
    }),
  ),
  email_domains: Type.Array(Type.String()),
  callback_url: ToPaste('OpenID Connect: the redirect URI to register with the provider.'),
  acs_url: ToPaste('SAML: where the provider sends its answers, with the HTTP-POST binding.'),
  sp_entity_id: ToPaste('SAML: what the provider calls us, and names as the audience.'),
  metadata_url: ToPaste('SAML: our metadata, which says both.'),
  created_at: Timestamp,
});

const read = { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } } as const;
const write = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
const tags = ['Sign-in providers'];
const params = Type.Object({ provider: Type.String() });

/** Where people of the organization may sign in from: OpenID Connect and SAML (issue "Console"). */
export function providerRoutes(http: Http, { db, origin, organizationOf }: Ways) {
  const siteOf = async (request: FastifyRequest): Promise<providers.Site> => {
    const { slug, sign_in_secret } = await organizationOf(request);
    return { origin: origin(request), slug, secret: sign_in_secret };
  };
  const onProvider = async (request: FastifyRequest) => {
    await providers.rowOf(db, request.principal.orgId, (request.params as { provider: string }).provider);
  };

  http.get(
    '/api/sign-in-providers/',
    {
      config: read,
      schema: {
        tags,
        summary: 'List sign-in providers',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ProviderView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const found = await providers.listProviders(db, request.principal.orgId, await siteOf(request), page);
      return listReply(request, origin(request), page, found);
    },
  );

  http.post(
    '/api/sign-in-providers/',
    {
      config: write,
      schema: {
        tags,
        summary: 'Add a sign-in provider',
        description:
          'With oidc, its endpoints are asked of the issuer now, over https. People sign in through it who are in the organization already, by their email address.',
        body: NewProvider,
        response: { 201: ProviderView },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return providers.createProvider(db, request.principal, await siteOf(request), request.body);
    },
  );

  http.get(
    '/api/sign-in-providers/:provider/',
    {
      config: read,
      schema: { tags, summary: 'Get a sign-in provider', params, response: { 200: ProviderView } },
    },
    async (request) =>
      providers.providerOf(db, request.principal.orgId, await siteOf(request), request.params.provider),
  );

  http.patch(
    '/api/sign-in-providers/:provider/',
    {
      config: write,
      onRequest: onProvider,
      schema: {
        tags,
        summary: 'Change a sign-in provider',
        description:
          'oidc or saml, where given, replaces what was there; the client secret stays if it is not given.',
        params,
        body: ProviderChange,
        response: { 200: ProviderView },
      },
    },
    async (request) =>
      providers.changeProvider(
        db,
        request.principal,
        await siteOf(request),
        request.params.provider,
        request.body,
      ),
  );

  http.delete(
    '/api/sign-in-providers/:provider/',
    {
      config: write,
      onRequest: onProvider,
      schema: { tags, summary: 'Remove a sign-in provider', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await providers.removeProvider(db, request.principal, request.params.provider);
      reply.code(204);
      return null;
    },
  );
}
