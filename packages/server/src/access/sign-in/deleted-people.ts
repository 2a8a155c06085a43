import { deletedPeople } from '../../events/deleted-people.ts';
import type { NewEvent } from '../../events/record.ts';
import type { Tx } from '../../platform/database/open.ts';
import { forgetPeople } from './queries/providers.ts';

/** A people hook: the providers that deleted people added or approved stay, without them. */
export async function forgetDeletedPeopleInProviders(
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<void> {
  const deleted = deletedPeople(events);
  if (deleted.length > 0) await forgetPeople(tx, orgId, deleted);
}
