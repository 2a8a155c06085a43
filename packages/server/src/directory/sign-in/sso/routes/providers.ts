import { Type } from 'typebox';
import { type Route, resource } from '#kit/http.ts';
import type { SignInTools } from '../../auth/routes/tools.ts';
import { NewProvider, ProviderChange, ProviderView } from '../provider-schemas.ts';
import { providerVersion, viewOf } from '../provider-view.ts';
import {
  changeProvider,
  createProvider,
  listProviders,
  removeProvider,
  requireProvider,
} from '../providers.ts';

const reading = { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } } as const;
/** A provider decides who is who. Only a signed-in owner may change that: no administrator, and no API key. */
const managing = { access: { scope: 'session', roles: ['owner'], stepUp: true } } as const;

export function providerRoutes({ siteOf, linkVisitOf }: SignInTools): Route[] {
  const providers = resource({
    path: '/api/sign-in-providers/',
    tag: 'Sign-in providers',
    reading,
    managing,
    id: 'provider',
    idSchema: Type.String(),
    find: requireProvider,
    schema: ProviderView,
    view: (row, _, request) => viewOf(row, siteOf(request)),
    version: providerVersion,
  });
  return [
    providers.list('List sign-in providers', {}, (call, _, page) => listProviders(call, page)),
    providers.create(
      'Add sign-in provider',
      {
        description:
          'With oidc, Gatehouse fetches the endpoints from the issuer immediately. Existing people sign in through a provider, found by their email address. A provider creates nobody. Only a signed-in owner can call this; API keys cannot.',
        config: { ...managing, waits: true },
        body: NewProvider,
      },
      async ({ call, body, request }) => createProvider(call, await linkVisitOf(request), body),
    ),
    providers.get('Get sign-in provider'),
    providers.change(
      'Update sign-in provider',
      {
        description:
          'oidc or saml replaces the whole configuration. The client secret stays if it is not given. Only a signed-in owner can call this; API keys cannot.',
        config: { ...managing, waits: true },
        body: ProviderChange,
      },
      async ({ call, found, body, ifMatch, request }) =>
        changeProvider(call, await linkVisitOf(request), found.provider_id, body, ifMatch),
    ),
    providers.remove(
      'Remove sign-in provider',
      { description: 'Only a signed-in owner can call this; API keys cannot.' },
      ({ call, found }) => removeProvider(call, found.provider_id),
    ),
  ];
}
