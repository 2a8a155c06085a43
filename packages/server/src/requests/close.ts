import type { ArchiveHook } from '../apps/admin.ts';
import { BY_THE_CLOCK } from '../identity/cause.ts';
import type { PeopleHook } from '../people/people.ts';
import { DomainError } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { advanceTicket, type DecisionTools } from './decide.ts';
import * as queries from './queries/write.ts';

/** Cancels the pending tickets of deactivated people, in the transaction that deactivates them. */
export const cancelTicketsOfLeavers: PeopleHook = async (tx, orgId, events) => {
  const userIds = events.flatMap((event) =>
    event.type === 'user.deactivated' ? [event.payload.user_id] : [],
  );
  if (userIds.length > 0) await queries.cancelPending(tx, orgId, { userIds }, 'The person was deactivated.');
};

/** Cancels the pending tickets of an app, in the transaction that archives it. */
export const cancelTicketsOfApp: ArchiveHook = async (tx, orgId, app) => {
  await queries.cancelPending(tx, orgId, { appId: app.id }, 'The app was archived.');
  return [];
};

export function defineRequestJobs(tools: DecisionTools, jobs: Jobs) {
  jobs.define({
    name: 'requests.housekeeping',
    attempts: 1,
    cron: '* * * * *',
    work: () => closeAndAdvanceTickets(tools),
  });
}

/**
 * Closes tickets that can no longer be decided. Advances tickets whose step became complete without a decision, because
 * the last missing approver was deactivated.
 */
export async function closeAndAdvanceTickets(tools: DecisionTools): Promise<void> {
  await queries.closeExpired(tools.db, tools.expiryDays);
  for (const { org_id, id } of await queries.pendingWithCompleteStep(tools.db)) {
    await advanceTicket(tools, org_id, id, BY_THE_CLOCK).catch((error: unknown) => {
      // Decided in the meantime, or its access cannot be granted: the ticket waits for a person or for its expiry.
      if (!(error instanceof DomainError)) throw error;
    });
  }
}
