import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, type CheckboxGroupProps, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api, get, load, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ifMatch } from '../../api/version.ts';
import { Copied } from '../../kit/controls/copy.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { useEdited } from '../../kit/form/edited.ts';
import { type Edits, editsFrom } from '../../kit/form/edits.ts';
import { useApiForm } from '../../kit/form/form.ts';
import { Save } from '../../kit/form/save.tsx';
import { timeZones } from '../../kit/form/time-zones.ts';
import { guardsOf, MassGuards } from './mass-guards.tsx';
import classes from './settings.module.css';

type Organization = Answer<'/api/organization/'>;

/** The `edits` of a form that was filled from the settings of the organization. */
const editsOf = <V,>(
  organization: Organization,
  valuesOf: (organization: Organization) => V,
  rows: Edits<V>['rows'],
): Edits<V> => editsFrom(organization, () => load('/api/organization/', {}), valuesOf, rows);

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
          <Forms of={organization.data} />
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
      <TextLink to="/settings/scim-clients">
        <Trans>Show SCIM clients</Trans>
      </TextLink>
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

const rolesOf = ({ second_factor_roles, passkey_roles }: Organization) => ({
  second_factor_roles,
  passkey_roles,
});

const roleWords = (roles: Role[]) =>
  ROLES.filter((one) => roles.includes(one))
    .map((one) => WORDS[one])
    .join(', ');

/** Chooses the roles that must have a second factor, or a passkey. Only owners can change it. */
function SecondFactorForm({ of: organization }: { of: Organization }) {
  const { role } = useMe();
  const { form, submit, pending, changed, failure } = useApiForm({
    initialValues: rolesOf(organization),
    send: (body, version) =>
      ok(api.PATCH('/api/organization/', { params: { header: ifMatch(version) }, body })),
    edits: editsOf(organization, rolesOf, ({ second_factor_roles: factor, passkey_roles: passkey }) => [
      { label: t`Required for`, value: factor.toSorted(), show: roleWords(factor) },
      { label: t`Passkey required for`, value: passkey.toSorted(), show: roleWords(passkey) },
    ]),
    success: t`Second factor settings saved`,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <RoleChoice
          label={t`Required for`}
          description={t`People with these roles who sign in with a password must also use a one-time code or a passkey. Providers handle second factors themselves. API keys are not affected.`}
          disabled={role !== 'owner'}
          {...form.getInputProps('second_factor_roles')}
        />
        <RoleChoice
          label={t`Passkey required for`}
          description={t`People with these roles must use a passkey, which cannot be phished. Sign in with a passkey before you add a role.`}
          disabled={role !== 'owner'}
          {...form.getInputProps('passkey_roles')}
        />
        <Save changed={changed} pending={pending} failure={failure} label={t`Save second factor settings`} />
        {role !== 'owner' && (
          <Text size="sm" c="dimmed">
            <Trans>Only owners can change this.</Trans>
          </Text>
        )}
      </Stack>
    </form>
  );
}

function RoleChoice({ disabled, ...group }: Omit<CheckboxGroupProps, 'children'> & { disabled: boolean }) {
  return (
    <Checkbox.Group {...group}>
      <Stack gap="xs" mt="xs">
        {ROLES.map((one) => (
          <Checkbox key={one} value={one} label={WORDS[one]} disabled={disabled} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

const WORDS: Record<Role, string> = {
  owner: t`Owners`,
  admin: t`Administrators`,
  auditor: t`Auditors`,
  member: t`Members`,
};

function Forms({ of: organization }: { of: Organization }) {
  const edited = useEdited(organization);
  return (
    <>
      <Section title={t`Name`}>
        <NameForm key={edited.name} of={edited} />
      </Section>
      <Section title={t`Time zone`}>
        <TimeZoneForm key={edited.time_zone} of={edited} />
      </Section>
      <Section title={t`People`}>
        <PersonKeyForm key={edited.person_key} of={edited} />
      </Section>
      <Section title={t`Changes of many people`}>
        <MassGuards key={JSON.stringify(guardsOf(edited))} of={edited} />
      </Section>
      <Section title={t`Second factor`}>
        <SecondFactorForm key={JSON.stringify(rolesOf(edited))} of={edited} />
      </Section>
    </>
  );
}

const timeZoneOf = ({ time_zone }: Organization) => ({ time_zone });

/** The zone of days in conditions and requests. */
function TimeZoneForm({ of: organization }: { of: Organization }) {
  const { manages } = useMe();
  const { form, submit, pending, changed, failure } = useApiForm({
    initialValues: timeZoneOf(organization),
    send: ({ time_zone }, version) =>
      ok(
        api.PATCH('/api/organization/', {
          params: { header: ifMatch(version) },
          body: { time_zone },
        }),
      ),
    edits: editsOf(organization, timeZoneOf, ({ time_zone }) => [
      { label: t`Time zone`, value: time_zone, show: time_zone },
    ]),
    success: t`Time zone saved`,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Select
          label={t`Time zone of days`}
          description={t`Today in conditions, and the first and last days of access, are days there. Daily policies run when a day begins there.`}
          data={timeZones(organization.time_zone)}
          searchable
          allowDeselect={false}
          disabled={!manages}
          {...form.getInputProps('time_zone')}
        />
        <Save changed={changed} pending={pending} failure={failure} label={t`Save time zone`} />
      </Stack>
    </form>
  );
}

const personKeyOf = ({ person_key }: Organization) => ({ person_key: person_key ?? '' });

/** Names the attribute that says who somebody is. */
function PersonKeyForm({ of: organization }: { of: Organization }) {
  const { manages } = useMe();
  const { form, submit, pending, changed, failure } = useApiForm({
    initialValues: personKeyOf(organization),
    send: ({ person_key }, version) =>
      ok(
        api.PATCH('/api/organization/', {
          params: { header: ifMatch(version) },
          body: { person_key: person_key.trim() === '' ? null : person_key.trim() },
        }),
      ),
    edits: editsOf(organization, personKeyOf, ({ person_key }) => [
      { label: t`Attribute that identifies a person`, value: person_key, show: person_key },
    ]),
    success: t`Attribute saved`,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t`Attribute that identifies a person`}
          description={t`Such as employee_number. Imports then refuse a row that would make one person another, for example because an email passed to a new hire.`}
          maxLength={255}
          disabled={!manages}
          {...form.getInputProps('person_key')}
        />
        <Save changed={changed} pending={pending} failure={failure} label={t`Save attribute`} />
      </Stack>
    </form>
  );
}

const nameOf = ({ name }: Organization) => ({ name });

function NameForm({ of: organization }: { of: Organization }) {
  const { manages } = useMe();
  const { form, submit, pending, changed, failure } = useApiForm({
    initialValues: nameOf(organization),
    send: ({ name }, version) =>
      ok(
        api.PATCH('/api/organization/', {
          params: { header: ifMatch(version) },
          body: { name: name.trim() },
        }),
      ),
    edits: editsOf(organization, nameOf, ({ name }) => [{ label: t`Name`, value: name, show: name }]),
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
        <Save changed={changed} pending={pending} failure={failure} label={t`Save name`} />
      </Stack>
    </form>
  );
}
