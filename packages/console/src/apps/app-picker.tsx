import { t } from '@lingui/core/macro';
import { type OptionsFilter, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get } from '../api/client.ts';
import { AmongNames } from '../kit/text/name.tsx';
import { NamedApp } from './app-logo.tsx';

interface Props {
  value: string | null;
  set: (value: string | null) => void;
}

interface FieldProps extends Props {
  /** Whether disconnected apps are listed but cannot be selected. */
  connected?: boolean;
  label: string;
  description?: ReactNode;
  required?: boolean;
  error?: ReactNode;
}

/** Selects an app. The server searches by name. */
export function AppPicker({ value, set, connected = false, ...field }: FieldProps) {
  const { names, ...apps } = useApps(value, connected);
  return (
    <AmongNames of={names}>
      <Select {...field} {...apps} value={value} onChange={set} />
    </AmongNames>
  );
}

/** Filters a table by app. No value means any app. */
export function AppFilter({ value, set }: { value: string | undefined; set: (value?: string) => void }) {
  const { names, ...apps } = useApps(value ?? null);
  return (
    <AmongNames of={names}>
      <Select
        {...apps}
        aria-label={t`App`}
        placeholder={t`App`}
        value={value ?? null}
        onChange={(next) => set(next ?? undefined)}
        clearable
        w={180}
      />
    </AmongNames>
  );
}

/** Shows all options: the server has filtered them. */
const unfiltered: OptionsFilter = ({ options }) => options;

function useApps(value: string | null, connected = false) {
  const [typed, search] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const chosen = useQuery({
    ...get('/api/apps/{app_id}/', { path: { app_id: value ?? '' } }),
    enabled: value !== null,
    staleTime: 60_000,
  }).data;
  const picked = value === null ? undefined : chosen;
  // Once an app is selected, the field holds its name. Searching for that would hide all other apps.
  const found = useQuery(
    get('/api/apps/', {
      query: { q: picked !== undefined && q.startsWith(picked.name) ? '' : q, limit: 30 },
    }),
  );
  const shown = new Map(
    [...(picked === undefined ? [] : [picked]), ...(found.data?.results ?? [])].map((app) => [
      app.external_uuid,
      app,
    ]),
  );
  const data = [...shown].map(([id, { name, configuration_status: status }]) => {
    const disabled = connected && status === 'DISCONNECTED';
    return { value: id, label: disabled ? t`${name} (disconnected)` : name, disabled };
  });
  return {
    data,
    names: data.map(({ label }) => label),
    onSearchChange: search,
    filter: unfiltered,
    renderOption: ({ option: { label } }: { option: { label: string } }) => <NamedApp name={label} />,
    placeholder: t`Search by name`,
    nothingFoundMessage: found.isFetching ? t`Searching…` : t`No matching app`,
    searchable: true,
  };
}
