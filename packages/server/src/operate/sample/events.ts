import type { RemovedParts } from '#directory/access/organization-facts.ts';
import type { Call } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';

interface Counts {
  slug: string;
  name: string;
  apps: number;
  people: number;
}

export function sampleEvent(type: 'organization.sample_created', call: Call, payload: Counts): NewEvent;
export function sampleEvent(
  type: 'organization.sample_removed',
  call: Call,
  payload: Pick<Counts, 'slug' | 'name'> & RemovedParts,
): NewEvent;
export function sampleEvent(type: string, { orgId, cause }: Call, payload: object): NewEvent {
  return {
    type,
    ...cause,
    subject: { type: 'system', uuid: orgId },
    payload: { organization_id: orgId, ...payload },
  } as NewEvent;
}
