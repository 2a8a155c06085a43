import type { OrgTx } from '#kit/database.ts';
import type { NewEvent } from '#log/events/record.ts';
import * as queries from './queries/revoked.ts';

/*
 * What people took away from policies and roles (D73): these do not give it again, until somebody grants it, the condition becomes false,
 * or the person leaves.
 */

/** Forgets what a policy or role does not give to these people, or in these accounts: its condition has become false. */
export const forgetRevoked = async (
  tx: OrgTx,
  revoked: readonly { source_id: string; app_id: string; subject: string }[],
): Promise<void> => {
  if (revoked.length > 0) await queries.forgetRevoked(tx, revoked);
};

/** Forgets what was taken away from people who leave. Who returns gets what policies give then. */
export async function forgetRevokedOfLeavers(tx: OrgTx, events: readonly NewEvent[]): Promise<void> {
  const people = events.flatMap((event) =>
    event.type === 'user.deactivated' ? [event.payload.user_id] : [],
  );
  if (people.length > 0) await queries.forgetOfPeople(tx, people);
}
