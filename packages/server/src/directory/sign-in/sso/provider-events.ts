import { createHash } from 'node:crypto';
import type { Org } from '#kit/database.ts';
import type { RequestCause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { OidcConfig, SamlConfig } from '../protocols/provider-config.ts';
import type { NewProviderRow } from '../protocols/queries/providers.ts';

/** The events of changes to sign-in providers. Client secrets never enter them. */

const LONGEST_VALUE = 500;

const aboutProvider = ({ actor, source }: RequestCause, org: Org) => ({
  actor,
  subject: { type: 'system' as const, uuid: org.orgId },
  source,
});

const payloadOf = ({ provider_id, name, oidc_config }: NewProviderRow) => ({
  provider_id,
  name,
  kind: oidc_config === null ? 'saml' : 'oidc',
});

export const providerCreated = (cause: RequestCause, org: Org, row: NewProviderRow): NewEvent => ({
  type: 'provider.created',
  ...aboutProvider(cause, org),
  payload: payloadOf(row),
});

export const providerDeleted = (cause: RequestCause, org: Org, row: NewProviderRow): NewEvent => ({
  type: 'provider.deleted',
  ...aboutProvider(cause, org),
  payload: payloadOf(row),
});

/** Returns the `provider.updated` event with the fields that differ, or nothing if none does. */
export function providerUpdated(
  cause: RequestCause,
  org: Org,
  before: NewProviderRow,
  after: NewProviderRow,
  isNewSecret: boolean,
): NewEvent[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const changes = Object.keys({ ...old, ...now })
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field, from: shortened(old[field]), to: shortened(now[field]) }));
  if (isNewSecret) changes.push({ field: 'oidc.clientSecret', from: null, to: null });
  if (changes.length === 0) return [];
  const payload = { ...payloadOf(after), changes };
  return [{ type: 'provider.updated', ...aboutProvider(cause, org), payload }];
}

/** The fields that a change can name. */
const fieldsOf = (row: NewProviderRow): Record<string, unknown> => ({
  name: row.name,
  email_domains: row.domain === '' ? [] : row.domain.split(','),
  trusts_email: row.trusts_email,
  approved_for_owners: row.approved_for_owners_at !== null,
  ...configFields(row),
});

function configFields({ oidc_config, saml_config }: NewProviderRow): Record<string, unknown> {
  if (oidc_config !== null) {
    const { clientSecret: _, ...config } = JSON.parse(oidc_config) as OidcConfig;
    return prefixed('oidc', { ...config });
  }
  const { idpMetadata, givenMetadata: _, ...config } = JSON.parse(saml_config ?? '{}') as SamlConfig;
  return prefixed('saml', { ...config, idpMetadata: idpMetadata?.metadata });
}

const prefixed = (kind: string, config: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(config).map(([field, value]) => [`${kind}.${field}`, value]));

/** Metadata and certificates enter the log as a digest. */
const shortened = (value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST_VALUE
    ? `sha256:${createHash('sha256').update(value).digest('hex')}`
    : (value ?? null);
