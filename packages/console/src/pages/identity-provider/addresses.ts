import type { Provider } from './provider.ts';

export type Addresses = Pick<
  Provider,
  'start_url' | 'callback_url' | 'acs_url' | 'sp_entity_id' | 'metadata_url'
>;

/** The addresses of a provider that does not exist yet. Its ID decides them. */
export function addressesOf(kind: Provider['type'], baseUrl: string, id: string): Addresses {
  const auth = `${baseUrl}/auth/sso`;
  const metadata = `${auth}/saml/${id}/metadata/`;
  const start_url = `${baseUrl}/auth/start/?provider=${id}`;
  return kind === 'oidc'
    ? {
        start_url,
        callback_url: `${auth}/callback/${id}`,
        acs_url: null,
        sp_entity_id: null,
        metadata_url: null,
      }
    : {
        start_url,
        callback_url: null,
        acs_url: `${auth}/saml2/sp/acs/${id}`,
        sp_entity_id: metadata,
        metadata_url: null,
      };
}
