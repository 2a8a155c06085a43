import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import { ApprovalSteps } from './approval-steps.tsx';
import { Context } from './context.tsx';
import { Conversation } from './conversation.tsx';
import classes from './request.module.css';
import { RequestTasks } from './request-tasks.tsx';
import { type Ticket, typeLabel } from './ticket.ts';

/** The details, context, approval steps and tasks of a request. */
export function RequestDetails({ ticket }: { ticket: Ticket }) {
  const { user, requester, created_by, app } = ticket;
  return (
    <>
      {ticket.outcome !== null && (
        <Alert icon={<IconInfoCircle aria-hidden />} mb="md" variant="light">
          {ticket.outcome}
        </Alert>
      )}
      <div className={classes.columns}>
        <div>
          <Section title="Details">
            <Properties
              of={[
                ['Reason', ticket.initial_comment || 'None'],
                ['Beneficiary', <Person key="for" of={user} />],
                [
                  'Requester',
                  requester.external_uuid === user.external_uuid ? undefined : (
                    <Person key="by" of={requester} />
                  ),
                ],
                [
                  'Submitted by',
                  created_by.external_uuid === requester.external_uuid ? undefined : (
                    <Person key="filed" of={created_by} />
                  ),
                ],
                [
                  'App',
                  <TextLink key="app" to="/apps/$appId" params={{ appId: app.external_uuid }}>
                    {app.name}
                  </TextLink>,
                ],
                ['Type', typeLabel(ticket)],
                [
                  'Start',
                  <Moment
                    key="from"
                    at={ticket.start_time === ticket.created_at ? null : ticket.start_time}
                    none="On approval"
                  />,
                ],
                ['End', <Moment key="until" at={ticket.end_time} none="No end date" />],
                ['Requested', <Moment key="requested" at={ticket.created_at} />],
              ]}
            />
          </Section>
          <Context ticket={ticket} />
          <Conversation key={ticket.external_uuid} ticket={ticket} />
        </div>
        <div>
          <Section title="Approval steps">
            <ApprovalSteps ticket={ticket} />
          </Section>
          {ticket.tasks.length > 0 && (
            <Section title="Tasks">
              <RequestTasks ticket={ticket} />
            </Section>
          )}
        </div>
      </div>
    </>
  );
}

function Person({ of: { external_uuid, email } }: { of: Ticket['user'] }) {
  const { readsAll } = useMe();
  if (!readsAll) return email;
  return (
    <TextLink to="/people/$userId" params={{ userId: external_uuid }}>
      {email}
    </TextLink>
  );
}
