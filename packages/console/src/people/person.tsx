import { t } from '@lingui/core/macro';
import { MultiSelect, type OptionsFilter, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { get, type Query } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { Pending } from '../kit/controls/pending.tsx';
import { AmongNames, Name } from '../kit/text/name.tsx';
import { personName } from '../kit/text/words.ts';
import { Avatar } from './avatar.tsx';
import { labelOfOffered, optionsOf } from './offered-person.tsx';
import classes from './person.module.css';

const personQuery = (userId: string) => ({
  ...get('/api/users/{user_id}/', { path: { user_id: userId } }),
  staleTime: 60_000,
});

interface NameProps {
  /** Undefined while it loads, null if there is nobody. */
  id: string | null | undefined;
  none?: string;
  /** Shown to members, who may not read other people. */
  someone?: string;
}

/** A person's name, as a link for roles that can read people. */
export function PersonName({ id, none = t`Nobody`, someone = t`another person` }: NameProps) {
  const { me, readsAll } = useMe();
  // Members may not read other people.
  const isReadable = readsAll || id === me?.external_uuid;
  const { data, isError } = useQuery({ ...personQuery(id ?? ''), enabled: id != null && isReadable });
  if (id === undefined) return <Pending />;
  if (id === null) return <span>{none}</span>;
  if (!isReadable) return <span>{someone}</span>;
  if (data === undefined) return isError ? <span>{t`Unknown person`}</span> : <Pending />;
  const name = personName(data);
  const avatar = <Avatar name={name} of={id} />;
  if (!readsAll)
    return (
      <span className={classes.person}>
        {avatar}&nbsp;
        <Name of={name} />
      </span>
    );
  return (
    <TextLink
      to="/people/$userId"
      params={{ userId: id }}
      title={data.email}
      className={classes.person ?? ''}
    >
      {avatar}&nbsp;
      <Name of={name} />
    </TextLink>
  );
}

type Role = NonNullable<Query<'/api/users/'>['role']>;

export type Named = Parameters<typeof personName>[0] & { external_uuid: string };

/** The initials and the name of a person. */
export const PersonLabel = ({ of: person }: { of: Named }) => (
  <span className={classes.person}>
    <Avatar name={personName(person)} of={person.external_uuid} />
    &nbsp;
    <Name of={personName(person)} />
  </span>
);

/** The initials and the name of a person, as a link to the person. `inText`: within a sentence, so that it needs a line. */
export const PersonLink = ({ of: person, inText = false }: { of: Named; inText?: boolean }) => (
  <TextLink
    to="/people/$userId"
    params={{ userId: person.external_uuid }}
    title={person.email}
    className={classes.person ?? ''}
    {...(inText ? { underline: 'always' as const } : {})}
  >
    <Avatar name={personName(person)} of={person.external_uuid} />
    &nbsp;
    <Name of={personName(person)} />
  </TextLink>
);

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
  const { names, ...people } = usePeople(value === null ? [] : [value]);
  return (
    <AmongNames of={names}>
      <Select
        {...field}
        {...people}
        value={value}
        onChange={set}
        placeholder={t`Search by name or email`}
        clearable={field.required !== true}
      />
    </AmongNames>
  );
}

interface ManyProps extends Common {
  'aria-label'?: string;
  /** Offers only people with one of these roles. */
  roles?: readonly Role[] | undefined;
  value: string[];
  set: (value: string[]) => void;
}

/** Selects several people. The server searches by name and email. */
export function PeoplePicker({ value, set, roles, ...field }: ManyProps) {
  const { names, ...people } = usePeople(value, roles);
  return (
    <AmongNames of={names}>
      <MultiSelect
        {...field}
        {...people}
        value={value}
        onChange={set}
        {...(value.length === 0 ? { placeholder: t`Search by name or email` } : {})}
        hidePickedOptions
      />
    </AmongNames>
  );
}

/** Shows all options: the server has filtered them. */
const unfiltered: OptionsFilter = ({ options }) => options;

/** Returns the properties of a field that selects among people, and the names that it compares. */
export function usePeople(chosen: readonly string[], roles?: readonly Role[]) {
  const [typed, search] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const picked = useQueries({ queries: chosen.map(personQuery) }).flatMap(({ data }) => data ?? []);
  // Once a person is selected, the field holds their label. Searching for that would find nobody.
  const isLabel = picked.some((person) => labelOf(person) === q);
  const asked = { q: isLabel ? '' : q, status: 'active', limit: 20 } as const;
  const found = useQueries({
    queries: (roles ?? [undefined]).map((role) => get('/api/users/', { query: { ...asked, role } })),
  });
  const shown = new Map(
    [...picked, ...found.flatMap(({ data }) => data?.results ?? [])].map((person) => [
      person.external_uuid,
      person,
    ]),
  );
  const people = [...shown.values()].map(offeredPerson);
  return {
    ...optionsOf(people),
    onSearchChange: search,
    filter: unfiltered,
    nothingFoundMessage: found.some(({ isFetching }) => isFetching) ? t`Searching…` : t`No matching person`,
    searchable: true,
    // A dialog may begin with this field, whose list would cover the others.
    openOnFocus: false,
  };
}

const offeredPerson = (person: Named) => ({
  id: person.external_uuid,
  name: personName(person),
  email: person.email,
});
const labelOf = (person: Named) => labelOfOffered(offeredPerson(person));
