import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { type FieldSet, valuesIn } from '../../../kit/form/field.ts';
import { Fields, useFields } from '../../../kit/form/fields.tsx';
import { FormFailure } from '../../../kit/form/form-failure.tsx';
import { text } from '../../../kit/form/text-fields.tsx';
import { type Connector, type ConnectorChange, loadConnector } from './connector.ts';
import { changeOf, fieldsOf, nameOf, storedIn } from './connector-fields.tsx';
import { SecretField } from './secret-field.tsx';
import type { Setting } from './setting.ts';

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
  const fields: FieldSet = {
    name: {
      ...text({
        label: t`App name`,
        description: t`The name that people use, such as Payroll or GitHub.`,
        required: true,
        maxLength: 255,
        disabled: name?.locked === true,
      }),
      initial: name?.initial ?? '',
    },
    ...fieldsOf(settings),
  };
  const [replacing, setReplacing] = useState<readonly string[]>([]);
  const [removing, setRemoving] = useState<readonly string[]>([]);
  const declared = useFields(fields, {
    of: connector ?? undefined,
    read: appId === undefined ? undefined : () => loadConnector(appId),
    from: (of: Connector) => ({
      ...storedIn(of),
      ...(of === connector && definition !== undefined && { definition }),
    }),
    fieldOf: (path) => path.replace(/^(settings|secrets)\./, '$1:'),
    send: (body, { values, before, version }) => {
      const change = changeOf(fields, values, before, removing);
      return props.send(
        definition === undefined ? change : { ...change, definition },
        String(body.name),
        version,
      );
    },
    ...(props.after === undefined ? {} : { after: props.after }),
    ...(props.success === undefined ? {} : { success: props.success }),
  });
  const { form, values } = declared;
  const stored = connector?.secrets.length ?? 0;
  const before = connector === null ? values : valuesIn(fields, storedIn(connector));
  const settingsDiffer =
    definition !== undefined || Object.keys(changeOf(fields, values, before).settings).length > 0;
  // The server requires all secrets with a changed one, too.
  const changed = settingsDiffer || replacing.length + removing.length > 0;
  const setAt = (secret: string) => connector?.secrets.find((one) => one.name === secret)?.set_at;
  const keep = (secret: string) => {
    setReplacing(replacing.filter((one) => one !== secret));
    setRemoving(removing.filter((one) => one !== secret));
    form.setFieldValue(`secrets:${secret}`, '');
  };
  const keepOf = (secret: string) => {
    if (removing.includes(secret)) return () => keep(secret);
    return settingsDiffer || !replacing.includes(secret) ? undefined : () => keep(secret);
  };
  return (
    <form onSubmit={declared.submit} autoComplete="off">
      <Stack gap="sm" maw={560}>
        {name !== undefined && <Fields of={declared} only={['name']} />}
        {settings.map((setting) =>
          setting.writeOnly === true ? (
            <SecretField
              key={setting.name}
              setting={setting}
              input={form.getInputProps(nameOf(setting))}
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
            <Fields key={setting.name} of={declared} only={[nameOf(setting)]} />
          ),
        )}
        {((settingsDiffer && stored > 0) || (changed && stored > 1)) && (
          <Alert color="yellow">
            {t`Enter the secrets again. A changed setting or secret could send them to another system.`}
          </Alert>
        )}
        <FormFailure of={declared.failure} />
        {!disabled && (
          <Group>
            <Button type="submit" loading={declared.pending}>
              {action}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
