import { MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { TextLink } from './links.tsx';
import { personName } from './words.ts';

const personQuery = (userId: string) => ({
  ...get('/api/users/{user_id}/', { path: { user_id: userId } }),
  staleTime: 60_000,
});

interface NameProps {
  id: string | null;
  none?: string;
  /** Shown to members, who may not read other people. */
  someone?: string;
}

/** A person's name, as a link for roles that can read people. */
export function PersonName({ id, none = 'Nobody', someone = 'another person' }: NameProps) {
  const { me, readsAll } = useMe();
  // Members may not read other people.
  const isReadable = readsAll || id === me?.external_uuid;
  const { data, isError } = useQuery({ ...personQuery(id ?? ''), enabled: id !== null && isReadable });
  if (id === null) return <span>{none}</span>;
  if (!isReadable) return <span>{someone}</span>;
  if (data === undefined) return <span>{isError ? 'Unknown person' : '…'}</span>;
  if (!readsAll) return <span>{personName(data)}</span>;
  return (
    <TextLink to="/people/$userId" params={{ userId: id }} title={data.email}>
      {personName(data)}
    </TextLink>
  );
}

interface Common {
  label: string;
  description?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  error?: ReactNode;
}

interface OneProps extends Common {
  value: string | null;
  set: (value: string | null) => void;
}

/** Selects a person. The server searches by name and email. */
export function PersonPicker({ value, set, ...field }: OneProps) {
  const people = usePeople(value === null ? [] : [value]);
  return (
    <Select
      {...field}
      data={people.options}
      value={value}
      onChange={set}
      onSearchChange={people.search}
      filter={({ options }) => options}
      placeholder="Search by name or email"
      nothingFoundMessage={people.nothing}
      searchable
      clearable={field.required !== true}
    />
  );
}

interface ManyProps extends Common {
  value: string[];
  set: (value: string[]) => void;
}

/** Selects several people. The server searches by name and email. */
export function PeoplePicker({ value, set, ...field }: ManyProps) {
  const people = usePeople(value);
  return (
    <MultiSelect
      {...field}
      data={people.options}
      value={value}
      onChange={set}
      onSearchChange={people.search}
      filter={({ options }) => options}
      {...(value.length === 0 ? { placeholder: 'Search by name or email' } : {})}
      nothingFoundMessage={people.nothing}
      searchable
      hidePickedOptions
    />
  );
}

export function usePeople(chosen: readonly string[]) {
  const [typed, search] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const picked = useQueries({ queries: chosen.map(personQuery) }).flatMap(({ data }) => data ?? []);
  // Once a person is selected, the field holds their label. Searching for that would find nobody.
  const isLabel = picked.some((person) => labelOf(person) === q);
  const found = useQuery(get('/api/users/', { query: { q: isLabel ? '' : q, status: 'active', limit: 20 } }));
  const shown = new Map(
    [...picked, ...(found.data?.results ?? [])].map((person) => [person.external_uuid, person]),
  );
  return {
    options: [...shown.values()].map((person) => ({ value: person.external_uuid, label: labelOf(person) })),
    search,
    nothing: found.isFetching ? 'Searching…' : 'No matching person',
  };
}

const labelOf = (person: { first_name: string; last_name: string; email: string }) => {
  const name = personName(person);
  return name === person.email ? name : `${name} (${person.email})`;
};
