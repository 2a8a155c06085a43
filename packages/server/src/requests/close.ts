import type { ArchiveHook } from '../apps/admin.ts';
import { BY_THE_CLOCK } from '../identity/cause.ts';
import type { PeopleHook } from '../people/people.ts';
import { DomainError } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { type DecisionTools, goOnWithout } from './decide.ts';
import * as queries from './queries/write.ts';

/** Who has left gets nothing: pending tickets for them are canceled with their leaving. */
export const cancelTicketsOfLeavers: PeopleHook = async (tx, orgId, events) => {
  const userIds = events.flatMap((event) =>
    event.type === 'user.deactivated' ? [event.payload.user_id] : [],
  );
  if (userIds.length > 0) await queries.cancelPending(tx, orgId, { userIds }, 'The person was deactivated.');
};

/** Nobody gets access to an archived app. */
export const cancelTicketsOfApp: ArchiveHook = async (tx, orgId, app) => {
  await queries.cancelPending(tx, orgId, { appId: app.id }, 'The app was archived.');
  return [];
};

export function defineRequestJobs(tools: DecisionTools, jobs: Jobs) {
  jobs.define({
    name: 'requests.housekeeping',
    attempts: 1,
    cron: '* * * * *',
    work: () => keepHouse(tools),
  });
}

/** Closes what nobody can decide any more, and goes on where an approver's leaving completed a step. */
export async function keepHouse(tools: DecisionTools): Promise<void> {
  await queries.closeOver(tools.db, tools.expiryDays);
  for (const { org_id, id } of await queries.forgotten(tools.db)) {
    await goOnWithout(tools, org_id, id, BY_THE_CLOCK).catch((error: unknown) => {
      // Decided meanwhile, or what it asks for cannot be given: it waits for a person, or for its time to be over.
      if (!(error instanceof DomainError)) throw error;
    });
  }
}
