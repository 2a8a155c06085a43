import { Type } from 'typebox';
import { noContent, type Route, route } from '#kit/http.ts';
import { Component, Timestamp, Uuid } from '#kit/schemas.ts';
import { administer, changeOwn, oversee, own, PersonParams, tag } from '../../auth/routes/schemas.ts';
import type { SignInTools } from '../../auth/routes/tools.ts';
import {
  listProviderLinks,
  listProviderLinksOf,
  removeProviderLink,
  removeProviderLinkOf,
} from '../provider-links.ts';

const ProviderLinkView = Component('ProviderLink', {
  id: Uuid,
  provider: Type.String({ description: 'The id of the provider.' }),
  name: Type.String({ description: 'The name of the provider.' }),
  subject: Type.String({ description: 'The `sub` or NameID that the provider gives the person.' }),
  created_at: Timestamp,
});
const ProviderLinks = Component('ProviderLinks', { results: Type.Array(ProviderLinkView) });

export const providerLinkRoutes = ({ onPerson }: SignInTools): Route[] => [
  route(
    'GET',
    '/auth/provider-links/',
    { tag, config: own, summary: 'List your accounts at sign-in providers', reply: ProviderLinks },
    async ({ call }) => ({ results: await listProviderLinks(call) }),
  ),
  route(
    'DELETE',
    '/auth/provider-links/:link_id/',
    {
      tag,
      config: changeOwn,
      summary: 'Unlink one of your accounts at a sign-in provider',
      description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
      params: { link_id: Uuid },
      ...noContent,
    },
    ({ call, params }) => removeProviderLink(call, params.link_id),
  ),
  route(
    'GET',
    '/api/users/:user_id/provider-links/',
    {
      tag,
      config: oversee,
      before: onPerson,
      summary: "List a person's accounts at sign-in providers",
      params: PersonParams,
      reply: ProviderLinks,
    },
    async ({ call, params }) => ({ results: await listProviderLinksOf(call, params.user_id) }),
  ),
  route(
    'DELETE',
    '/api/users/:user_id/provider-links/:link_id/',
    {
      tag,
      config: administer,
      before: onPerson,
      summary: "Unlink a person's account at a sign-in provider",
      description:
        "The next account of the provider with the person's email address is linked instead. Ends the person's sessions.",
      params: { ...PersonParams, link_id: Uuid },
      ...noContent,
    },
    ({ call, params }) => removeProviderLinkOf(call, params.user_id, params.link_id),
  ),
];
