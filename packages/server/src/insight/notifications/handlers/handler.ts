import type { Awaited } from '../../../decisions/reviews/cycle.ts';
import type { Db } from '../../../kit/database/open.ts';
import type { LoggedEvent } from '../../../log/events/follow.ts';
import type { Draft, Recipient } from '../draft.ts';
import type { TicketFacts } from '../queries/lookups.ts';

/** An event, and how to look up what its notifications need. */
export interface Context {
  db: Db;
  orgId: string;
  event: LoggedEvent;
  /** A text of the payload. */
  text: (field: string) => string;
  /** Returns the people whom a review cycle waits for. The events of a batch share the answer. */
  reviewersOf: (cycleId: string) => Promise<Awaited[]>;
  /** Returns the request that a completed or failed task belongs to. The tasks of a batch are looked up together. */
  ticketGrantedBy: (taskId: string) => Promise<TicketFacts | undefined>;
}

/** Returns the notifications of an event. */
export type Handler = (context: Context) => Promise<Draft[]>;

/** Returns the people to whom work was given who did not have it before, themselves or for somebody who is absent. */
export function newAmong(awaited: readonly Recipient[], { payload, actor }: LoggedEvent): Recipient[] {
  const given = new Set(payload.to as string[]).difference(new Set(payload.from as string[]));
  const isNew = ({ userId, onBehalfOf }: Recipient) =>
    given.has(userId) || (typeof onBehalfOf === 'string' && given.has(onBehalfOf));
  return awaited.filter((one) => isNew(one) && one.userId !== actor.uuid);
}
