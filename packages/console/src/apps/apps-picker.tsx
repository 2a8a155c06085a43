import { t } from '@lingui/core/macro';
import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get } from '../api/client.ts';
import { AmongNames } from '../kit/text/name.tsx';
import { NamedApp } from './app-logo.tsx';

interface Props {
  label?: string;
  'aria-label'?: string;
  description?: ReactNode;
  error?: ReactNode;
  value: string[];
  set: (value: string[]) => void;
}

/** Selects several apps. The server searches by name. */
export function AppsPicker({ value, set, ...field }: Props) {
  const apps = useApps(value);
  return (
    <AmongNames of={apps.options.map(({ label }) => label)}>
      <MultiSelect
        {...field}
        data={apps.options}
        value={value}
        onChange={set}
        onSearchChange={apps.search}
        filter={({ options }) => options}
        renderOption={({ option: { label } }) => <NamedApp name={label} />}
        {...(value.length === 0 ? { placeholder: t`Search by name` } : {})}
        nothingFoundMessage={apps.nothing}
        searchable
        hidePickedOptions
      />
    </AmongNames>
  );
}

function useApps(chosen: readonly string[]) {
  const [typed, search] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const picked = useQueries({
    queries: chosen.map((id) => ({
      ...get('/api/apps/{app_id}/', { path: { app_id: id } }),
      staleTime: 60_000,
    })),
  }).flatMap(({ data }) => data ?? []);
  // Once an app is selected, the field holds its name. Searching for that would hide all other apps.
  const isName = picked.some(({ name }) => name === q);
  const found = useQuery(get('/api/apps/', { query: { q: isName ? '' : q, limit: 20 } }));
  const shown = new Map(
    [...picked, ...(found.data?.results ?? [])].map((app) => [app.external_uuid, app.name]),
  );
  return {
    options: [...shown].map(([value, label]) => ({ value, label })),
    search,
    nothing: found.isFetching ? t`Searching…` : t`No matching app`,
  };
}
