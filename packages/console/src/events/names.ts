import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Answer, get } from '../api/client.ts';
import { personName } from '../kit/text/words.ts';
import type { NameOf } from './event-sentence.ts';
import { sentences } from './sentences.ts';

interface WithPeople {
  event_type: string;
  actor: { type: string; uuid: string | null };
  payload: Readonly<Record<string, unknown>>;
}

const personIds = ({ event_type, actor, payload }: WithPeople): string[] => [
  ...(actor.type === 'user' && actor.uuid !== null ? [actor.uuid] : []),
  ...(sentences[event_type]?.people ?? [])
    .map((field) => payload[field])
    .filter((id) => typeof id === 'string'),
  ...managersIn(payload.changes),
];

function managersIn(changes: unknown): string[] {
  if (!Array.isArray(changes)) return [];
  return (changes as { field: string; from: unknown; to: unknown }[])
    .filter(({ field }) => field === 'manager')
    .flatMap(({ from, to }) => [from, to])
    .filter((id) => typeof id === 'string');
}

/** Shown in place of a name while it loads: "someone" would be wrong a moment later. */
const loading = (external_uuid: string) =>
  ({ external_uuid, first_name: '…', last_name: '', email: '' }) as Answer<'/api/users/{user_id}/'>;

// Defined at module level so that useQueries returns the same Map until a name changes.
const namesIn = (answers: UseQueryResult<Answer<'/api/users/{user_id}/'>>[]) =>
  new Map(
    answers.flatMap(({ data }) =>
      data === undefined ? [] : [[data.external_uuid, personName(data)] as const],
    ),
  );

/** Returns a lookup for the names of the people in these events. Deleted people have no name. */
export function useNames(events: readonly WithPeople[]): NameOf {
  const ids = [...new Set(events.flatMap(personIds))];
  const names = useQueries({
    queries: ids.map((user_id) => ({
      ...get('/api/users/{user_id}/', { path: { user_id } }),
      staleTime: 300_000,
      placeholderData: () => loading(user_id),
    })),
    combine: namesIn,
  });
  return useCallback((id) => names.get(id), [names]);
}
