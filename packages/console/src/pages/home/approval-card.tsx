import { t } from '@lingui/core/macro';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Name } from '../../kit/text/name.tsx';
import { personName } from '../../kit/text/words.ts';
import { DecisionButtons, useDecisions } from '../requests/decisions.tsx';
import { requestedItems, type Ticket, titleOf } from '../requests/ticket.ts';
import { useTicketContext } from '../requests/ticket-context.ts';
import { Card } from './card.tsx';

/** The oldest request that awaits the person's decision. */
export function ApprovalCard({ ticket }: { ticket: Ticket }) {
  const decisions = useDecisions(ticket);
  const user = useTicketContext(ticket).context?.user;
  const { requester } = ticket;
  return (
    <Card
      kind={t`Oldest approval`}
      title={
        <TextLink to="/requests/$ticketId" params={{ ticketId: ticket.external_uuid }} inherit>
          <Name of={titleOf(ticket)} />
        </TextLink>
      }
      actions={<DecisionButtons decisions={decisions} />}
    >
      <Properties
        of={[
          [t`Access`, <Name key="access" of={requestedItems(ticket)} />],
          [t`Reason`, ticket.initial_comment || t`None`],
          [
            t`Requester`,
            requester.external_uuid === ticket.user.external_uuid ? undefined : personName(requester),
          ],
          [t`Title`, user?.title ?? undefined],
          [t`Department`, user?.department ?? undefined],
          [t`Requested`, <Moment key="requested" at={ticket.created_at} />],
        ]}
      />
      {decisions.dialog}
    </Card>
  );
}
