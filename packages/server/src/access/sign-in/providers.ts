import type { SAMLConfig } from '@better-auth/sso';
import type { Principal } from '../../identity/principal.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import type { Page, Slice } from '../../platform/http/lists.ts';
import {
  authorityOf,
  type OidcConfig,
  type OidcInput,
  oidcConfig,
  type SamlInput,
  samlConfig,
} from './provider-config.ts';
import * as rows from './provider-queries.ts';
import { sealed, unsealed } from './provider-secret.ts';

/** Names that better-auth gives to other ways of signing in. */
const RESERVED = new Set(['credential', 'email-otp', 'magic-link', 'phone-number', 'anonymous', 'siwe']);

/** Where the deployment is: `{origin}/org/{slug}` and the key of its secrets. */
export interface Site {
  origin: string;
  slug: string;
  secret: string;
}

export interface ProviderInput {
  name?: string;
  oidc?: OidcInput | Omit<OidcInput, 'client_secret'>;
  saml?: SamlInput;
  email_domains?: string[];
}

export interface Provider {
  id: string;
  name: string;
  type: 'oidc' | 'saml';
  oidc: { issuer: string; client_id: string; scopes: string[]; discovery_url: string } | null;
  saml: {
    idp_metadata: string | null;
    entity_id: string;
    sso_url: string | null;
    certificate: string | null;
    email_attribute: string | null;
  } | null;
  email_domains: string[];
  callback_url: string | null;
  acs_url: string | null;
  sp_entity_id: string | null;
  metadata_url: string | null;
  created_at: Date;
}

export async function listProviders(db: Db, orgId: string, site: Site, page: Page): Promise<Slice<Provider>> {
  const { count, results } = await rows.list(db, orgId, page);
  return { count, results: results.map((row) => viewOf(row, site)) };
}

/** 404 for one of another organization, as for one that never was. */
export async function providerOf(db: Db, orgId: string, site: Site, id: string): Promise<Provider> {
  return viewOf(await rowOf(db, orgId, id), site);
}

export async function createProvider(
  db: Db,
  { orgId, userId }: Principal,
  site: Site,
  { id, ...input }: ProviderInput & { id: string },
): Promise<Provider> {
  if (RESERVED.has(id)) throw invalid(`${id} cannot be the id of a provider.`);
  const config = await configOf(input, site, id);
  const saved = await savedOf(site, config, {
    provider_id: id,
    name: input.name ?? id,
    domain: (input.email_domains ?? []).join(','),
  });
  return viewOf(await rows.insert(db, orgId, userId, saved), site);
}

/** What is not given stays. Another issuer is another authority: who was linked through the old one is linked anew. */
export async function changeProvider(
  db: Db,
  { orgId }: Principal,
  site: Site,
  id: string,
  input: ProviderInput,
): Promise<Provider> {
  const row = await rowOf(db, orgId, id);
  const before = await keptOf(row, site);
  const isOtherType = 'idpMetadata' in before ? input.oidc !== undefined : input.saml !== undefined;
  if (isOtherType) throw invalid('A provider stays what it is. Add another one.');
  const isKept = input.oidc === undefined && input.saml === undefined;
  const config = isKept ? before : await configOf(input, site, id, before);
  const saved = await savedOf(site, config, {
    provider_id: id,
    name: input.name ?? row.name,
    domain: input.email_domains?.join(',') ?? row.domain,
  });
  return transaction(db, async (tx) => {
    const changed = await rows.update(tx, orgId, saved);
    if (changed === undefined) throw notFound('Sign-in provider');
    if (authorityOf(config) !== authorityOf(before)) await rows.unlink(tx, orgId, id);
    return viewOf(changed, site);
  });
}

export async function removeProvider(db: Db, { orgId }: Principal, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await rows.remove(tx, orgId, id))) throw notFound('Sign-in provider');
    await rows.unlink(tx, orgId, id);
  });
}

export async function rowOf(db: Db, orgId: string, id: string): Promise<rows.ProviderRow> {
  // No text with a NUL in it is any row's.
  const row = id.includes('\0') ? undefined : await rows.find(db, orgId, id);
  if (row === undefined) throw notFound('Sign-in provider');
  return row;
}

type Config = OidcConfig | SAMLConfig;

async function configOf(
  { oidc, saml }: ProviderInput,
  site: Site,
  id: string,
  before?: Config,
): Promise<Config> {
  if (saml !== undefined && oidc === undefined) {
    // The provider knows us by the name that it was told first.
    const spEntityId =
      before !== undefined && 'idpMetadata' in before ? before.issuer : metadataUrl(site, id);
    return samlConfig(saml, spEntityId, site.origin);
  }
  if (oidc === undefined || saml !== undefined) throw invalid('Give oidc or saml, and not both.');
  const known = before !== undefined && 'clientSecret' in before ? before.clientSecret : undefined;
  const client_secret = 'client_secret' in oidc ? oidc.client_secret : known;
  if (client_secret === undefined) throw invalid('oidc.client_secret: Field required');
  return oidcConfig({ ...oidc, client_secret }, site.origin);
}

async function savedOf(
  { secret }: Site,
  config: Config,
  rest: Pick<rows.Saved, 'provider_id' | 'name' | 'domain'>,
): Promise<rows.Saved> {
  return 'idpMetadata' in config
    ? { ...rest, issuer: authorityOf(config), oidc_config: null, saml_config: JSON.stringify(config) }
    : { ...rest, issuer: config.issuer, oidc_config: await sealed(config, secret), saml_config: null };
}

async function keptOf({ oidc_config, saml_config }: rows.ProviderRow, { secret }: Site): Promise<Config> {
  return JSON.parse(oidc_config === null ? (saml_config ?? '') : await unsealed(oidc_config, secret));
}

const below = ({ origin, slug }: Site) => `${origin}/org/${slug}/auth`;
const metadataUrl = (site: Site, id: string) => `${below(site)}/sso/saml/${id}/metadata/`;

function viewOf(row: rows.ProviderRow, site: Site): Provider {
  const { provider_id: id, name, domain, created_at } = row;
  const shared = { id, name, email_domains: domain === '' ? [] : domain.split(','), created_at };
  if (row.oidc_config !== null) {
    const config = JSON.parse(row.oidc_config) as OidcConfig;
    return {
      ...shared,
      type: 'oidc',
      oidc: {
        issuer: config.issuer,
        client_id: config.clientId,
        scopes: config.scopes ?? [],
        discovery_url: config.discoveryEndpoint,
      },
      saml: null,
      callback_url: `${below(site)}/sso/callback/${id}`,
      acs_url: null,
      sp_entity_id: null,
      metadata_url: null,
    };
  }
  const config = JSON.parse(row.saml_config ?? '') as SAMLConfig;
  const certificate = [config.cert ?? null].flat()[0] ?? null;
  return {
    ...shared,
    type: 'saml',
    oidc: null,
    saml: {
      idp_metadata: certificate === null ? (config.idpMetadata.metadata ?? null) : null,
      entity_id: row.issuer,
      sso_url: certificate === null ? null : config.entryPoint,
      certificate,
      email_attribute: config.mapping?.email ?? null,
    },
    callback_url: null,
    acs_url: `${below(site)}/sso/saml2/sp/acs/${id}`,
    sp_entity_id: config.issuer,
    metadata_url: metadataUrl(site, id),
  };
}
