import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import { useMe } from '../../api/me.ts';
import { picker, useApiForm } from '../../parts/form.ts';
import { PersonPicker } from '../../parts/person.tsx';
import { Section } from '../../parts/section.tsx';
import type { App } from './app.ts';
import { changeApp, Save } from './app-change.tsx';
import { AppDanger } from './app-danger.tsx';
import classes from './app-settings.module.css';
import { ApprovalRoute } from './approval-route.tsx';

export function AppSettings({ app }: { app: App }) {
  const { manages } = useMe();
  const { name } = app;
  return (
    <fieldset className={classes.settings} disabled={!manages}>
      <legend className={classes.legend}>
        <Trans>Settings of {name}</Trans>
      </legend>
      <NameAndOwner app={app} />
      <ApprovalRoute app={app} />
      <RemovalGuard app={app} />
      {manages && <AppDanger app={app} />}
    </fieldset>
  );
}

function NameAndOwner({ app }: { app: App }) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { name: app.name, owner: app.owner },
    send: ({ name, owner }) => changeApp(app, { name: name.trim(), owner }),
    success: t`Name and owner saved`,
  });
  return (
    <Section title={t`Name and owner`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput label={t`Name`} {...form.getInputProps('name')} required maxLength={255} />
          <PersonPicker
            label={t`Owner`}
            description={t`Approves requests and reviews access for this app, unless its approval route names others.`}
            {...picker(form.getInputProps('owner'))}
          />
          <Save pending={pending} failure={failure} />
        </Stack>
      </form>
    </Section>
  );
}

interface GuardValues {
  enabled: boolean;
  removal_guard: { percent: number | string; at_least: number | string };
}

function RemovalGuard({ app }: { app: App }) {
  const { form, submit, pending, failure } = useApiForm<GuardValues, App>({
    initialValues: {
      enabled: app.removal_guard !== null,
      removal_guard: app.removal_guard ?? { percent: 30, at_least: 100 },
    },
    send: ({ enabled, removal_guard: { percent, at_least } }) =>
      changeApp(app, {
        removal_guard: enabled ? { percent: Number(percent), at_least: Number(at_least) } : null,
      }),
    success: t`Removal guard saved`,
  });
  return (
    <Section title={t`Removal guard`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            <Trans>A sync that would remove more than this waits for an administrator.</Trans>
          </Text>
          <Switch
            label={t`Hold large removals`}
            {...form.getInputProps('enabled', { type: 'checkbox', withError: false })}
          />
          {form.values.enabled && (
            <Group gap="sm" align="flex-start">
              <NumberInput
                label={t`More than this percentage`}
                {...form.getInputProps('removal_guard.percent')}
                min={1}
                max={100}
                required
                w={230}
              />
              <NumberInput
                label={t`And at least this number`}
                {...form.getInputProps('removal_guard.at_least')}
                min={1}
                allowDecimal={false}
                required
                w={230}
              />
            </Group>
          )}
          <Save pending={pending} failure={failure} />
        </Stack>
      </form>
    </Section>
  );
}
