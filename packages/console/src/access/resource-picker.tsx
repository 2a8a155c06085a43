import { t } from '@lingui/core/macro';
import { MultiSelect, type MultiSelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get, type Item } from '../api/client.ts';
import { AmongNames, Name } from '../kit/text/name.tsx';
import { grouped } from '../kit/text/words.ts';
import { type Chosen, keyOf } from './chosen.ts';

type Resource = Item<'/api/apps/{app_id}/resources/'>;

interface Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
  error?: ReactNode;
  value: readonly Chosen[];
  set: (value: Chosen[]) => void;
}

interface ServerProps extends Props {
  appId: string;
  /** Existing entitlements, which cannot be selected again. */
  held?: readonly Chosen[];
}

/** Selects groups and licenses of an app. The server searches by name. */
export function ResourcePicker({ appId, held = [], ...field }: ServerProps) {
  const [typed, search] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery(
    get('/api/apps/{app_id}/resources/', { path: { app_id: appId }, query: { q, limit: 100 } }),
  );
  const resources = found.data?.results ?? [];
  const known = new Map(resources.map((resource) => [keyOf(resource), resource]));
  const has = new Set(held.map(keyOf));
  return (
    <AmongNames of={resources.map(({ name, id }) => name || id)}>
      <EntitlementSelect
        {...field}
        offered={resources.filter((resource) => !has.has(keyOf(resource)))}
        onSearchChange={search}
        filter={({ options }) => options}
        nothingFoundMessage={found.isFetching ? t`Searching…` : t`No matching group or license`}
        renderOption={({ option }) => (
          <div>
            <Name of={known.get(option.value)?.name || option.label} />
            <About resource={known.get(option.value)} />
          </div>
        )}
      />
    </AmongNames>
  );
}

/** Selects among an account's existing groups and licenses. */
export function HeldPicker({ held, ...field }: Props & { held: readonly Chosen[] }) {
  return (
    <EntitlementSelect {...field} offered={held} nothingFoundMessage={t`No matching group or license`} />
  );
}

type Searching = Pick<MultiSelectProps, 'nothingFoundMessage' | 'onSearchChange' | 'filter' | 'renderOption'>;

const SCROLLING = { options: { maxHeight: 260, overflowY: 'auto' } } as const;

interface EntitlementSelectProps extends Props, Searching {
  offered: readonly Chosen[];
}

function EntitlementSelect({ offered, value, set, ...field }: EntitlementSelectProps) {
  const all = new Map([...value, ...offered].map((one) => [keyOf(one), one]));
  const options = Map.groupBy(all, ([, one]) => headOf(one));
  return (
    <MultiSelect
      {...field}
      data={[...options].map(([group, own]) => ({
        group,
        items: own.map(([key, { id, name }]) => ({ value: key, label: name || id })),
      }))}
      value={value.map(keyOf)}
      onChange={(keys) => set(keys.flatMap((key) => all.get(key) ?? []))}
      {...(value.length === 0 ? { placeholder: t`Search by name` } : {})}
      searchable
      clearable
      hidePickedOptions
      // The list box itself must scroll: the arrow keys do not scroll a wrapper around it.
      withScrollArea={false}
      styles={SCROLLING}
    />
  );
}

/** "License", or "Group: role" if the app uses its own resource type. */
function headOf({ slug, type }: Chosen): string {
  const head = type === 'license' ? t`License` : t`Group`;
  return slug === type ? head : `${head}: ${slug}`;
}

function About({ resource }: { resource: Resource | undefined }) {
  if (resource === undefined) return null;
  const words = [resource.description, seatsLeft(resource)].filter((part) => part !== '').join(' · ');
  return words === '' ? null : (
    <Text size="xs" c="dimmed">
      {words}
    </Text>
  );
}

function seatsLeft({ type, max_count, used_count, members, is_unlimited, is_full }: Resource): string {
  if (type !== 'license') return '';
  if (is_full === true) return t`no seats left`;
  if (max_count === null) return '';
  if (is_unlimited === true || max_count === 0) return t`unlimited seats`;
  const [left, all] = [grouped(Math.max(0, max_count - (used_count ?? members ?? 0))), grouped(max_count)];
  return t`${left} of ${all} seats left`;
}
