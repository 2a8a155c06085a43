import { Type } from 'typebox';
import { Component, Timestamp, Uuid } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import {
  listProviderLinks,
  listProviderLinksOf,
  removeProviderLink,
  removeProviderLinkOf,
} from '../provider-links.ts';
import { administer, changeOwn, NoContent, oversee, own, PersonParams, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

const ProviderLinkView = Component('ProviderLink', {
  id: Uuid,
  provider: Type.String({ description: 'The id of the provider.' }),
  name: Type.String({ description: 'The name of the provider.' }),
  subject: Type.String({ description: 'The `sub` or NameID that the provider gives the person.' }),
  created_at: Timestamp,
});
const Links = { 200: Component('ProviderLinks', { results: Type.Array(ProviderLinkView) }) };

export function providerLinkRoutes(http: Http, { db, onPerson }: SignInTools) {
  http.get(
    '/auth/provider-links/',
    { config: own, schema: { tags, summary: 'List your accounts at sign-in providers', response: Links } },
    async (request) => ({ results: await listProviderLinks(callOf(db, request)) }),
  );

  http.delete(
    '/auth/provider-links/:link_id/',
    {
      config: changeOwn,
      schema: {
        tags,
        summary: 'Unlink one of your accounts at a sign-in provider',
        description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
        params: Type.Object({ link_id: Uuid }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      await removeProviderLink(callOf(db, request), request.params.link_id);
      reply.code(204);
      return null;
    },
  );

  http.get(
    '/api/users/:user_id/provider-links/',
    {
      config: oversee,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "List a person's accounts at sign-in providers",
        params: PersonParams,
        response: Links,
      },
    },
    async (request) => ({ results: await listProviderLinksOf(callOf(db, request), request.params.user_id) }),
  );

  http.delete(
    '/api/users/:user_id/provider-links/:link_id/',
    {
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "Unlink a person's account at a sign-in provider",
        description:
          "The next account of the provider with the person's email address is linked instead. Ends the person's sessions.",
        params: Type.Object({ user_id: Uuid, link_id: Uuid }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { params } = request;
      await removeProviderLinkOf(callOf(db, request), params.user_id, params.link_id);
      reply.code(204);
      return null;
    },
  );
}
