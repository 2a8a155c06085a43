import { t } from '@lingui/core/macro';
import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AmongNames } from '../kit/text/name.tsx';
import { optionsOf } from './offered-person.tsx';

interface Candidate {
  external_uuid: string;
  /** Empty if the record has no name. */
  name: string;
  email: string;
}

/** The search for people who can take over a decision. */
export interface CandidateSearch {
  /** The id of the request or the review. */
  of: string;
  find: (q: string, signal: AbortSignal) => Promise<{ results: Candidate[] }>;
}

interface Props {
  label: string;
  search: CandidateSearch;
  value: string[];
  set: (value: string[]) => void;
}

/** The number of characters that the server requires. */
const SHORTEST = 2;

/** Selects people who can take over a decision. Members can use it, too, although they cannot read people. */
export function CandidatePicker({ label, search: { of, find }, value, set }: Props) {
  const [typed, search] = useState('');
  const [picked, setPicked] = useState<Candidate[]>([]);
  const [q] = useDebouncedValue(typed.trim(), 200);
  const isShort = typed.trim().length < SHORTEST;
  const found = useQuery({
    queryKey: ['candidates', of, q],
    queryFn: ({ signal }) => find(q, signal),
    enabled: q.length >= SHORTEST,
    placeholderData: keepPreviousData,
  });
  const known = isShort ? picked : [...picked, ...(found.data?.results ?? [])];
  const people = new Map(known.map((person) => [person.external_uuid, person]));
  const { names, ...options } = optionsOf([...people.values()].map(offered));
  return (
    <AmongNames of={names}>
      <MultiSelect
        label={label}
        required
        {...options}
        value={value}
        onChange={(next) => {
          setPicked(next.flatMap((id) => people.get(id) ?? []));
          set(next);
        }}
        onSearchChange={search}
        filter={({ options }) => options}
        {...(value.length === 0 ? { placeholder: t`Search by name or email` } : {})}
        nothingFoundMessage={
          isShort
            ? t`Type at least ${SHORTEST} characters.`
            : found.isError
              ? t`The search failed. Try again.`
              : found.isFetching || q !== typed.trim()
                ? t`Searching…`
                : t`No matching person`
        }
        searchable
        openOnFocus={false}
        hidePickedOptions
      />
    </AmongNames>
  );
}

const offered = ({ external_uuid, name, email }: Candidate) => ({
  id: external_uuid,
  name: name === '' ? email : name,
  email,
});
