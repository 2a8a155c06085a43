import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import { useMe } from '../../api/me.ts';
import { Section } from '../../kit/controls/section.tsx';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { Save } from '../../kit/form/save.tsx';
import { PersonName, PersonPicker } from '../../people/person.tsx';
import type { App } from './app.ts';
import { changeApp, editsOf } from './app-change.tsx';
import { AppDanger } from './app-danger.tsx';
import classes from './app-settings.module.css';
import { ApprovalRoute } from './approval-route.tsx';
import { UserNames } from './user-names.tsx';

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
      <UserNames app={app} />
      {manages && <AppDanger app={app} />}
    </fieldset>
  );
}

const nameAndOwner = ({ name, owner }: App) => ({ name, owner });

function NameAndOwner({ app }: { app: App }) {
  const { form, submit, pending, changed, failure } = useApiForm({
    initialValues: nameAndOwner(app),
    send: ({ name, owner }, version) => changeApp(app, { name: name.trim(), owner }, version),
    edits: editsOf(app, nameAndOwner, ({ name, owner }) => [
      { label: t`Name`, value: name.trim(), show: name.trim() },
      { label: t`Owner`, value: owner, show: <PersonName id={owner} /> },
    ]),
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
          <Save changed={changed} pending={pending} failure={failure} />
        </Stack>
      </form>
    </Section>
  );
}

interface GuardValues {
  enabled: boolean;
  removal_guard: { percent: number | string; at_least: number | string };
}

const guardOf = ({ removal_guard: guard }: App): GuardValues => ({
  enabled: guard !== null,
  removal_guard: guard ?? { percent: 30, at_least: 100 },
});

/** The guard in a request. */
const guardIn = ({ enabled, removal_guard: { percent, at_least } }: GuardValues) =>
  enabled ? { percent: Number(percent), at_least: Number(at_least) } : null;

function guardWords(values: GuardValues): string {
  const guard = guardIn(values);
  if (guard === null) return t`Off`;
  const { percent, at_least } = guard;
  return t`More than ${percent}% and at least ${at_least}`;
}

function RemovalGuard({ app }: { app: App }) {
  const { form, submit, pending, changed, failure } = useApiForm<GuardValues, App>({
    initialValues: guardOf(app),
    send: (values, version) => changeApp(app, { removal_guard: guardIn(values) }, version),
    edits: editsOf(app, guardOf, (values) => [
      { label: t`Removal guard`, value: guardIn(values), show: guardWords(values) },
    ]),
    success: t`Removal guard saved`,
  });
  return (
    <Section title={t`Removal guard`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            <Trans>A sync that would take away more than this waits for an administrator.</Trans>
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
          <Save changed={changed} pending={pending} failure={failure} />
        </Stack>
      </form>
    </Section>
  );
}
