import type { RequestCause } from '#kit/identity.ts';
import type { Payload } from '#log/events/catalog.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Hold } from './schemas.ts';

export const changeHeld = (payload: Payload<'people.change_held'>, cause: RequestCause): NewEvent => ({
  type: 'people.change_held',
  ...cause,
  subject: { type: 'system', uuid: payload.hold_id },
  payload,
});

/** A person's decision about a hold of people. */
export const changeDecided = (
  type: 'people.change_confirmed' | 'people.change_discarded',
  { id, kind, client, group, affected, of, tasks, reason }: Hold,
  cause: RequestCause,
): NewEvent => ({
  type,
  ...cause,
  subject: { type: 'system', uuid: id },
  payload: {
    hold_id: id,
    kind: kind === 'group' ? 'group' : 'people',
    client: client && { type: client.type, id: client.external_uuid, name: client.label },
    group: group && { id: group.external_uuid, name: group.name },
    affected,
    of,
    tasks,
    reason,
  },
});
