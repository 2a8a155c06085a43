import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useMe } from '../../api/me.ts';
import { Section } from '../../kit/controls/section.tsx';
import { limit } from '../../kit/form/limit-field.tsx';
import { SettingsForm } from '../../kit/form/settings-form.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { person } from '../../people/person-fields.tsx';
import type { App } from './app.ts';
import { type AppFields, useAppFields } from './app-change.tsx';
import { AppDanger } from './app-danger.tsx';
import classes from './app-settings.module.css';
import { ApprovalRoute } from './approval-route.tsx';
import { UserNames } from './user-names.tsx';

export function AppSettings({ app }: { app: App }) {
  const { manages } = useMe();
  const { name } = app;
  return (
    <fieldset className={classes.settings} disabled={!manages}>
      <legend className={classes.legend}>{t`Settings of ${name}`}</legend>
      <NameAndOwner app={app} />
      <ApprovalRoute app={app} />
      <RemovalGuard app={app} />
      <UserNames app={app} />
      {manages && <AppDanger app={app} />}
    </fieldset>
  );
}

const NAME_AND_OWNER: AppFields = {
  name: text({ label: t`Name`, required: true, maxLength: 255 }),
  owner: person({
    label: t`Owner`,
    description: t`Approves requests and reviews access for this app, unless its approval route names others.`,
  }),
};

function NameAndOwner({ app }: { app: App }) {
  const form = useAppFields(app, NAME_AND_OWNER, t`Name and owner saved`);
  return (
    <Section title={t`Name and owner`}>
      <SettingsForm of={form} />
    </Section>
  );
}

const REMOVAL_GUARD: AppFields = {
  removal_guard: limit({ label: t`Hold large removals`, usual: { percent: 30, at_least: 100 } }),
};

function RemovalGuard({ app }: { app: App }) {
  const form = useAppFields(app, REMOVAL_GUARD, t`Removal guard saved`);
  const about = (
    <Text size="sm" c="dimmed">
      {t`A sync that would take away more than this waits for an administrator.`}
    </Text>
  );
  return (
    <Section title={t`Removal guard`}>
      <SettingsForm of={form} about={about} />
    </Section>
  );
}
