import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/PasswordInput.css';
import { Button, Group, NumberInput, PasswordInput, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { Moment } from '../../../parts/moment.tsx';
import type { Setting } from './connector.ts';
import { hasLines, settingAbout, settingLabel } from './labels.ts';

interface FieldProps {
  setting: Setting;
  /** The result of `form.getInputProps`. */
  input: GetInputPropsReturnType;
}

/** The field of a setting that is not secret, by its type. */
export function SettingField({ setting, input }: FieldProps) {
  const { name, type, description, required, default: fallback } = setting;
  const common = { label: settingLabel(name), ...settingAbout(description), ...input };
  if (type === 'boolean') {
    const { value, ...rest } = common;
    return <Switch {...rest} checked={value === true} />;
  }
  const hint = fallback === undefined || fallback === '' ? {} : { placeholder: String(fallback) };
  if (type === 'number') return <NumberInput {...common} {...hint} required={required} />;
  if (hasLines(name, description))
    return (
      <Textarea {...common} {...hint} required={required} autosize={false} rows={4} spellCheck={false} />
    );
  return <TextInput {...common} {...hint} required={required} autoComplete="off" spellCheck={false} />;
}

interface SecretProps extends FieldProps {
  /** When the stored secret was set. Undefined: there is none. */
  setAt: string | undefined;
  /** Whether to enter a new value. */
  open: boolean;
  /** Undefined for roles that may not change it. */
  replace: (() => void) | undefined;
  /** Keeps the stored secret. Undefined if it must be entered again. */
  keep: (() => void) | undefined;
}

/** A secret is entered, but never shown again. */
export function SecretField({ setting, input, setAt, open, replace, keep }: SecretProps) {
  const { name, description, required } = setting;
  const label = settingLabel(name);
  if (!open)
    return (
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            Set <Moment at={setAt} />
          </Text>
          {replace !== undefined && (
            <Button variant="default" size="compact-xs" aria-label={`Replace ${label}`} onClick={replace}>
              Replace
            </Button>
          )}
        </Group>
      </div>
    );
  const common = {
    label,
    ...settingAbout(description),
    ...input,
    required: required || setAt !== undefined,
  };
  return (
    <div>
      {hasLines(name, description) ? (
        <Textarea {...common} rows={4} autoComplete="off" spellCheck={false} />
      ) : (
        <PasswordInput {...common} autoComplete="new-password" />
      )}
      {keep !== undefined && (
        <Button
          variant="subtle"
          size="compact-xs"
          mt={4}
          aria-label={`Keep the stored ${label}`}
          onClick={keep}
        >
          Keep the stored value
        </Button>
      )}
    </div>
  );
}
