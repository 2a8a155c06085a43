import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, get, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { withConfirmation } from '../../parts/confirmation.tsx';
import { Copied } from '../../parts/copy.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import classes from './settings.module.css';

export function OrganizationPage() {
  const { me } = useMe();
  const organization = useQuery(get('/api/organization/'));
  return (
    <>
      <PageHeader
        title={t`Organization`}
        about={t`The name, address and sign-in rules of this organization.`}
      />
      {organization.isError && (
        <Failure error={organization.error} again={() => void organization.refetch()} />
      )}
      {organization.data && (
        <div className={classes.narrow}>
          <Section title={t`Name`}>
            <NameForm key={organization.data.name} name={organization.data.name} />
          </Section>
          <Section title={t`Second factor`}>
            <SecondFactorForm
              key={organization.data.second_factor_roles.join()}
              roles={organization.data.second_factor_roles}
            />
          </Section>
          <Section title={t`Identity provider (SCIM)`}>
            <Scim deletes={organization.data.scim_deletes} />
          </Section>
          <Section title={t`Address`}>
            <Properties
              of={[
                [t`Slug`, <Copied key="slug" value={organization.data.slug} what={t`organization slug`} />],
                ['base_url', <Copied key="base" value={me?.base_url ?? ''} what="base_url" />],
                [
                  t`API keys`,
                  <TextLink key="keys" to="/settings/api-keys">
                    <Trans>Manage API keys</Trans>
                  </TextLink>,
                ],
                [
                  t`API reference`,
                  <a key="docs" href="/docs">
                    /docs
                  </a>,
                ],
              ]}
            />
          </Section>
        </div>
      )}
    </>
  );
}

/** How to connect an identity provider, and the effect of its deletions. */
function Scim({ deletes }: { deletes: boolean }) {
  const { me, manages } = useMe();
  const change = useChange(
    (scim_deletes: boolean) => ok(api.PATCH('/api/organization/', { body: { scim_deletes } })),
    { success: t`SCIM settings saved` },
  );
  return (
    <Stack gap="sm">
      <Text size="sm">
        <Trans>
          Entra ID, Okta and other identity providers can keep people and groups up to date. Enter this
          address and an{' '}
          <TextLink to="/settings/api-keys" underline="always">
            API key
          </TextLink>{' '}
          with the scope scim there.
        </Trans>
      </Text>
      <Copied value={`${me?.base_url ?? ''}/scim/v2`} what={t`SCIM address`} />
      <Checkbox
        label={t`Delete people for good`}
        description={t`When the identity provider deletes a person, delete the record too, unless the history refers to it. Otherwise the person is deactivated.`}
        checked={deletes}
        disabled={!manages || change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
    </Stack>
  );
}

const ROLES = ['owner', 'admin', 'auditor', 'member'] as const;
type Role = (typeof ROLES)[number];

/** Chooses the roles that must have a second factor. Only owners can change it. */
function SecondFactorForm({ roles }: { roles: Role[] }) {
  const { role } = useMe();
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { second_factor_roles: roles },
    send: (body) => withConfirmation(() => ok(api.PATCH('/api/organization/', { body }))),
    success: t`Second factor settings saved`,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Checkbox.Group
          label={t`Required for`}
          description={t`People with these roles who sign in with a password must also use a one-time code or a passkey. Providers handle second factors themselves. API keys are not affected.`}
          {...form.getInputProps('second_factor_roles')}
        >
          <Stack gap="xs" mt="xs">
            {ROLES.map((one) => (
              <Checkbox key={one} value={one} label={WORDS[one]} disabled={role !== 'owner'} />
            ))}
          </Stack>
        </Checkbox.Group>
        <FormFailure of={failure} />
        {role === 'owner' ? (
          <Group>
            <Button type="submit" loading={pending}>
              <Trans>Save second factor settings</Trans>
            </Button>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            <Trans>Only owners can change this.</Trans>
          </Text>
        )}
      </Stack>
    </form>
  );
}

const WORDS: Record<Role, string> = {
  owner: t`Owners`,
  admin: t`Administrators`,
  auditor: t`Auditors`,
  member: t`Members`,
};

function NameForm({ name }: { name: string }) {
  const { manages } = useMe();
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { name },
    send: (values) => ok(api.PATCH('/api/organization/', { body: { name: values.name.trim() } })),
    success: t`Name saved`,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t`Name`}
          description={t`Shown at the top of every page and on the sign-in page.`}
          required
          maxLength={255}
          disabled={!manages}
          {...form.getInputProps('name')}
        />
        <FormFailure of={failure} />
        {manages && (
          <Group>
            <Button type="submit" loading={pending}>
              <Trans>Save name</Trans>
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
