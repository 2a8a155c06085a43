import type { OrganizationState } from '#directory/access/organization-facts.ts';
import { type Tx, within } from '#kit/database.ts';
import type { Actor } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';

/** The person at the operator's command line. Gatehouse does not know who it is. */
const OPERATOR: Actor = { type: 'platform_admin', uuid: null };

/** An organization, as its events name it. */
export type Named = Pick<OrganizationState, 'id' | 'slug' | 'name'>;

/** Returns the parts that all events about an organization share. */
export const about = ({ id, slug, name }: Named, actor: Actor = OPERATOR) => ({
  envelope: {
    actor,
    subject: { type: 'system' as const, uuid: id },
    source: { type: 'system' as const, uuid: null },
  },
  payload: { organization_id: id, slug, name },
});

/** Records an event in the organization's own log. */
export const record = (tx: Tx, { id }: Named, event: NewEvent): Promise<void> =>
  recordEvents(within(tx, id), [event]);
