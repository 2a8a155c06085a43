import { t } from '@lingui/core/macro';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconFilter, IconSearch, IconX } from '../icons/icons.ts';
import classes from './filters.module.css';

export interface Option {
  value: string;
  label: string;
}

interface FilterProps {
  children: ReactNode;
  /** Whether any filter is set. */
  some: boolean;
  clear: () => void;
}

/** The filters above a table, with a button to clear them all. */
export function Filters({ children, some, clear }: FilterProps) {
  const [open, { toggle }] = useDisclosure();
  const fields = useId();
  return (
    <search className={classes.filters}>
      <Group id={fields} gap="xs" className={classes.fields ?? ''} data-open={open || undefined}>
        {children}
      </Group>
      <Button
        variant="default"
        className={classes.toggle ?? ''}
        aria-expanded={open}
        aria-controls={fields}
        leftSection={<IconFilter size={15} aria-hidden />}
        onClick={toggle}
      >
        {some ? t`Filters, some set` : t`Filters`}
      </Button>
      {some && (
        <Button variant="subtle" color="gray" onClick={clear}>
          {t`Clear filters`}
        </Button>
      )}
    </search>
  );
}

/** A filter that no field shows, such as that of a link from another page. Removes it. */
export function FilterChip({ label, remove }: { label: string; remove: () => void }) {
  return (
    <Button
      variant="light"
      title={t`Remove this filter`}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={remove}
    >
      {label}
    </Button>
  );
}

interface SearchProps {
  /** "Search by name" */
  label: string;
  value: string | undefined;
  set: (value: string | undefined) => void;
}

/** A search field that updates the address shortly after the last key press. The key `/` focuses it. */
export function Search({ label, value = '', set }: SearchProps) {
  const [typed, setTyped] = useState(value);
  const own = useRef(value);
  const write = useDebouncedCallback((next: string) => {
    own.current = next.trim();
    set(next.trim() === '' ? undefined : next.trim());
  }, 250);
  // The address changed elsewhere: a cleared filter, the back button.
  useEffect(() => {
    if (value === own.current) return;
    own.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      type="search"
      data-search
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        write(currentTarget.value);
      }}
      w={label.length > 24 ? 260 : 230}
      maw="100%"
    />
  );
}

interface SelectProps {
  /** "Status" */
  label: string;
  options: readonly Option[];
  value: string | undefined;
  set: (value: string | undefined) => void;
}

/** Filters by one of a few values. No value means any. */
export function FilterSelect({ label, options, value, set }: SelectProps) {
  const longest = Math.max(...options.map((option) => option.label.length));
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...options]}
      value={value ?? null}
      onChange={(next) => set(next ?? undefined)}
      clearable
      searchable={options.length > 10}
      w={longest > 22 ? 235 : longest > 14 ? 200 : 160}
    />
  );
}
