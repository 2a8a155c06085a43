import { Select } from '@mantine/core';
import { AmongNames } from '../kit/text/name.tsx';
import { usePeople } from './person.tsx';

interface Props {
  /** "Manager" */
  label: string;
  value: string | undefined;
  set: (value?: string) => void;
}

/** Filters a table by person. No value means any person. */
export function PersonFilter({ label, value, set }: Props) {
  const { names, ...people } = usePeople(value === undefined ? [] : [value]);
  return (
    <AmongNames of={names}>
      <Select
        {...people}
        aria-label={label}
        placeholder={label}
        value={value ?? null}
        onChange={(next) => set(next ?? undefined)}
        clearable
        w={150}
      />
    </AmongNames>
  );
}
