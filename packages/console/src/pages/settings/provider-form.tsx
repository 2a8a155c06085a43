import '@mantine/core/styles/PasswordInput.css';
import { Button, Group, PasswordInput, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import type { Provider } from './provider.ts';
import { Refused } from './refused.tsx';

interface Props {
  kind: 'oidc' | 'saml';
  of?: Provider;
  done: (provider: Provider) => void;
}

interface Typed {
  id: string;
  name: string;
  domains: string[];
  issuer: string;
  client_id: string;
  client_secret: string;
  idp_metadata: string;
  email_attribute: string;
}

const typedOf = (of?: Provider): Typed => ({
  id: of?.id ?? '',
  name: of?.name ?? '',
  domains: of?.email_domains ?? [],
  issuer: of?.oidc?.issuer ?? '',
  client_id: of?.oidc?.client_id ?? '',
  client_secret: '',
  idp_metadata: of?.saml?.idp_metadata ?? '',
  email_attribute: of?.saml?.email_attribute ?? '',
});

const OIDC = ['issuer', 'client_id', 'client_secret'] as const;
const SAML = ['idp_metadata', 'email_attribute'] as const;

/** One that was given as entity id, address and certificate stays so while no metadata is typed. */
function samlOf({ idp_metadata, email_attribute }: Typed, of?: Provider) {
  const { entity_id, sso_url, certificate } = of?.saml ?? {};
  const isManual = idp_metadata === '' && entity_id && sso_url && certificate;
  const authority = isManual ? { entity_id, sso_url, certificate } : { idp_metadata };
  return { ...authority, ...(email_attribute === '' ? {} : { email_attribute }) };
}

function newOf(kind: Props['kind'], typed: Typed) {
  const { id, name, domains, issuer, client_id, client_secret } = typed;
  const shared = { id, name, email_domains: domains };
  return kind === 'oidc'
    ? { ...shared, oidc: { issuer, client_id, client_secret } }
    : { ...shared, saml: samlOf(typed) };
}

/** What is the same stays out, so that a provider is not asked anew for nothing. */
function changeOf(typed: Typed, of: Provider) {
  const { name, domains, issuer, client_id, client_secret } = typed;
  const before = typedOf(of);
  const shared = { name, email_domains: domains };
  const fields = of.oidc === null ? SAML : OIDC;
  if (fields.every((field) => typed[field] === before[field])) return shared;
  if (of.oidc === null) return { ...shared, saml: samlOf(typed, of) };
  const { scopes } = of.oidc;
  const secret = client_secret === '' ? {} : { client_secret };
  return { ...shared, oidc: { issuer, client_id, scopes, ...secret } };
}

export function ProviderForm({ kind, of, done }: Props) {
  const { manages } = useMe();
  const [typed, setTyped] = useState(() => typedOf(of));
  const save = useChange(
    (given: Typed): Promise<Provider> =>
      of === undefined
        ? ok(api.POST('/api/sign-in-providers/', { body: newOf(kind, given) }))
        : ok(
            api.PATCH('/api/sign-in-providers/{provider}/', {
              params: { path: { provider: of.id } },
              body: changeOf(given, of),
            }),
          ),
    { said: ({ name }) => `${name} is saved`, after: done, tell: false },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(typed);
  };
  const field = (name: Exclude<keyof Typed, 'domains'>) => ({
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      setTyped((now) => ({ ...now, [name]: value }));
    },
    disabled: !manages,
    autoComplete: 'off',
  });
  const isManual = kind === 'saml' && of !== undefined && of.saml?.idp_metadata === null;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="On the button of the sign-in page."
          data-autofocus
          required
          maxLength={100}
          {...field('name')}
        />
        {of === undefined && (
          <TextInput
            label="Id"
            description="Stands in the addresses that the provider is told, and cannot be changed: keycloak."
            required
            maxLength={63}
            pattern="[a-z0-9][a-z0-9\-]*"
            title="Small letters, digits and hyphens"
            {...field('id')}
          />
        )}
        {kind === 'oidc' ? (
          <>
            <TextInput
              label="Issuer"
              description="https://keycloak.example.com/realms/staff. Its endpoints are asked for when you save."
              required
              {...field('issuer')}
            />
            <TextInput label="Client id" required {...field('client_id')} />
            <PasswordInput
              label="Client secret"
              description={of === undefined ? 'Kept encrypted, and not shown again.' : 'Empty: as it was.'}
              required={of === undefined}
              {...field('client_secret')}
              autoComplete="new-password"
            />
          </>
        ) : (
          <>
            <Textarea
              label="Metadata of the provider"
              description={
                isManual
                  ? 'It was given as entity id, address and certificate, and stays so while this is empty.'
                  : 'The XML that it offers. Its certificate says which answers are believed.'
              }
              required={!isManual}
              rows={7}
              {...field('idp_metadata')}
            />
            <TextInput
              label="Attribute with the email address"
              description="Empty: email, or else the NameID."
              {...field('email_attribute')}
            />
          </>
        )}
        <TagsInput
          label="Email domains"
          description="The provider is believed about these only. None: about every address, owners' too."
          value={typed.domains}
          onChange={(domains) =>
            setTyped((now) => ({ ...now, domains: domains.map((one) => one.toLowerCase()) }))
          }
          disabled={!manages}
        />
        <Refused error={save.error} />
        {manages && (
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {of === undefined ? 'Add' : 'Save'}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
