import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { TextLink } from '../../kit/controls/links.tsx';
import { Day, Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconAlertTriangle, IconInfoCircle } from '../../kit/icons/icons.ts';
import { Name } from '../../kit/text/name.tsx';
import { serverText } from '../../language/server-text.ts';
import { ApprovalSteps } from './approval-steps.tsx';
import { Context } from './context.tsx';
import { Conversation } from './conversation.tsx';
import { PersonWithEmail } from './people.tsx';
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
          {serverText({ code: ticket.outcome_code, values: ticket.outcome_values, text: ticket.outcome })}
        </Alert>
      )}
      {ticket.own_afterwards && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} mb="md">
          {t`A person who approved this request has the access now: the account became theirs afterwards. Check whether it is still needed.`}
        </Alert>
      )}
      <div className={classes.columns}>
        <div>
          <Section title={t`Details`}>
            <Properties
              of={[
                [t`Reason`, ticket.initial_comment || t`None`],
                [t`Beneficiary`, <PersonWithEmail key="for" of={user} />],
                [
                  t`Requester`,
                  requester.external_uuid === user.external_uuid ? undefined : (
                    <PersonWithEmail key="by" of={requester} />
                  ),
                ],
                [
                  t`Submitted by`,
                  created_by.external_uuid === requester.external_uuid ? undefined : (
                    <PersonWithEmail key="filed" of={created_by} />
                  ),
                ],
                [
                  t`App`,
                  <TextLink key="app" to="/apps/$appId" params={{ appId: app.external_uuid }}>
                    <Name of={app.name} />
                  </TextLink>,
                ],
                [t`Type`, typeLabel(ticket)],
                [
                  t`Start`,
                  <Day
                    key="from"
                    at={ticket.start_time === ticket.created_at ? null : ticket.start_time}
                    none={t`On approval`}
                  />,
                ],
                [t`End`, <Day key="until" at={ticket.end_time} none={t`No end date`} />],
                [t`Requested`, <Moment key="requested" at={ticket.created_at} />],
              ]}
            />
          </Section>
          <Context ticket={ticket} />
          <Conversation key={ticket.external_uuid} ticket={ticket} />
        </div>
        <div>
          <Section title={t`Approval steps`}>
            <ApprovalSteps ticket={ticket} />
          </Section>
          {ticket.tasks.length > 0 && (
            <Section title={t`Tasks`}>
              <RequestTasks ticket={ticket} />
            </Section>
          )}
        </div>
      </div>
    </>
  );
}
