import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

export interface Option {
  value: string;
  label: string;
}

interface FilterProps {
  children: ReactNode;
  /** Whether any is set. */
  some: boolean;
  clear: () => void;
}

/** Above a table: a Search and FilterSelects, and what takes them all back. */
export function Filters({ children, some, clear }: FilterProps) {
  return (
    <Group gap="xs" mb="sm" role="search">
      {children}
      {some && (
        <Button variant="subtle" color="gray" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}

interface SearchProps {
  /** What is looked through: "Part of a name". */
  label: string;
  value: string | undefined;
  set: (value: string | undefined) => void;
}

/** Writes into the address a moment after the last key. The key `/` comes here. */
export function Search({ label, value = '', set }: SearchProps) {
  const [typed, setTyped] = useState(value);
  const own = useRef(value);
  const write = useDebouncedCallback((next: string) => {
    own.current = next.trim();
    set(next.trim() === '' ? undefined : next.trim());
  }, 250);
  // Someone else changed the address: a cleared filter, the back button.
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
      w={260}
      maw="100%"
    />
  );
}

interface SelectProps {
  /** What it chooses by: "Status". */
  label: string;
  options: readonly Option[];
  value: string | undefined;
  set: (value: string | undefined) => void;
}

/** One choice out of few; empty is any. */
export function FilterSelect({ label, options, value, set }: SelectProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...options]}
      value={value ?? null}
      onChange={(next) => set(next ?? undefined)}
      clearable
      searchable={options.length > 10}
      w={180}
    />
  );
}
