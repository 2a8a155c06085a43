import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../../kit/controls/code.tsx';
import type { Row } from '../../../kit/form/edits.ts';
import { useApiForm } from '../../../kit/form/form.ts';
import { FormFailure } from '../../../kit/form/form-failure.tsx';
import { type Connector, type ConnectorChange, editsOf } from './connector.ts';
import { settingLabel } from './labels.ts';
import type { Setting } from './setting.ts';
import { SecretField, SettingField } from './setting-field.tsx';
import { changeOf, changesSettings, initialValues, type SettingValues } from './setup-form.ts';

interface Values extends SettingValues {
  name: string;
  definition: string | null;
}

/** Returns the rows to compare if somebody else has changed the connector. Secrets are not known here. */
const rowsOf = (settings: readonly Setting[], values: Values): Row[] => [
  {
    label: t`Definition`,
    value: values.definition,
    show: <CodeBlock text={values.definition ?? ''} what={t`definition`} />,
  },
  ...settings
    .filter(({ writeOnly }) => writeOnly !== true)
    .map(({ name }) => {
      const value = values.settings[name] ?? '';
      return { label: settingLabel(name), value, show: shown(value) };
    }),
];

const shown = (value: string | number | boolean) => {
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  return String(value);
};

interface Props<T> {
  settings: readonly Setting[];
  /** The stored connector. Null: this one is new. */
  connector: Connector | null;
  /** The definition for which the form is, if it is not the stored one. It is saved with the settings. */
  definition?: string | undefined;
  /** Asks for the name of a new app. */
  name?: { initial: string; locked: boolean };
  send: (change: ConnectorChange, name: string, version: string | undefined) => Promise<T>;
  /** The app of a stored connector, which others may change at the same time. */
  appId?: string;
  after?: (result: T) => void;
  success?: string;
  action: string;
  disabled?: boolean;
}

/** The settings and secrets of a connector, from its JSON Schema. */
export function ConnectorForm<T>(props: Props<T>) {
  const { settings, connector, name, action, appId, disabled = false } = props;
  // For another definition, the secrets are needed again.
  const definition = props.definition === connector?.definition ? undefined : props.definition;
  const valuesOf = (of: Connector | null): Values => ({
    name: name?.initial ?? '',
    definition: of?.definition ?? null,
    ...initialValues(settings, of),
  });
  const [replacing, setReplacing] = useState<readonly string[]>([]);
  const [removing, setRemoving] = useState<readonly string[]>([]);
  const { form, submit, pending, failure } = useApiForm<Values, T>({
    initialValues: { ...valuesOf(connector), ...(definition === undefined ? {} : { definition }) },
    send: (values, version) => {
      const change = changeOf(settings, values, connector, removing);
      return props.send(
        definition === undefined ? change : { ...change, definition },
        values.name.trim(),
        version,
      );
    },
    ...(appId === undefined || connector === null
      ? {}
      : { edits: editsOf({ appId, connector }, valuesOf, (values) => rowsOf(settings, values)) }),
    ...(props.after === undefined ? {} : { after: props.after }),
    ...(props.success === undefined ? {} : { success: props.success }),
  });
  const stored = connector?.secrets.length ?? 0;
  const settingsDiffer =
    connector !== null && (definition !== undefined || changesSettings(settings, form.values, connector));
  // The server requires all secrets with a changed one, too.
  const changed = settingsDiffer || replacing.length + removing.length > 0;
  const setAt = (secret: string) => connector?.secrets.find((one) => one.name === secret)?.set_at;
  const keep = (secret: string) => {
    setReplacing(replacing.filter((one) => one !== secret));
    setRemoving(removing.filter((one) => one !== secret));
    form.setFieldValue(`secrets.${secret}`, '' as never);
  };
  const keepOf = (secret: string) => {
    if (removing.includes(secret)) return () => keep(secret);
    return settingsDiffer || !replacing.includes(secret) ? undefined : () => keep(secret);
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm" maw={560}>
        {name !== undefined && (
          <TextInput
            label={t`App name`}
            description={t`The name that people use, such as Payroll or GitHub.`}
            {...form.getInputProps('name')}
            required
            maxLength={255}
            disabled={name.locked}
          />
        )}
        {settings.map((setting) =>
          setting.writeOnly === true ? (
            <SecretField
              key={setting.name}
              setting={setting}
              input={form.getInputProps(`secrets.${setting.name}`)}
              setAt={setAt(setting.name)}
              open={
                !disabled &&
                (changed || setAt(setting.name) === undefined || replacing.includes(setting.name))
              }
              replace={disabled ? undefined : () => setReplacing([...replacing, setting.name])}
              remove={
                disabled || setting.required || setAt(setting.name) === undefined
                  ? undefined
                  : () => setRemoving([...removing, setting.name])
              }
              removed={removing.includes(setting.name)}
              keep={keepOf(setting.name)}
            />
          ) : (
            <SettingField
              key={setting.name}
              setting={setting}
              input={form.getInputProps(`settings.${setting.name}`)}
            />
          ),
        )}
        {((settingsDiffer && stored > 0) || (changed && stored > 1)) && (
          <Alert color="yellow">
            <Trans>
              Enter the secrets again. A changed setting or secret could send them to another system.
            </Trans>
          </Alert>
        )}
        <FormFailure of={failure} />
        {!disabled && (
          <Group>
            <Button type="submit" loading={pending}>
              {action}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
