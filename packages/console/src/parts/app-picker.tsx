import { type OptionsFilter, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get } from '../api/client.ts';

interface Props {
  value: string | null;
  set: (value: string | null) => void;
}

interface FieldProps extends Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
}

/** Chooses an app, as the server finds it by a part of its name. */
export function AppPicker({ value, set, ...field }: FieldProps) {
  return <Select {...field} {...useApps(value)} value={value} onChange={set} />;
}

/** The same above a table; empty is any. */
export function AppFilter({ value, set }: { value: string | undefined; set: (value?: string) => void }) {
  return (
    <Select
      {...useApps(value ?? null)}
      aria-label="App"
      placeholder="App"
      value={value ?? null}
      onChange={(next) => set(next ?? undefined)}
      clearable
      w={180}
    />
  );
}

/** The server has filtered. */
const asFound: OptionsFilter = ({ options }) => options;

function useApps(value: string | null) {
  const [typed, search] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const chosen = useQuery({
    ...get('/api/apps/{app_id}/', { path: { app_id: value ?? '' } }),
    enabled: value !== null,
    staleTime: 60_000,
  }).data;
  const picked = value === null ? undefined : chosen;
  // What stands in the field once an app is chosen is its name, and would hide the others.
  const found = useQuery(get('/api/apps/', { query: { q: q === picked?.name ? '' : q, limit: 30 } }));
  const shown = new Map(
    [...(picked === undefined ? [] : [picked]), ...(found.data?.results ?? [])].map((app) => [
      app.external_uuid,
      app.name,
    ]),
  );
  return {
    data: [...shown].map(([id, name]) => ({ value: id, label: name })),
    onSearchChange: search,
    filter: asFound,
    placeholder: 'Part of a name',
    nothingFoundMessage: found.isFetching ? 'Looking…' : 'No app by that name',
    searchable: true,
  };
}
