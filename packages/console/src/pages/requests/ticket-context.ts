import { useQuery } from '@tanstack/react-query';
import { type Answer, get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import type { Ticket } from './ticket.ts';

export type TicketContext = Answer<'/api/tickets/{ticket_id}/context/'>;

/** Reads what an approver knows about a request. Nobody decides it before. */
export function useTicketContext(ticket: Ticket | undefined) {
  const { me, readsAll } = useMe();
  const isMine = (person: { external_uuid: string } | undefined) =>
    person?.external_uuid === me?.external_uuid;
  // A requester may not see the existing access of another person.
  const mayRead =
    ticket !== undefined &&
    (readsAll || ![ticket.requester, ticket.created_by].some(isMine) || isMine(ticket.user));
  const query = useQuery({
    ...get('/api/tickets/{ticket_id}/context/', { path: { ticket_id: ticket?.external_uuid ?? '' } }),
    enabled: mayRead,
  });
  return {
    context: query.data,
    error: query.data === undefined ? query.error : null,
    isPending: mayRead && query.isPending,
    /** Whether there is nothing more to know before a decision. */
    isKnown: !mayRead || query.data !== undefined,
    again: () => void query.refetch(),
  };
}
