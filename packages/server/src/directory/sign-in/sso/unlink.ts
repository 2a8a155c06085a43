import type { OrgTx } from '#kit/database.ts';
import type { NewEvent } from '#log/events/record.ts';
import { unlinkPeople } from '../protocols/queries/providers.ts';

/**
 * A people hook: unlinks people whose email address changes from their accounts at sign-in providers. A link was made
 * because of the address, and must not outlast it.
 */
export async function unlinkChangedEmails(tx: OrgTx, events: readonly NewEvent[]): Promise<void> {
  const people = events.flatMap((event) =>
    event.type === 'user.updated' && event.payload.changes.some(({ field }) => field === 'email')
      ? [event.payload.user_id]
      : [],
  );
  if (people.length > 0) await unlinkPeople(tx, people);
}
