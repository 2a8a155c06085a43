import { t } from '@lingui/core/macro';
import { api, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ifMatch, versionOf } from '../../api/version.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { check } from '../../kit/form/choice-fields.tsx';
import { type Body, changesIn } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { password } from '../../kit/form/password-field.tsx';
import { tags } from '../../kit/form/tags-field.tsx';
import { area, text } from '../../kit/form/text-fields.tsx';
import type { Provider } from './provider.ts';
import { addressesOf, ProviderSetup } from './provider-setup.tsx';

interface Props {
  kind: 'oidc' | 'saml';
  of?: Provider;
  after: (provider: Provider) => void;
}

const OIDC = {
  issuer: text({
    label: t`Issuer`,
    description: t`For example https://keycloak.example.com/realms/staff. Gatehouse checks it when you save.`,
    required: true,
    autoComplete: 'off',
  }),
  client_id: text({ label: t`Client ID`, required: true, autoComplete: 'off' }),
  client_secret: password({ label: t`Client secret`, autoComplete: 'new-password' }),
};
const SAML = {
  idp_metadata: area({ label: t`Provider metadata`, rows: 7, autoComplete: 'off' }),
  email_attribute: text({
    label: t`Email attribute`,
    description: t`Leave empty to use the attribute email, or else the NameID.`,
    autoComplete: 'off',
  }),
};
const FIELDS = {
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
    description: t`Part of the URLs that you enter at the provider, for example keycloak. It cannot be changed.`,
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
type Settings = Body<typeof FIELDS>;

/** A provider set up with entity ID, URL and certificate keeps them until someone enters its metadata. */
const isManual = (of?: Provider) =>
  of?.saml !== undefined && of.saml !== null && of.saml.idp_metadata === null;

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

function newOf(kind: Props['kind'], body: Settings) {
  const shared = { id: body.id, ...sharedOf(body) };
  return kind === 'oidc' ? { ...shared, oidc: oidcOf(body) } : { ...shared, saml: samlOf(body) };
}

/**
 * Leaves out unchanged settings, so that the server does not fetch the provider's endpoints again. Somebody who keeps their
 * change of a provider that is no longer `of` sends all settings.
 */
function changeOf(body: Settings, of: Provider, isUnchanged: boolean) {
  const shared = sharedOf(body);
  if (isUnchanged) return shared;
  if (of.oidc === null) return { ...shared, saml: samlOf(body, of) };
  const { client_secret, ...settings } = oidcOf(body);
  const secret = client_secret === '' ? {} : { client_secret };
  return { ...shared, oidc: { ...settings, scopes: of.oidc.scopes, ...secret } };
}

const PROVIDER_ID = /^[a-z0-9][a-z0-9-]*$/;

/** Adds or changes a provider. A new one shows its addresses first: the provider needs them for a client ID and secret. */
export function ProviderForm({ kind, of, after }: Props) {
  const { owns, me } = useMe();
  const form = useFields(FIELDS, {
    of,
    read: () => load('/api/sign-in-providers/{provider}/', { path: { provider: of?.id ?? '' } }),
    from: (provider: Provider) => ({ ...provider, ...provider.oidc, ...provider.saml }),
    fieldOf: (path) => path.replace(/^(oidc|saml)\./, ''),
    send: (body, { version, values, before }): Promise<Provider> => {
      if (of === undefined) return ok(api.POST('/api/sign-in-providers/', { body: newOf(kind, body) }));
      const isUnchanged =
        version === versionOf(of) &&
        Object.keys(changesIn(kind === 'oidc' ? OIDC : SAML, values, before)).length === 0;
      return ok(
        api.PATCH('/api/sign-in-providers/{provider}/', {
          params: { path: { provider: of.id }, header: ifMatch(version) },
          body: changeOf(body, of, isUnchanged),
        }),
      );
    },
    locked: !owns,
    success: ({ name }) => t`${name} was saved`,
    after,
  });
  const isNew = of === undefined;
  const { id } = form.values;
  return (
    <DialogForm {...form} action={isNew ? t`Add provider` : t`Save changes`}>
      <Fields of={form} only={['name', isNew && 'id']} />
      {isNew && PROVIDER_ID.test(id) && (
        <ProviderSetup kind={kind} addresses={addressesOf(kind, me?.base_url ?? '', id)} />
      )}
      <Fields
        of={form}
        only={
          kind === 'oidc' ? ['issuer', 'client_id', 'client_secret'] : ['idp_metadata', 'email_attribute']
        }
        props={{
          client_secret: {
            description: isNew
              ? t`Stored encrypted and never shown again.`
              : t`Leave empty to keep the current secret.`,
            required: isNew,
          },
          idp_metadata: {
            description: isManual(of)
              ? t`Leave empty to keep the current entity ID, URL and certificate.`
              : t`The XML document that the provider publishes. Gatehouse trusts the certificate in it.`,
            required: !isManual(of),
          },
        }}
      />
      <Fields of={form} only={['email_domains', kind === 'oidc' && 'trusts_email', 'approved_for_owners']} />
    </DialogForm>
  );
}
