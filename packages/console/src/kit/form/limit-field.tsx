import { t } from '@lingui/core/macro';
import { Group, NumberInput, Switch } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import type { Field } from './field.ts';

type Limit = { percent: number; at_least: number } | null;

interface Value {
  enabled: boolean;
  percent: number | string;
  at_least: number | string;
}

interface Props {
  label: string;
  description?: string;
  /** The limit that the field suggests when it is switched on. */
  usual: { percent: number; at_least: number };
}

const limitIn = ({ enabled, percent, at_least }: Value): Limit =>
  enabled ? { percent: Number(percent), at_least: Number(at_least) } : null;

/** A limit on how much may change, as a percentage and a number. It can be switched off. */
export const limit = ({ usual, ...props }: Props): Field<Value, Limit> => ({
  label: props.label,
  initial: { enabled: false, ...usual },
  read: (stored) => ({ enabled: true, ...(stored as typeof usual) }),
  write: limitIn,
  show: (value) => {
    if (!value.enabled) return t`Off`;
    const { percent, at_least } = value;
    return t`More than ${percent}% and at least ${at_least}`;
  },
  control: ({ value, onChange, ...input }) => (
    <>
      <Switch
        {...props}
        checked={value.enabled}
        disabled={input.disabled === true}
        onChange={({ currentTarget }) => onChange({ ...value, enabled: currentTarget.checked })}
      />
      {value.enabled && (
        <Group gap="sm" align="flex-start">
          <NumberInput
            {...input}
            label={t`More than this percentage`}
            value={value.percent}
            onChange={(percent) => onChange({ ...value, percent })}
            min={1}
            max={100}
            required
            w={230}
          />
          <NumberInput
            label={t`And at least this number`}
            value={value.at_least}
            onChange={(at_least) => onChange({ ...value, at_least })}
            min={1}
            allowDecimal={false}
            disabled={input.disabled === true}
            required
            w={230}
          />
        </Group>
      )}
    </>
  ),
});
