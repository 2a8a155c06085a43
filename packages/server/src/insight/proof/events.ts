import type { OrgDb } from '#kit/database.ts';
import type { EventType } from '#log/events/catalog.ts';
import { eventsAbout } from '#log/events/facts.ts';
import type { ProofLink } from './proof-schemas.ts';
import type { SeenGone } from './queries/removals.ts';

/** The events that record each link, by the subject that has them. */
const TYPES: Record<ProofLink['step'], EventType[]> = {
  decided: ['ticket.approved', 'review.decided', 'restore.created'],
  ordered: ['task.created', 'task.retried'],
  done: ['task.completed', 'task.failed', 'task.cancelled'],
  seen_gone: ['app.sync.completed'],
};

/** Adds the ids of the events that recorded each link, oldest first. */
export async function withEvents(
  db: OrgDb,
  links: readonly ProofLink[],
  {
    account,
    task,
    seen,
  }: { account: { external_uuid: string }; task: { id: string } | null; seen: readonly SeenGone[] },
): Promise<ProofLink[]> {
  const decision = links[0]?.decision?.external_uuid ?? null;
  const events = await eventsAbout(db, {
    subjects: [decision, account.external_uuid, task?.id].filter((id) => id != null),
    types: [...TYPES.decided, ...TYPES.ordered, ...TYPES.done],
    syncs: seen.flatMap(({ sync_id }) => sync_id ?? []),
  });
  // A decision in a review is an event of the account.
  const found = events.filter(({ subject, item }) => subject !== account.external_uuid || item === decision);
  return links.map((link) => ({
    ...link,
    event_ids: found.flatMap(({ event_id, event_type }) =>
      TYPES[link.step].includes(event_type) ? [event_id] : [],
    ),
  }));
}
