import { Type } from 'typebox';
import { noContent, type Route } from '#kit/http.ts';
import { Component, Timestamp, Uuid } from '#kit/schemas.ts';
import { ownSignIn, person } from '../../auth/routes/schemas.ts';
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

export const providerLinkRoutes: Route[] = [
  ownSignIn.get(
    'provider-links/',
    'List your accounts at sign-in providers',
    { reply: ProviderLinks },
    async ({ call }) => ({ results: await listProviderLinks(call) }),
  ),
  ownSignIn.delete(
    'provider-links/:link_id/',
    'Unlink one of your accounts at a sign-in provider',
    {
      description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
      params: { link_id: Uuid },
      ...noContent,
    },
    ({ call, params }) => removeProviderLink(call, params.link_id),
  ),
  person.get(
    'provider-links/',
    "List a person's accounts at sign-in providers",
    { reply: ProviderLinks },
    async ({ call, found }) => ({ results: await listProviderLinksOf(call, found) }),
  ),
  person.delete(
    'provider-links/:link_id/',
    "Unlink a person's account at a sign-in provider",
    {
      description:
        "The next account of the provider with the person's email address is linked instead. Ends the person's sessions.",
      params: { link_id: Uuid },
      ...noContent,
    },
    ({ call, found, params }) => removeProviderLinkOf(call, found, params.link_id),
  ),
];
