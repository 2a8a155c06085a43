import { t } from '@lingui/core/macro';
import { check } from '../../kit/form/choice-fields.tsx';
import type { Body } from '../../kit/form/field.ts';
import { password } from '../../kit/form/password-field.tsx';
import { tags } from '../../kit/form/tags-field.tsx';
import { area, text } from '../../kit/form/text-fields.tsx';
import type { Provider } from './provider.ts';
import type { Protocol } from './search.ts';

export const OIDC = {
  issuer: text({
    label: t`Issuer`,
    description: t`For example https://keycloak.example.com/realms/staff. Gatehouse checks it when you save.`,
    required: true,
    autoComplete: 'off',
  }),
  client_id: text({ label: t`Client ID`, required: true, autoComplete: 'off' }),
  client_secret: password({ label: t`Client secret`, autoComplete: 'new-password' }),
};
export const SAML = {
  idp_metadata: area({ label: t`Provider metadata`, rows: 7, autoComplete: 'off' }),
  email_attribute: text({
    label: t`Email attribute`,
    description: t`Leave empty to use the attribute email, or else the NameID.`,
    autoComplete: 'off',
  }),
};
export const FIELDS = {
  name: text({
    label: t`Name`,
    description: t`Shown on the sign-in page.`,
    required: true,
    maxLength: 100,
    autoComplete: 'off',
    'data-autofocus': true,
  }),
  id: text({
    label: t`ID`,
    description: t`Part of the URLs that you enter at the provider. It cannot be changed.`,
    required: true,
    maxLength: 63,
    pattern: '[a-z0-9][a-z0-9\\-]*',
    title: t`Lowercase letters, digits and hyphens`,
    autoComplete: 'off',
  }),
  ...OIDC,
  ...SAML,
  email_domains: tags({
    label: t`Email domains`,
    description: t`The provider can sign in people of these domains only. Leave empty to allow all addresses.`,
    change: (domains) => domains.map((domain) => domain.toLowerCase()),
  }),
  trusts_email: check({
    label: t`Trust email addresses without verification`,
    description: t`Accept addresses that the provider does not declare as verified, for example from Entra ID. Turn this on only if people cannot choose their own address there.`,
  }),
  approved_for_owners: check({
    label: t`Approve for owners`,
    description: t`Owners can sign in through this provider. Its administrators could then act as an owner of your organization.`,
  }),
};
export type Settings = Body<typeof FIELDS>;

/** The fields that the provider shows, by protocol. */
export const FROM_PROVIDER = {
  oidc: ['issuer', 'client_id', 'client_secret'],
  saml: ['idp_metadata', 'email_attribute'],
} as const;

/** The fields about who may sign in, by protocol. */
export const ACCESS = {
  oidc: ['email_domains', 'trusts_email', 'approved_for_owners'],
  saml: ['email_domains', 'approved_for_owners'],
} as const;

/** Returns the field for a path of the API. */
export const fieldOf = (path: string) => path.replace(/^(oidc|saml)\./, '');

export const METADATA_WORDS = t`The XML document that the provider publishes. Gatehouse trusts the certificate in it.`;

function samlOf({ idp_metadata, email_attribute }: Settings, of?: Provider) {
  const { entity_id, sso_url, certificate } = of?.saml ?? {};
  const keeps = idp_metadata === '' && entity_id && sso_url && certificate;
  const authority = keeps ? { entity_id, sso_url, certificate } : { idp_metadata };
  return { ...authority, ...(email_attribute === '' ? {} : { email_attribute }) };
}

const oidcOf = ({ issuer, client_id, client_secret }: Settings) => ({ issuer, client_id, client_secret });

const sharedOf = ({ name, email_domains, trusts_email, approved_for_owners }: Settings) => ({
  name,
  email_domains,
  trusts_email,
  approved_for_owners,
});

export function newOf(kind: Protocol, body: Settings) {
  const shared = { id: body.id, ...sharedOf(body) };
  return kind === 'oidc' ? { ...shared, oidc: oidcOf(body) } : { ...shared, saml: samlOf(body) };
}

/**
 * Leaves out unchanged settings, so that the server does not fetch the provider's endpoints again. Somebody who keeps their
 * change of a provider that is no longer `of` sends all settings.
 */
export function changeOf(body: Settings, of: Provider, isUnchanged: boolean) {
  const shared = sharedOf(body);
  if (isUnchanged) return shared;
  if (of.oidc === null) return { ...shared, saml: samlOf(body, of) };
  const { client_secret, ...settings } = oidcOf(body);
  const secret = client_secret === '' ? {} : { client_secret };
  return { ...shared, oidc: { ...settings, scopes: of.oidc.scopes, ...secret } };
}
