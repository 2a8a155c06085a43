import { losesSeat } from '#inventory/apps/merge.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { concernedBy } from './decide.ts';
import { ticketEvent } from './events.ts';
import { peopleWhoCount } from './queries/approvers.ts';
import { insertComment } from './queries/comments.ts';
import { pendingNaming, setApprovers, setLaterApprovers } from './queries/reassign.ts';
import { findTicket } from './queries/views.ts';
import { lockTicket } from './queries/write.ts';
import type { Ticket } from './ticket.ts';

/**
 * Names another approver in the place of one who leaves, in the current and the later steps of pending requests. A request stays as it is if it
 * concerns the caller or the other person, or if that person counts for it already (D76): then its fallback decides. The caller records the
 * events. Null: only counts the requests.
 */
export async function handOverTickets(
  tx: CallTx,
  fromId: string,
  toId: string | null,
  reason: string,
): Promise<{ found: number; moved: number; events: NewEvent[] }> {
  const pending = await pendingNaming(tx, fromId);
  const events: NewEvent[] = [];
  for (const id of toId === null ? [] : pending) {
    await lockTicket(tx, id);
    const ticket = await findTicket(tx, id);
    if (ticket?.status === 'PENDING')
      events.push(...(await handOver(tx, ticket, fromId, toId as string, reason)));
  }
  return { found: pending.length, moved: events.length, events };
}

async function handOver(
  tx: CallTx,
  ticket: Ticket,
  from: string,
  to: string,
  reason: string,
): Promise<NewEvent[]> {
  const concerned = concernedBy(ticket);
  if (concerned.includes(to) || concerned.includes(tx.principal.userId)) return [];
  if ((await peopleWhoCount(tx, ticket.id)).includes(to)) return [];
  const changed = new Set<number>();
  const steps = ticket.steps.map((step, i) => {
    const { approvers } = step;
    if (i < ticket.step || typeof approvers === 'string' || !approvers.includes(from)) return step;
    if (losesSeat(step, to)) return step;
    changed.add(i);
    return { ...step, approvers: [...new Set(approvers.map((id) => (id === from ? to : id)))] };
  });
  const [first] = changed;
  if (first === undefined) return [];
  const set = changed.has(ticket.step) ? setApprovers : setLaterApprovers;
  await set(tx, ticket.id, steps, [to]);
  await insertComment(tx, ticket.id, { author: tx.principal.userId, kind: 'reassigned', comment: reason });
  const approvers = steps[first]?.approvers as string[];
  const handedOver = { step: first + 1, from: [from], to: approvers, reason };
  return [ticketEvent(ticket, tx.cause, 'request.reassigned', handedOver)];
}
