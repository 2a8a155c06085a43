import type { Logger } from 'pino';
import type { PeopleHook } from '#directory/people/people.ts';
import type { ArchiveHook } from '#inventory/apps/admin.ts';
import { transaction, within } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import { BY_THE_CLOCK } from '#kit/identity.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { recordEvents } from '#log/events/record.ts';
import { advanceTicket, type DecisionTools } from './decide.ts';
import { escalateTickets } from './escalate.ts';
import { closedEvents } from './events.ts';
import * as queries from './queries/write.ts';
import { outcomeSentences } from './sentences.ts';

/** Cancels the pending tickets of deactivated people, in the transaction that deactivates them. */
export const cancelTicketsOfLeavers: PeopleHook = async (tx, events) => {
  const causes = new Map(
    events.flatMap(({ type, actor, source, payload }) =>
      type === 'user.deactivated' ? [[payload.user_id, { actor, source }] as const] : [],
    ),
  );
  if (causes.size === 0) return [];
  const closed = await queries.cancelPending(
    tx,
    { userIds: [...causes.keys()] },
    outcomeSentences.request_of_deactivated(),
  );
  return closedEvents(tx, closed, (ticket) => causes.get(ticket.user.external_uuid) ?? BY_THE_CLOCK);
};

/** Cancels the pending tickets of an app, in the transaction that archives it. */
export const cancelTicketsOfApp: ArchiveHook = async (tx, app) => {
  const closed = await queries.cancelPending(tx, { appId: app.id }, outcomeSentences.request_of_archived());
  return closedEvents(tx, closed, () => tx.cause);
};

export function defineRequestJobs(tools: DecisionTools, jobs: Jobs, logger: Logger) {
  jobs.define({
    name: 'requests.housekeeping',
    attempts: 1,
    cron: '* * * * *',
    work: () => closeAndAdvanceTickets(tools),
  });
  jobs.define({
    name: 'requests.escalate',
    attempts: 1,
    cron: '*/5 * * * *',
    work: () => escalateTickets(tools, logger),
  });
}

/**
 * Closes tickets that can no longer be decided. Advances tickets whose step became complete without a decision, because
 * the last missing approver was deactivated.
 */
export async function closeAndAdvanceTickets(tools: DecisionTools): Promise<void> {
  for (const orgId of await queries.organizationsWithExpired(tools.db, tools.expiryDays)) {
    await transaction(within(tools.db, orgId), async (tx) => {
      const closed = await queries.closeExpired(tx, tools.expiryDays);
      await recordEvents(tx, await closedEvents(tx, closed, () => BY_THE_CLOCK));
    });
  }
  for (const orgId of await queries.organizationsWithApproved(tools.db))
    for (const id of await queries.pendingWithCompleteStep(within(tools.db, orgId))) {
      await advanceTicket(tools, within(tools.db, orgId), id, BY_THE_CLOCK).catch((error: unknown) => {
        // Decided in the meantime, or its access cannot be granted: the ticket waits for a person or for its expiry.
        if (!(error instanceof DomainError)) throw error;
      });
    }
}
