import { revokeKeysOfProvider } from '#directory/access/keys.ts';
import { recordProviderChange } from '#directory/means/means.ts';
import { isDuplicate, type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, RequestCause } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { type IfMatch, requireVersion } from '#kit/versions.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import {
  authorityOf,
  type OidcConfig,
  type OidcInput,
  oidcConfig,
  type SamlConfig,
  type SamlInput,
  samlConfig,
} from '../protocols/provider-config.ts';
import { sealConfig, unsealConfig } from '../protocols/provider-secret.ts';
import * as queries from '../protocols/queries/providers.ts';
import { signInRefusals } from '../sentences.ts';
import { deleteProviderSessions } from '../sessions/sessions.ts';
import { metadataUrl, type Site } from '../visit/site.ts';
import { providerCreated, providerDeleted, providerUpdated } from './provider-events.ts';
import { certificatesExpireAt, providerVersion } from './provider-view.ts';

/** Ids that better-auth uses for other sign-in methods. */
const RESERVED = new Set(['credential', 'email-otp', 'magic-link', 'phone-number', 'anonymous', 'siwe']);

export interface ProviderInput {
  name?: string;
  oidc?: OidcInput | Omit<OidcInput, 'client_secret'>;
  saml?: SamlInput;
  email_domains?: string[];
  trusts_email?: boolean;
  approved_for_owners?: boolean;
}

export const listProviders = (db: OrgDb, page: Page): Promise<Slice<queries.ProviderRow>> =>
  queries.listProviders(db, page);

export interface ExpiringProvider {
  id: string;
  name: string;
  expires_at: Date;
}

/** Returns the SAML providers whose last certificate expires before a time, or has expired. */
export async function providersExpiringBefore(db: OrgDb, time: Date): Promise<ExpiringProvider[]> {
  const rows = await queries.listSamlProviders(db);
  return rows
    .map(({ provider_id, name, saml_config }) => ({
      id: provider_id,
      name,
      expires_at: certificatesExpireAt(JSON.parse(saml_config) as SamlConfig),
    }))
    .filter(({ expires_at }) => expires_at < time);
}

/** Creates a provider. Throws 409 if the id is taken, and 403 unless the caller has signed in recently. */
export async function createProvider(
  call: Call,
  site: Site,
  { id, ...input }: ProviderInput & { id: string },
): Promise<queries.ProviderRow> {
  const { userId } = call.principal;
  if (RESERVED.has(id)) throw signInRefusals.provider_id_reserved({ id });
  const config = await configOf(input, site, id);
  const row: queries.NewProviderRow = {
    provider_id: id,
    name: input.name ?? id,
    domain: (input.email_domains ?? []).join(','),
    trusts_email: trustsEmail(input, config, false),
    ...approvalOf(input, userId, NOT_APPROVED),
    ...(await storedOf(config, site)),
  };
  try {
    return await transaction(call, async (tx) => {
      const stored = await queries.insertProvider(tx, userId, row);
      await recordProviderChange(tx, id);
      await recordEvents(tx, [providerCreated(call.cause, call, stored)]);
      return stored;
    });
  } catch (error) {
    throw isDuplicate(error) ? signInRefusals.provider_id_taken({ id }) : error;
  }
}

/**
 * Changes a provider, if `ifMatch` names its version. Missing fields stay. Another issuer is another authority: its people are linked again by their
 * email address, and their sessions end.
 */
export async function changeProvider(
  call: Call,
  site: Site,
  id: string,
  input: ProviderInput,
  ifMatch: IfMatch = null,
): Promise<queries.ProviderRow> {
  const { userId } = call.principal;
  const before = await storedConfig(await requireProvider(call, id), site);
  const isOtherType = isSaml(before) ? input.oidc !== undefined : input.saml !== undefined;
  if (isOtherType) throw signInRefusals.provider_type_fixed();
  const isUnchanged = input.oidc === undefined && input.saml === undefined;
  const config = isUnchanged ? undefined : await configOf(input, site, id, before);
  const isNewSecret = input.oidc !== undefined && 'client_secret' in input.oidc;
  return transaction(call, async (tx) => {
    const row = await queries.lockProvider(tx, id);
    if (row === undefined) throw notFound('Sign-in provider');
    requireVersion(ifMatch, providerVersion(row));
    const stored = await queries.updateProvider(tx, {
      ...row,
      name: input.name ?? row.name,
      domain: input.email_domains?.join(',') ?? row.domain,
      trusts_email: trustsEmail(input, config ?? before, row.trusts_email),
      ...approvalOf(input, userId, row),
      ...(config === undefined ? {} : await storedOf(config, site)),
    });
    if (changesTrust(row, stored)) await recordProviderChange(tx, id);
    const ended = stored.issuer === row.issuer ? [] : await endTrust(tx, id, call.cause);
    await recordEvents(tx, [...providerUpdated(call.cause, call, row, stored, isNewSecret), ...ended]);
    return stored;
  });
}

export async function removeProvider(call: Call, id: string): Promise<void> {
  await transaction(call, async (tx) => {
    const row = await queries.lockProvider(tx, id);
    if (row === undefined) throw notFound('Sign-in provider');
    await queries.deleteProvider(tx, id);
    const ended = await endTrust(tx, id, call.cause);
    await recordEvents(tx, [providerDeleted(call.cause, call, row), ...ended]);
  });
}

/** Whether a change can decide whom a provider signs in. */
const changesTrust = (before: queries.ProviderRow, after: queries.ProviderRow) =>
  providerVersion({ ...before, name: '' }) !== providerVersion({ ...after, name: '' });

/** Removes a provider's links to people, and ends the sessions that began through it and the keys that were made in them. */
async function endTrust(tx: OrgTx, id: string, cause: RequestCause): Promise<NewEvent[]> {
  await queries.unlinkProviderAccounts(tx, id);
  const ended = await deleteProviderSessions(tx, id, cause.actor);
  return [...ended, ...(await revokeKeysOfProvider(tx, cause, id))];
}

type Approval = Pick<queries.ProviderRow, 'approved_for_owners_at' | 'approved_for_owners_by'>;

const NOT_APPROVED: Approval = { approved_for_owners_at: null, approved_for_owners_by: null };

/** Returns the person who approved the provider for owners, and the time. An approval that stays keeps both. */
function approvalOf({ approved_for_owners }: ProviderInput, ownerId: string, before: Approval): Approval {
  if (approved_for_owners === false) return NOT_APPROVED;
  const { approved_for_owners_at, approved_for_owners_by } = before;
  return approved_for_owners === undefined || approved_for_owners_at !== null
    ? { approved_for_owners_at, approved_for_owners_by }
    : { approved_for_owners_at: new Date(), approved_for_owners_by: ownerId };
}

function trustsEmail({ trusts_email }: ProviderInput, config: Config, before: boolean): boolean {
  if (trusts_email === true && isSaml(config)) throw signInRefusals.trusts_email_only_oidc();
  return trusts_email ?? before;
}

/** Returns a provider's row. Throws 404 if the organization has none with this id. */
export async function requireProvider(db: OrgDb, id: string): Promise<queries.ProviderRow> {
  // PostgreSQL rejects text with a NUL, so no row can have such an id.
  const row = id.includes('\0') ? undefined : await queries.findProvider(db, id);
  if (row === undefined) throw notFound('Sign-in provider');
  return row;
}

type Config = OidcConfig | SamlConfig;

const isSaml = (config: Config): config is SamlConfig => 'idpMetadata' in config;

async function configOf(
  { oidc, saml }: ProviderInput,
  site: Site,
  id: string,
  before?: Config,
): Promise<Config> {
  if (saml !== undefined && oidc === undefined) {
    // The provider has registered our first entity id, which must therefore stay.
    const spEntityId = before !== undefined && isSaml(before) ? before.issuer : metadataUrl(site, id);
    return samlConfig(saml, spEntityId, site.origin);
  }
  if (oidc === undefined || saml !== undefined) throw signInRefusals.provider_oidc_or_saml();
  const known = before === undefined || isSaml(before) ? undefined : before.clientSecret;
  const client_secret = 'client_secret' in oidc ? oidc.client_secret : known;
  if (client_secret === undefined) throw signInRefusals.client_secret_missing();
  return oidcConfig({ ...oidc, client_secret }, site.origin);
}

type Stored = Pick<queries.NewProviderRow, 'issuer' | 'oidc_config' | 'saml_config'>;

async function storedOf(config: Config, { organization }: Site): Promise<Stored> {
  if (isSaml(config))
    return { issuer: await authorityOf(config), oidc_config: null, saml_config: JSON.stringify(config) };
  const sealed = await sealConfig(config, organization.sign_in_secret);
  return { issuer: config.issuer, oidc_config: sealed, saml_config: null };
}

async function storedConfig(row: queries.ProviderRow, { organization }: Site): Promise<Config> {
  const { oidc_config, saml_config } = row;
  return JSON.parse(
    oidc_config === null ? (saml_config ?? '') : await unsealConfig(oidc_config, organization.sign_in_secret),
  );
}
