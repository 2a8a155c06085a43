import { t } from '@lingui/core/macro';
import { MultiSelect, NumberInput, Select, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { AppsPicker } from '../../apps/apps-picker.tsx';
import { NameTags } from '../../kit/form/name-tags.tsx';
import { localInput } from '../../kit/text/words.ts';
import { PeoplePicker } from '../../people/person.tsx';
import type { Condition, Field } from './query.ts';
import { valueWord } from './words.ts';

interface Props {
  field: Field;
  condition: Condition;
  set: (value: unknown) => void;
}

const textsOf = (value: unknown): string[] =>
  value === undefined || value === '' ? [] : Array.isArray(value) ? value.map(String) : [String(value)];

const labeled = () => ({ 'aria-label': t`Value` });

/** The value of a condition, in a field that fits its type. */
export function Value(props: Props) {
  const { field, condition, set } = props;
  const { value } = condition;
  const takes = field.operators.find(({ name }) => name === condition.operator)?.takes;
  if (takes === undefined || takes === 'nothing') return null;
  if (takes === 'days' || field.type === 'count')
    return (
      <NumberInput
        {...labeled()}
        min={takes === 'days' ? 1 : 0}
        max={takes === 'days' ? 36_500 : 1_000_000_000}
        allowDecimal={false}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => set(next === '' ? undefined : Number(next))}
      />
    );
  if (field.type === 'flag')
    return (
      <Select
        {...labeled()}
        data={[
          { value: 'true', label: t`Yes` },
          { value: 'false', label: t`No` },
        ]}
        value={value === undefined ? null : String(value)}
        onChange={(next) => set(next === 'true')}
        allowDeselect={false}
      />
    );
  if (field.type === 'time' || field.type === 'day')
    return <DayValue isMoment={field.type === 'time'} value={value} set={set} />;
  if (takes === 'several') return <Several {...props} />;
  return <TextValue value={textsOf(value)[0] ?? ''} set={set} />;
}

/** Values of which one has to fit. */
function Several({ field, condition, set }: Props) {
  const values = textsOf(condition.value);
  const isEmpty = values.length === 0;
  if (field.values !== null)
    return (
      <MultiSelect
        {...labeled()}
        data={field.values.map((one) => ({ value: one, label: valueWord(field, one) }))}
        value={values}
        onChange={set}
        {...(isEmpty ? { placeholder: t`Choose values` } : {})}
        hidePickedOptions
      />
    );
  if (field.names === 'user') return <PeoplePicker {...labeled()} label="" value={values} set={set} />;
  if (field.names === 'app') return <AppsPicker {...labeled()} value={values} set={set} />;
  return (
    <NameTags
      {...labeled()}
      value={values}
      onChange={set}
      placeholder={isEmpty ? t`Type a value and press Enter` : ''}
      acceptValueOnBlur
    />
  );
}

/** A day. The API takes the beginning of it for a moment. */
function DayValue({ isMoment, value, set }: { isMoment: boolean } & SetsValue<unknown>) {
  const text = typeof value === 'string' ? value : '';
  const write = (day: string) => {
    if (day === '') return set(undefined);
    return set(isMoment ? new Date(`${day}T00:00`).toISOString() : day);
  };
  return (
    <TextInput
      type="date"
      aria-label={t`Value`}
      value={isMoment && text !== '' ? localInput(text).slice(0, 10) : text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}

interface SetsValue<T> {
  value: T;
  set: (value: unknown) => void;
}

const QUIET_MS = 300;

/** A text, which counts shortly after the last key press. */
export function TextValue({ value, set, label = t`Value` }: SetsValue<string> & { label?: string }) {
  const [typed, setTyped] = useState(value);
  const own = useRef(value);
  const write = useDebouncedCallback((next: string) => {
    own.current = next;
    set(next);
  }, QUIET_MS);
  useEffect(() => {
    if (value === own.current) return;
    own.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={512}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        write(currentTarget.value);
      }}
    />
  );
}
