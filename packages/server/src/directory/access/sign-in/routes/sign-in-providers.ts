import { Type } from 'typebox';
import { within } from '../../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../../kit/http/lists.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../../kit/http/versions.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { changeProvider, createProvider, getProvider, listProviders, removeProvider } from '../providers.ts';
import {
  NewProvider,
  onProvider,
  ProviderChange,
  ProviderView,
  readProviders,
  providerTags as tags,
  writeProviders,
} from './provider-schemas.ts';
import { ProviderParams } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function listProvidersRoute(http: Http, { db, origin, siteOf }: SignInTools) {
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
      const providers = await listProviders(within(db, request.principal.orgId), siteOf(request), page);
      return listReply(request, origin(request), page, providers);
    },
  );
}

export function createProviderRoute(http: Http, { db, linkVisitOf }: SignInTools) {
  http.post(
    '/api/sign-in-providers/',
    {
      config: { ...writeProviders, waits: true },
      schema: {
        tags,
        summary: 'Add sign-in provider',
        description:
          'With oidc, Gatehouse fetches the endpoints from the issuer immediately. Existing people sign in through a provider, found by their email address. A provider creates nobody. Only a signed-in owner can call this; API keys cannot.',
        body: NewProvider,
        response: { 201: ProviderView },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createProvider(callOf(db, request), await linkVisitOf(request), request.body);
    },
  );
}

export function getProviderRoute(http: Http, { db, siteOf }: SignInTools) {
  http.get(
    '/api/sign-in-providers/:provider/',
    {
      config: readProviders,
      schema: {
        tags,
        summary: 'Get sign-in provider',
        params: ProviderParams,
        response: { 200: withVersion(ProviderView) },
      },
    },
    async (request, reply) => {
      const { principal, params } = request;
      const provider = await getProvider(within(db, principal.orgId), siteOf(request), params.provider);
      reply.header('ETag', provider.version);
      return provider;
    },
  );
}

export function changeProviderRoute(http: Http, tools: SignInTools) {
  const { db, linkVisitOf } = tools;
  http.patch(
    '/api/sign-in-providers/:provider/',
    {
      config: { ...writeProviders, waits: true },
      onRequest: onProvider(tools),
      schema: {
        tags,
        summary: 'Update sign-in provider',
        description:
          'oidc or saml replaces the whole configuration. The client secret stays if it is not given. Only a signed-in owner can call this; API keys cannot.',
        params: ProviderParams,
        headers: IfMatchHeader,
        body: ProviderChange,
        response: { 200: withVersion(ProviderView) },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const provider = await changeProvider(
        callOf(db, request),
        await linkVisitOf(request),
        params.provider,
        body,
        ifMatchOf(request),
      );
      reply.header('ETag', provider.version);
      return provider;
    },
  );
}

export function removeProviderRoute(http: Http, tools: SignInTools) {
  http.delete(
    '/api/sign-in-providers/:provider/',
    {
      config: writeProviders,
      onRequest: onProvider(tools),
      schema: {
        tags,
        summary: 'Remove sign-in provider',
        description: 'Only a signed-in owner can call this; API keys cannot.',
        params: ProviderParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeProvider(callOf(tools.db, request), request.params.provider);
      reply.code(204);
      return null;
    },
  );
}
