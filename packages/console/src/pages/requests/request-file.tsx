import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import { Context } from './context.tsx';
import { Made } from './made.tsx';
import classes from './request.module.css';
import { Route } from './route.tsx';
import { kindOf, type Ticket } from './ticket.ts';

/** All that there is to know about a request, for whoever follows it or decides about it. */
export function RequestFile({ ticket }: { ticket: Ticket }) {
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
          <Section title="What is asked for">
            <Properties
              of={[
                ['Reason', ticket.initial_comment || 'None was given.'],
                ['For', <Person key="for" of={user} />],
                [
                  'Asked by',
                  requester.external_uuid === user.external_uuid ? undefined : (
                    <Person key="by" of={requester} />
                  ),
                ],
                [
                  'Filed by',
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
                ['Kind', kindOf(ticket)],
                ['From', <Moment key="from" at={ticket.start_time} none="once it is approved" />],
                ['Until', <Moment key="until" at={ticket.end_time} none="for good" />],
                ['Asked', <Moment key="asked" at={ticket.created_at} />],
              ]}
            />
          </Section>
          <Context ticket={ticket} />
        </div>
        <div>
          <Section title="Who decides">
            <Route ticket={ticket} />
          </Section>
          {ticket.tasks.length > 0 && (
            <Section title="What came of it">
              <Made ticket={ticket} />
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
