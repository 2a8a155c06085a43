import { MultiSelect, type MultiSelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get, type Item } from '../api/client.ts';
import { grouped } from './words.ts';

type Resource = Item<'/api/apps/{app_id}/resources/'>;
type BySlug = Record<string, { id: string; name: string }[]>;

/** A group or a license that somebody has chosen. */
export interface Chosen {
  slug: string;
  type: string;
  id: string;
  name: string;
}

/** The slug and id of a group or license in one; a slug has no slash in it. */
export const keyOf = ({ slug, id }: { slug: string; id: string }) => `${slug}/${id}`;

/** What an account has, or a request asks for, in one list: groups first. */
export const chosenOf = (what: { memberships: BySlug; assignments: BySlug }): Chosen[] =>
  [['group', what.memberships] as const, ['license', what.assignments] as const].flatMap(([type, all]) =>
    Object.entries(all).flatMap(([slug, refs]) => refs.map(({ id, name }) => ({ slug, type, id, name }))),
  );

/** As the API takes them: the ids of one type, by slug. */
export function idsBySlug(chosen: readonly Chosen[], type?: string): Record<string, string[]> {
  const own = chosen.filter((one) => type === undefined || one.type === type);
  return Object.fromEntries(
    [...Map.groupBy(own, ({ slug }) => slug)].map(([slug, all]) => [slug, all.map(({ id }) => id)]),
  );
}

/** As the API takes a change of what an account has: by slug, what is given and what is taken. */
export function changesOf(added: readonly Chosen[], removed: readonly Chosen[]) {
  const [give, take] = [idsBySlug(added), idsBySlug(removed)];
  const slugs = [...new Set([...Object.keys(give), ...Object.keys(take)])];
  return Object.fromEntries(
    slugs.map((slug) => [slug, { added: give[slug] ?? [], removed: take[slug] ?? [] }]),
  );
}

interface Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
  value: readonly Chosen[];
  set: (value: Chosen[]) => void;
}

interface ServerProps extends Props {
  appId: string;
  /** What is there already, and cannot be chosen again. */
  held?: readonly Chosen[];
}

/** Chooses groups and licenses of an app, as the server finds them by a part of the name. */
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
    <Several
      {...field}
      offered={resources.filter((resource) => !has.has(keyOf(resource)))}
      onSearchChange={search}
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? 'Looking…' : 'There is no other by that name'}
      renderOption={({ option }) => (
        <div>
          {option.label}
          <About resource={known.get(option.value)} />
        </div>
      )}
    />
  );
}

/** Chooses among what an account has. */
export function HeldPicker({ held, ...field }: Props & { held: readonly Chosen[] }) {
  return <Several {...field} offered={held} nothingFoundMessage="It has nothing by that name" />;
}

type Searching = Pick<MultiSelectProps, 'nothingFoundMessage' | 'onSearchChange' | 'filter' | 'renderOption'>;

const SCROLLING = { options: { maxHeight: 260, overflowY: 'auto' } } as const;

interface SeveralProps extends Props, Searching {
  offered: readonly Chosen[];
}

function Several({ offered, value, set, ...field }: SeveralProps) {
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
      {...(value.length === 0 ? { placeholder: 'Part of a name' } : {})}
      searchable
      clearable
      hidePickedOptions
      // The list box itself scrolls: the keys of the field reach it, which those of a box around it would not.
      withScrollArea={false}
      styles={SCROLLING}
    />
  );
}

/** "License", or "Group: role" where the app has a word of its own. */
function headOf({ slug, type }: Chosen): string {
  const head = type === 'license' ? 'License' : 'Group';
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

function seatsLeft({ type, max_count, used_count, members, is_unlimited }: Resource): string {
  if (type !== 'license' || max_count === null) return '';
  if (is_unlimited === true || max_count === 0) return 'unlimited seats';
  const left = Math.max(0, max_count - (used_count ?? members ?? 0));
  return left === 0 ? 'no seat left' : `${grouped(left)} of ${grouped(max_count)} seats left`;
}
