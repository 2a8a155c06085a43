/* oxlint-disable lingui/no-unlocalized-strings -- names in the forms of other products stay as they are. */
import { t } from '@lingui/core/macro';
import type { Addresses } from './addresses.ts';
import type { ProductId } from './search.ts';

/** A field of a product's form, and what belongs into it. */
export type Entry = readonly [field: string, value: string | null];

/** How Gatehouse is registered at a product, for one protocol. */
interface Registration {
  /** Where people begin. Undefined: it is not known. */
  at?: { console: string; menu: string };
  /** The fields with a choice, and the choice. */
  choose: readonly Entry[];
  /** Returns the fields to fill, and the values to copy into them. */
  enter: (addresses: Addresses) => readonly Entry[];
  /** Where the product shows what our form asks for, by our field. */
  shows: Partial<Record<'issuer' | 'client_id' | 'client_secret' | 'idp_metadata', string>>;
  /** Values of our form that are the same for all customers of the product. */
  known?: Partial<Record<'issuer' | 'email_attribute', string>>;
  /** The pattern of the issuer. */
  issuer?: string;
  notes?: readonly string[];
}

/** How a product sends people to Gatehouse. */
interface Provisioning {
  at?: { console: string; menu: string };
  choose: readonly Entry[];
  enter: (address: string) => readonly Entry[];
  /** The field for the key. */
  key: string;
  /** The product's attributes, and what they are mapped to. */
  mapping: readonly Entry[];
  notes?: readonly string[];
}

interface Product {
  name: string;
  /** The ID that a new provider gets. */
  id: string;
  oidc: Registration;
  saml: Registration;
  /** The reason if the product sends nobody. */
  scim: Provisioning | string;
}

const WORK_EMAIL = 'emails[type eq "work"].value';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const LEAVE = 'urn:ietf:params:scim:schemas:extension:gatehouse:2.0:User';
const EMAIL_CLAIM = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress';

export const PRODUCT: Record<ProductId, Product> = {
  okta: {
    name: 'Okta',
    id: 'okta',
    oidc: {
      at: { console: 'Okta Admin Console', menu: 'Applications › Applications › Create App Integration' },
      choose: [
        ['Sign-in method', 'OIDC - OpenID Connect'],
        ['Application type', 'Web Application'],
        ['Grant type', 'Authorization Code'],
        ['Login initiated by', 'Either Okta or App'],
      ],
      enter: ({ callback_url, start_url }) => [
        ['Sign-in redirect URIs', callback_url],
        ['Initiate login URI', start_url],
      ],
      issuer: 'https://example.okta.com',
      shows: {
        issuer: 'Sign On › OpenID Connect ID Token › Issuer (Okta URL)',
        client_id: 'General › Client Credentials › Client ID',
        client_secret: 'General › Client Secrets',
      },
    },
    saml: {
      at: { console: 'Okta Admin Console', menu: 'Applications › Applications › Create App Integration' },
      choose: [
        ['Sign-in method', 'SAML 2.0'],
        ['Name ID format', 'EmailAddress'],
        ['Application username', 'Email'],
      ],
      enter: ({ acs_url, sp_entity_id, start_url }) => [
        ['Single sign-on URL', acs_url],
        ['Audience URI (SP Entity ID)', sp_entity_id],
        ['Bookmark App › URL', start_url],
      ],
      shows: { idp_metadata: 'Sign On › SAML 2.0 › Metadata details › Metadata URL' },
    },
    scim: {
      at: { console: 'Okta Admin Console', menu: 'Applications › General › App Settings' },
      choose: [
        ['Provisioning', 'SCIM'],
        ['Unique identifier field for users', 'userName'],
        ['Supported provisioning actions', 'Push New Users, Push Profile Updates, Push Groups'],
        ['Authentication Mode', 'HTTP Header'],
        ['To App', 'Create Users, Update User Attributes, Deactivate Users'],
      ],
      enter: (address) => [['SCIM connector base URL', address]],
      key: 'HTTP Header › Authorization',
      mapping: [
        ['Application username', 'userName'],
        ['user.email', WORK_EMAIL],
        ['user.firstName', 'name.givenName'],
        ['user.lastName', 'name.familyName'],
        ['user.department', `${ENTERPRISE}:department`],
        ['user.managerId', `${ENTERPRISE}:manager.value`],
      ],
      notes: [
        t`Okta offers SCIM for SAML and SWA integrations, but not for OpenID Connect. If people sign in with OpenID Connect, create a second integration for SCIM.`,
      ],
    },
  },
  entra: {
    name: 'Microsoft Entra ID',
    id: 'entra',
    oidc: {
      at: {
        console: 'Microsoft Entra admin center',
        menu: 'Entra ID › App registrations › New registration',
      },
      choose: [
        ['Supported account types', 'Accounts in this organizational directory only'],
        ['Redirect URI › Platform', 'Web'],
        ['Token configuration › Add optional claim › ID', 'email, auth_time'],
      ],
      enter: ({ callback_url, start_url }) => [
        ['Redirect URI', callback_url],
        ['Branding & properties › Home page URL', start_url],
      ],
      issuer: 'https://login.microsoftonline.com/<tenant-id>/v2.0',
      shows: {
        issuer: 'Overview › Directory (tenant) ID',
        client_id: 'Overview › Application (client) ID',
        client_secret: 'Certificates & secrets › Client secrets › Value',
      },
      notes: [
        t`Entra ID does not say whether an email address is verified. If people cannot choose their own address there, turn on "Trust email addresses without verification".`,
      ],
    },
    saml: {
      at: {
        console: 'Microsoft Entra admin center',
        menu: 'Entra ID › Enterprise apps › New application › Create your own application',
      },
      choose: [
        ['What are you looking to do?', 'Integrate any other application (Non-gallery)'],
        ['Single sign-on', 'SAML'],
      ],
      enter: ({ acs_url, sp_entity_id, start_url }) => [
        ['Identifier (Entity ID)', sp_entity_id],
        ['Reply URL (Assertion Consumer Service URL)', acs_url],
        ['Sign on URL', start_url],
      ],
      known: { email_attribute: EMAIL_CLAIM },
      shows: { idp_metadata: 'SAML Certificates › Federation Metadata XML › Download' },
    },
    scim: {
      at: {
        console: 'Microsoft Entra admin center',
        menu: 'Entra ID › Enterprise apps › New application › Create your own application › Provisioning',
      },
      choose: [
        ['Provisioning Mode', 'Automatic'],
        ['Matching attribute', 'userName'],
      ],
      enter: (address) => [['Tenant URL', address]],
      key: 'Secret Token',
      mapping: [
        ['userPrincipalName', 'userName'],
        ['mail', WORK_EMAIL],
        ['Not([IsSoftDeleted])', 'active'],
        ['objectId', 'externalId'],
        ['givenName', 'name.givenName'],
        ['surname', 'name.familyName'],
        ['department', `${ENTERPRISE}:department`],
        ['manager', `${ENTERPRISE}:manager`],
      ],
      notes: [
        t`Gatehouse rejects people without an email address. Map another attribute to the work email for them.`,
        t`"Test Connection" searches for a person who does not exist, and succeeds.`,
      ],
    },
  },
  google: {
    name: 'Google Workspace',
    id: 'google',
    oidc: {
      at: { console: 'Google Cloud console', menu: 'Google Auth Platform › Clients › Create client' },
      choose: [
        ['Audience › User type', 'Internal'],
        ['Application type', 'Web application'],
      ],
      enter: ({ callback_url }) => [['Authorized redirect URIs', callback_url]],
      known: { issuer: 'https://accounts.google.com' },
      shows: {
        client_id: 'Clients › Client ID',
        client_secret: 'Clients › Client secret',
      },
      notes: [
        t`Google does not say when people signed in. Changes that need a recent sign-in then need a password or a passkey, too. A SAML app avoids this.`,
      ],
    },
    saml: {
      at: {
        console: 'Google Admin console',
        menu: 'Apps › Web and mobile apps › Add app › Add custom SAML app',
      },
      choose: [
        ['Name ID format', 'EMAIL'],
        ['Name ID', 'Basic Information > Primary email'],
        ['User access', 'ON for everyone'],
      ],
      enter: ({ acs_url, sp_entity_id }) => [
        ['ACS URL', acs_url],
        ['Entity ID', sp_entity_id],
      ],
      shows: { idp_metadata: 'Google Identity Provider details › Download metadata' },
    },
    scim: t`Google Workspace sends people only to the applications of its own catalog, and Gatehouse is not one of them. Import people from a file or through the API, or let another identity provider send them.`,
  },
  keycloak: {
    name: 'Keycloak',
    id: 'keycloak',
    oidc: {
      at: { console: 'Keycloak Admin Console', menu: 'Clients › Create client' },
      choose: [
        ['Client type', 'OpenID Connect'],
        ['Client authentication', 'On'],
        ['Authentication flow', 'Standard flow'],
      ],
      enter: ({ callback_url, start_url }) => [
        ['Client ID', 'gatehouse'],
        ['Valid redirect URIs', callback_url],
        ['Home URL', start_url],
      ],
      issuer: 'https://keycloak.example.com/realms/<realm>',
      shows: {
        issuer: 'Realm settings › General › Endpoints',
        client_id: 'Settings › Client ID',
        client_secret: 'Credentials › Client Secret',
      },
    },
    saml: {
      at: { console: 'Keycloak Admin Console', menu: 'Clients › Create client' },
      choose: [
        ['Client type', 'SAML'],
        ['Name ID format', 'email'],
        ['Sign assertions', 'On'],
        ['Keys › Client signature required', 'Off'],
      ],
      enter: ({ acs_url, sp_entity_id, start_url }) => [
        ['Client ID', sp_entity_id],
        ['Valid redirect URIs', acs_url],
        ['Master SAML Processing URL', acs_url],
        ['Home URL', start_url],
      ],
      shows: { idp_metadata: 'Realm settings › General › SAML 2.0 Identity Provider Metadata' },
    },
    scim: t`Keycloak receives people over SCIM, as Gatehouse does, but sends nobody. Import people from a file or through the API, or send them from the directory that also fills Keycloak. Extensions of Keycloak that send people can use the values under "Another provider".`,
  },
  other: {
    name: t`Another provider`,
    id: 'sso',
    oidc: {
      choose: [],
      enter: ({ callback_url, start_url }) => [
        [t`Redirect URI`, callback_url],
        [t`Initiate login URI`, start_url],
      ],
      issuer: 'https://id.example.com',
      shows: {},
      notes: [t`Register a confidential web client that uses the authorization code flow.`],
    },
    saml: {
      choose: [],
      enter: ({ acs_url, sp_entity_id, metadata_url, start_url }) => [
        [t`Metadata URL`, metadata_url],
        [t`Entity ID (audience)`, sp_entity_id],
        [t`ACS URL (HTTP-POST)`, acs_url],
        [t`Address for a portal's tile`, start_url],
      ],
      shows: {},
      notes: [t`The provider must sign assertions and send the email address.`],
    },
    scim: {
      choose: [],
      enter: (address) => [[t`SCIM address`, address]],
      key: 'Authorization',
      mapping: [
        [t`Username`, 'userName'],
        [t`Email`, WORK_EMAIL],
        [t`Active`, 'active'],
        [t`ID at the provider`, 'externalId'],
        [t`First name`, 'name.givenName'],
        [t`Last name`, 'name.familyName'],
        [t`Department`, `${ENTERPRISE}:department`],
        [t`Manager`, `${ENTERPRISE}:manager`],
        [t`On leave from`, `${LEAVE}:leaveFrom`],
        [t`On leave until`, `${LEAVE}:leaveUntil`],
      ],
    },
  },
};

const HOSTS: [pattern: RegExp, product: ProductId][] = [
  [/^https:\/\/[^/]+\.okta(preview|-emea)?\.com/, 'okta'],
  [/^http:\/\/www\.okta\.com\//, 'okta'],
  [/^https:\/\/(login\.microsoftonline\.(com|us)|sts\.windows\.net)\//, 'entra'],
  [/^https:\/\/accounts\.google\.com/, 'google'],
  [/\/realms\/[^/]+$/, 'keycloak'],
];

/** Guesses the product from an issuer or entity ID. */
export const productOf = (issuer: string): ProductId =>
  HOSTS.find(([pattern]) => pattern.test(issuer))?.[1] ?? 'other';
