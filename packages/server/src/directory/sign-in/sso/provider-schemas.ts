import { type Static, Type } from 'typebox';
import { Component, Nullable, Timestamp } from '#kit/schemas.ts';
import { ProviderType } from '../protocols/provider-config.ts';

const Text = Type.String({ minLength: 1, maxLength: 2000 });
const Id = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
  description: 'Part of the addresses that are registered with the provider.',
});
const Name = Type.String({ minLength: 1, maxLength: 100, description: 'Shown on the sign-in page.' });
const Domain = Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$', maxLength: 253 });
const Domains = Type.Array(Domain, {
  maxItems: 100,
  description:
    'The email domains for which the provider is trusted. An empty list trusts it for all domains.',
});
const TrustsEmail = Type.Boolean({
  description:
    'OpenID Connect: accept email addresses for which the provider sends no email_verified claim. An address that it marks as unverified is always refused.',
});
const ApprovedForOwners = Type.Boolean({
  description: 'Whether people with the role owner may sign in through the provider.',
});
const oidcFields = {
  issuer: Text,
  client_id: Text,
  scopes: Type.Optional(
    Type.Array(Text, { maxItems: 20, description: 'Defaults to openid, email and profile.' }),
  ),
  discovery_url: Type.Optional(Text),
};
const Secret = Type.String({ minLength: 1, maxLength: 2000, description: 'Never returned.' });
const Saml = Component(
  'SamlSettings',
  {
    idp_metadata: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100_000, description: "The provider's metadata as XML." }),
    ),
    entity_id: Type.Optional(Text),
    sso_url: Type.Optional(Text),
    certificate: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20_000,
        description:
          'X.509 certificates as PEM, ten at most. While the provider changes its certificate, give the old one and the new one.',
      }),
    ),
    email_attribute: Type.Optional(Text),
  },
  { description: 'Needs either idp_metadata, or entity_id, sso_url and certificate.' },
);

export const NewProvider = Component('NewSignInProvider', {
  id: Id,
  name: Type.Optional(Name),
  oidc: Type.Optional(Type.Object({ ...oidcFields, client_secret: Secret })),
  saml: Type.Optional(Saml),
  email_domains: Type.Optional(Domains),
  trusts_email: Type.Optional(TrustsEmail),
  approved_for_owners: Type.Optional(ApprovedForOwners),
});
export const ProviderChange = Component('SignInProviderChange', {
  name: Type.Optional(Name),
  oidc: Type.Optional(Type.Object({ ...oidcFields, client_secret: Type.Optional(Secret) })),
  saml: Type.Optional(Saml),
  email_domains: Type.Optional(Domains),
  trusts_email: Type.Optional(TrustsEmail),
  approved_for_owners: Type.Optional(ApprovedForOwners),
});

const Address = (description: string) => Nullable(Type.String({ description }));
/** A sign-in provider, without its secret. */
export const ProviderView = Component('SignInProvider', {
  id: Type.String(),
  name: Type.String(),
  type: ProviderType,
  oidc: Nullable(
    Type.Object({
      issuer: Type.String(),
      client_id: Type.String(),
      scopes: Type.Array(Type.String()),
      discovery_url: Type.String(),
    }),
  ),
  saml: Nullable(
    Type.Object({
      idp_metadata: Nullable(Type.String()),
      entity_id: Type.String(),
      sso_url: Nullable(Type.String()),
      certificate: Nullable(Type.String({ description: 'All certificates as PEM.' })),
      certificates_expire_at: { ...Timestamp, description: 'When the last certificate expires.' },
      email_attribute: Nullable(Type.String()),
    }),
  ),
  email_domains: Type.Array(Type.String()),
  trusts_email: Type.Boolean(),
  approved_for_owners: Type.Boolean(),
  approved_for_owners_by: Nullable(Type.String({ description: 'The owner who approved it.' })),
  approved_for_owners_at: Nullable(Timestamp),
  tells_auth_time: Type.Enum(['yes', 'no', 'unknown'], {
    description:
      'Whether the provider said when it authenticated the person, at the last sign-in through it. `unknown`: nobody has signed in through it since its settings changed.',
  }),
  start_url: Address(
    "Starts a sign-in from elsewhere: the address of a portal's tile, and the `initiate_login_uri` of OpenID Connect.",
  ),
  callback_url: Address('OpenID Connect: the redirect URI to register with the provider.'),
  acs_url: Address(
    'SAML: the assertion consumer service, to which the provider posts its responses (HTTP-POST binding).',
  ),
  sp_entity_id: Address("SAML: Gatehouse's entity id, which the provider names as the audience."),
  metadata_url: Address('SAML: the address of our metadata, which has the ACS URL and the entity id.'),
  created_at: Timestamp,
});
export type Provider = Static<typeof ProviderView>;
