import type { OrgTx } from '../../../kit/database/organization.ts';
import { deletedPeople } from '../../../log/events/deleted-people.ts';
import type { NewEvent } from '../../../log/events/record.ts';
import { forgetPeople } from './queries/providers.ts';

/** A people hook: the providers that deleted people added or approved stay, without them. */
export async function forgetDeletedPeopleInProviders(tx: OrgTx, events: readonly NewEvent[]): Promise<void> {
  const deleted = deletedPeople(events);
  if (deleted.length > 0) await forgetPeople(tx, deleted);
}
