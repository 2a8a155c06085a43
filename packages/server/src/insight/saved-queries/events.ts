import { type RequestCause, SYSTEM } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Settings } from './saved-query.ts';
import type { StopReason } from './schemas.ts';

const BY_THE_SCHEDULE = { actor: SYSTEM, source: { type: 'schedule', uuid: null } } as const;

interface Named {
  id: string;
  name: string;
}

const subjectOf = ({ id }: Named) => ({ type: 'system', uuid: id }) as const;
const payloadOf = ({ id, name }: Named) => ({ query_id: id, name });

export const queryCreated = (query: Named, cause: RequestCause): NewEvent => ({
  type: 'query.created',
  ...cause,
  subject: subjectOf(query),
  payload: payloadOf(query),
});

/** Returns no event if nothing differs. */
export function queryUpdated(id: string, before: Settings, after: Settings, cause: RequestCause): NewEvent[] {
  const changes = changedFields(before, after, ['name', 'query', 'shared', 'schedule']);
  if (changes.length === 0) return [];
  const named = { id, name: after.name };
  return [
    { type: 'query.updated', ...cause, subject: subjectOf(named), payload: { ...payloadOf(named), changes } },
  ];
}

export const queryDeleted = (query: Named, cause: RequestCause): NewEvent => ({
  type: 'query.deleted',
  ...cause,
  subject: subjectOf(query),
  payload: payloadOf(query),
});

/** A scheduled run, from which the notifications of its recipients follow. */
export const queryRan = (
  query: Named,
  ran: { count: number; previous: number | null; recipients: string[] },
): NewEvent => ({
  type: 'query.ran',
  ...BY_THE_SCHEDULE,
  subject: subjectOf(query),
  payload: { ...payloadOf(query), ...ran },
});

export const queryStopped = (query: Named, owner: string, reason: StopReason): NewEvent => ({
  type: 'query.stopped',
  ...BY_THE_SCHEDULE,
  subject: subjectOf(query),
  payload: { ...payloadOf(query), owner, reason },
});
