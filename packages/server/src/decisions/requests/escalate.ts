import type { Logger } from 'pino';
import { type OrgDb, within } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import { BY_THE_CLOCK } from '#kit/identity.ts';
import { logFailure } from '#kit/jobs/log-failure.ts';
import { recordEvents } from '#log/events/record.ts';
import { changePending, type DecisionTools } from './decide.ts';
import { ticketEvent } from './events.ts';
import * as queries from './queries/escalate.ts';
import { findTicket } from './queries/views.ts';
import type { Ticket } from './ticket.ts';

/** Escalates the steps that have waited too long. Any number of nodes may do this: the ticket's lock lets one do it. */
export async function escalateTickets(tools: DecisionTools, logger: Pick<Logger, 'error'>): Promise<void> {
  for (const orgId of await queries.organizationsThatEscalate(tools.db))
    await logFailure(logger, { orgId }, async () => {
      for (const { id } of await queries.overdueTickets(within(tools.db, orgId)))
        await logFailure(logger, { orgId, ticket: id }, () =>
          escalateTicket(tools, within(tools.db, orgId), id).catch((error: unknown) => {
            // Decided in the meantime.
            if (!(error instanceof DomainError && error.code === 'conflict')) throw error;
          }),
        );
    });
}

async function escalateTicket(tools: DecisionTools, org: OrgDb, ticketId: string): Promise<void> {
  await changePending(tools, org, ticketId, async (tx, ticket) => {
    const [due] = await queries.overdueTickets(tx, ticketId);
    if (due === undefined) return;
    await queries.setEscalated(tx, ticketId, due.level);
    const after = (await findTicket(tx, ticketId)) as Ticket;
    const [from, to] = [ticket, after].map(({ waiting_for }) =>
      waiting_for.map(({ external_uuid }) => external_uuid),
    ) as [string[], string[]];
    // Without a manager or a fallback, the same people are waited for as before.
    if (to.every((id) => from.includes(id))) return;
    const step = ticket.step + 1;
    await recordEvents(tx, [ticketEvent(ticket, BY_THE_CLOCK, 'request.escalated', { step, from, to })]);
  });
}
