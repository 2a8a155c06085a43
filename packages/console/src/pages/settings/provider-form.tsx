import { t } from '@lingui/core/macro';
import '@mantine/core/styles/PasswordInput.css';
import { Button, Checkbox, Group, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import { api, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ifMatch, versionOf } from '../../api/version.ts';
import { editsFrom, type Row } from '../../kit/form/edits.ts';
import { useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { NameTags } from '../../kit/form/name-tags.tsx';
import type { Provider } from './provider.ts';
import { addressesOf, ProviderSetup } from './provider-setup.tsx';

interface Props {
  kind: 'oidc' | 'saml';
  of?: Provider;
  after: (provider: Provider) => void;
}

interface Values {
  id: string;
  name: string;
  email_domains: string[];
  trusts_email: boolean;
  approved_for_owners: boolean;
  oidc: { issuer: string; client_id: string; client_secret: string };
  saml: { idp_metadata: string; email_attribute: string };
}

const valuesOf = (of?: Provider): Values => ({
  id: of?.id ?? '',
  name: of?.name ?? '',
  email_domains: of?.email_domains ?? [],
  trusts_email: of?.trusts_email ?? false,
  approved_for_owners: of?.approved_for_owners ?? false,
  oidc: { issuer: of?.oidc?.issuer ?? '', client_id: of?.oidc?.client_id ?? '', client_secret: '' },
  saml: {
    idp_metadata: of?.saml?.idp_metadata ?? '',
    email_attribute: of?.saml?.email_attribute ?? '',
  },
});

/** A provider set up with entity ID, URL and certificate keeps them until someone enters its metadata. */
const isManual = (of?: Provider) =>
  of?.saml !== undefined && of.saml !== null && of.saml.idp_metadata === null;

function samlOf({ idp_metadata, email_attribute }: Values['saml'], of?: Provider) {
  const { entity_id, sso_url, certificate } = of?.saml ?? {};
  const keeps = idp_metadata === '' && entity_id && sso_url && certificate;
  const authority = keeps ? { entity_id, sso_url, certificate } : { idp_metadata };
  return { ...authority, ...(email_attribute === '' ? {} : { email_attribute }) };
}

/** The settings of both kinds of providers. */
const sharedOf = ({ name, email_domains, trusts_email, approved_for_owners }: Values) => ({
  name,
  email_domains,
  trusts_email,
  approved_for_owners,
});

function newOf(kind: Props['kind'], values: Values) {
  const shared = { id: values.id, ...sharedOf(values) };
  return kind === 'oidc' ? { ...shared, oidc: values.oidc } : { ...shared, saml: samlOf(values.saml) };
}

/**
 * Leaves out unchanged settings, so that the server does not fetch the provider's endpoints again. Somebody who keeps their
 * change of a provider that is no longer `of` sends all settings.
 */
function changeOf(values: Values, of: Provider, isCurrent: boolean) {
  const { oidc, saml } = values;
  const before = valuesOf(of);
  const shared = sharedOf(values);
  if (of.oidc === null)
    return isCurrent && isSame(saml, before.saml) ? shared : { ...shared, saml: samlOf(saml, of) };
  if (isCurrent && isSame(oidc, before.oidc)) return shared;
  const { client_secret, ...settings } = oidc;
  const secret = client_secret === '' ? {} : { client_secret };
  return { ...shared, oidc: { ...settings, scopes: of.oidc.scopes, ...secret } };
}

const isSame = <T extends Record<string, string>>(one: T, other: T) =>
  Object.entries(one).every(([name, value]) => other[name] === value);

/** Returns the rows to compare if somebody else has changed the provider. Its secret is never shown. */
function rowsOf({ name, email_domains, trusts_email, approved_for_owners, oidc, saml }: Values): Row[] {
  const text = (label: string, value: string) => ({ label, value, show: value });
  const check = (label: string, value: boolean) => ({ label, value, show: value ? t`Yes` : t`No` });
  return [
    text(t`Name`, name),
    text(t`Issuer`, oidc.issuer),
    text(t`Client ID`, oidc.client_id),
    text(t`Provider metadata`, saml.idp_metadata),
    text(t`Email attribute`, saml.email_attribute),
    text(t`Email domains`, email_domains.join(', ')),
    check(t`Trust email addresses without verification`, trusts_email),
    check(t`Approve for owners`, approved_for_owners),
  ];
}

const editsOf = (provider: Provider) =>
  editsFrom(
    provider,
    () => load('/api/sign-in-providers/{provider}/', { path: { provider: provider.id } }),
    valuesOf,
    rowsOf,
  );

const PROVIDER_ID = /^[a-z0-9][a-z0-9-]*$/;

/** Adds or changes a provider. A new one shows its addresses first: the provider needs them for a client ID and secret. */
export function ProviderForm({ kind, of, after }: Props) {
  const { owns, me } = useMe();
  const { form, submit, pending, failure } = useApiForm({
    initialValues: valuesOf(of),
    ...(of === undefined ? {} : { edits: editsOf(of) }),
    send: (values, version): Promise<Provider> =>
      of === undefined
        ? ok(api.POST('/api/sign-in-providers/', { body: newOf(kind, values) }))
        : ok(
            api.PATCH('/api/sign-in-providers/{provider}/', {
              params: { path: { provider: of.id }, header: ifMatch(version) },
              body: changeOf(values, of, version === versionOf(of)),
            }),
          ),
    success: ({ name }) => t`${name} was saved`,
    after,
  });
  const field = { disabled: !owns, autoComplete: 'off' };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t`Name`}
          description={t`Shown on the sign-in page.`}
          data-autofocus
          required
          maxLength={100}
          {...field}
          {...form.getInputProps('name')}
        />
        {of === undefined && (
          <TextInput
            label={t`ID`}
            description={t`Part of the URLs that you enter at the provider, for example keycloak. It cannot be changed.`}
            required
            maxLength={63}
            pattern="[a-z0-9][a-z0-9\-]*"
            title={t`Lowercase letters, digits and hyphens`}
            {...field}
            {...form.getInputProps('id')}
          />
        )}
        {of === undefined && PROVIDER_ID.test(form.values.id) && (
          <ProviderSetup kind={kind} addresses={addressesOf(kind, me?.base_url ?? '', form.values.id)} />
        )}
        {kind === 'oidc' ? (
          <>
            <TextInput
              label={t`Issuer`}
              description={t`For example https://keycloak.example.com/realms/staff. Gatehouse checks it when you save.`}
              required
              {...field}
              {...form.getInputProps('oidc.issuer')}
            />
            <TextInput label={t`Client ID`} required {...field} {...form.getInputProps('oidc.client_id')} />
            <PasswordInput
              label={t`Client secret`}
              description={
                of === undefined
                  ? t`Stored encrypted and never shown again.`
                  : t`Leave empty to keep the current secret.`
              }
              required={of === undefined}
              {...field}
              autoComplete="new-password"
              {...form.getInputProps('oidc.client_secret')}
            />
          </>
        ) : (
          <>
            <Textarea
              label={t`Provider metadata`}
              description={
                isManual(of)
                  ? t`Leave empty to keep the current entity ID, URL and certificate.`
                  : t`The XML document that the provider publishes. Gatehouse trusts the certificate in it.`
              }
              required={!isManual(of)}
              rows={7}
              {...field}
              {...form.getInputProps('saml.idp_metadata')}
            />
            <TextInput
              label={t`Email attribute`}
              description={t`Leave empty to use the attribute email, or else the NameID.`}
              {...field}
              {...form.getInputProps('saml.email_attribute')}
            />
          </>
        )}
        <NameTags
          label={t`Email domains`}
          description={t`The provider can sign in people of these domains only. Leave empty to allow all addresses.`}
          disabled={!owns}
          {...form.getInputProps('email_domains')}
          onChange={(domains) =>
            form.setFieldValue(
              'email_domains',
              domains.map((domain) => domain.toLowerCase()),
            )
          }
        />
        {kind === 'oidc' && (
          <Checkbox
            label={t`Trust email addresses without verification`}
            description={t`Accept addresses that the provider does not declare as verified, for example from Entra ID. Turn this on only if people cannot choose their own address there.`}
            disabled={!owns}
            {...form.getInputProps('trusts_email', { type: 'checkbox' })}
          />
        )}
        <Checkbox
          label={t`Approve for owners`}
          description={t`Owners can sign in through this provider. Its administrators could then act as an owner of your organization.`}
          disabled={!owns}
          {...form.getInputProps('approved_for_owners', { type: 'checkbox' })}
        />
        <FormFailure of={failure} />
        {owns && (
          <Group justify="flex-end">
            <Button type="submit" loading={pending}>
              {of === undefined ? t`Add provider` : t`Save changes`}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
