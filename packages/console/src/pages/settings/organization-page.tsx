import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Answer, api, get, load, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import type { paths } from '../../api/schema.ts';
import { ifMatch } from '../../api/version.ts';
import { Copied } from '../../kit/controls/copy.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { checks } from '../../kit/form/choice-fields.tsx';
import { useEdited } from '../../kit/form/edited.ts';
import { type Field, type FieldSet, orNull, valuesIn } from '../../kit/form/field.ts';
import { useFields } from '../../kit/form/fields.tsx';
import { limit } from '../../kit/form/limit-field.tsx';
import { SettingsForm } from '../../kit/form/settings-form.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { timeZone } from '../../kit/form/time-zone-field.tsx';
import classes from './settings.module.css';

type Organization = Answer<'/api/organization/'>;

type Change = NonNullable<paths['/api/organization/']['patch']['requestBody']>['content']['application/json'];

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
      <TextLink to="/settings/identity-provider">
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

const ROLES = [
  { value: 'owner', label: t`Owners` },
  { value: 'admin', label: t`Administrators` },
  { value: 'auditor', label: t`Auditors` },
  { value: 'member', label: t`Members` },
] as const;

const roles = (label: string, description: string) =>
  checks({ label, description, data: ROLES, stack: { gap: 'xs', mt: 'xs' } });

interface Settings {
  title: string;
  fields: { [K in keyof Change]?: Field<unknown, Change[K]> };
  /** The label of the button. */
  save: string;
  /** The message after saving. */
  saved: string;
  about?: ReactNode;
  byOwners?: boolean;
}

const NAME: Settings = {
  title: t`Name`,
  fields: {
    name: text({
      label: t`Name`,
      description: t`Shown at the top of every page and on the sign-in page.`,
      required: true,
      maxLength: 255,
    }),
  },
  save: t`Save name`,
  saved: t`Name saved`,
};
const TIME_ZONE: Settings = {
  title: t`Time zone`,
  fields: {
    time_zone: timeZone({
      label: t`Time zone of days`,
      description: t`Today in conditions, and the first and last days of access, are days there. Daily policies run when a day begins there.`,
    }),
  },
  save: t`Save time zone`,
  saved: t`Time zone saved`,
};
const PERSON_KEY: Settings = {
  title: t`People`,
  fields: {
    person_key: orNull(
      text({
        label: t`Attribute that identifies a person`,
        description: t`Such as employee_number. Imports then refuse a row that would make one person another, for example because an email passed to a new hire.`,
        maxLength: 255,
      }),
    ),
  },
  save: t`Save attribute`,
  saved: t`Attribute saved`,
};
/** The limits above which changes of many people are held. */
const MASS_GUARDS: Settings = {
  title: t`Changes of many people`,
  about: (
    <Text size="sm" c="dimmed">
      <Trans>
        People lose their sign-in immediately. Their access in apps stays until an administrator decides about
        the{' '}
        <TextLink to="/holds" underline="always">
          hold
        </TextLink>
        .
      </Trans>
    </Text>
  ),
  fields: {
    people_guard: limit({
      label: t`Hold when a client deactivates many people`,
      description: t`Deactivated, deleted or replaced by one client in 24 hours, as a share of its active people.`,
      usual: { percent: 10, at_least: 5 },
    }),
    group_guard: limit({
      label: t`Hold when a group loses many members`,
      description: t`Members who leave a group of people in an hour, as a share of its members.`,
      usual: { percent: 50, at_least: 5 },
    }),
  },
  save: t`Save limits`,
  saved: t`Limits saved`,
};
const SECOND_FACTOR: Settings = {
  title: t`Second factor`,
  fields: {
    second_factor_roles: roles(
      t`Required for`,
      t`People with these roles who sign in with a password must also use a one-time code or a passkey. Providers handle second factors themselves. API keys are not affected.`,
    ),
    passkey_roles: roles(
      t`Passkey required for`,
      t`People with these roles must use a passkey, which cannot be phished. Sign in with a passkey before you add a role.`,
    ),
  },
  save: t`Save second factor settings`,
  saved: t`Second factor settings saved`,
  byOwners: true,
};

function Forms({ of: organization }: { of: Organization }) {
  const edited = useEdited(organization);
  return [NAME, TIME_ZONE, PERSON_KEY, MASS_GUARDS, SECOND_FACTOR].map((settings) => (
    <Section key={settings.title} title={settings.title}>
      <Form key={JSON.stringify(valuesIn(fieldsOf(settings), edited))} of={edited} settings={settings} />
    </Section>
  ));
}

const fieldsOf = ({ fields }: Settings) => fields as FieldSet;

function Form({ of, settings }: { of: Organization; settings: Settings }) {
  const { manages, owns } = useMe();
  const form = useFields(fieldsOf(settings), {
    of,
    read: () => load('/api/organization/', {}),
    send: (body, { version }) =>
      ok(api.PATCH('/api/organization/', { params: { header: ifMatch(version) }, body })),
    success: settings.saved,
    locked: settings.byOwners === true ? !owns : !manages,
  });
  return (
    <SettingsForm
      of={form}
      label={settings.save}
      about={settings.about}
      after={
        settings.byOwners === true &&
        !owns && (
          <Text size="sm" c="dimmed">
            <Trans>Only owners can change this.</Trans>
          </Text>
        )
      }
    />
  );
}
