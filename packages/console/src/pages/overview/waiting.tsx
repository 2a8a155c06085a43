import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useQueries } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Name } from '../../kit/text/name.tsx';
import { type Ticket, titleOf } from '../requests/ticket.ts';
import { taskName } from '../tasks/task.ts';
import classes from './overview.module.css';

const SHOWN = 5;

/** The decisions and tasks of the signed-in person. Renders nothing if there are none. */
export function Waiting() {
  const [tickets, cycles, tasks] = useQueries({
    queries: [
      get('/api/tickets/', { query: { to_approve: true, limit: SHOWN } }),
      get('/api/reviews/cycles/', { query: { mine: true, status: 'in_progress', limit: SHOWN } }),
      get('/api/fulfillment/tasks/', { query: { mine: true, limit: SHOWN } }),
    ],
  });
  const requests = tickets.data?.count ?? 0;
  const reviews = cycles.data?.count ?? 0;
  const work = tasks.data?.count ?? 0;
  if (requests + reviews + work === 0) return null;
  return (
    <Section title={t`Your pending decisions`}>
      <ul className={classes.waiting}>
        {requests > 0 && (
          <li>
            <strong>
              <Plural value={requests} one="# request to approve" other="# requests to approve" />
            </strong>
            <ul>
              {tickets.data?.results.map((ticket) => (
                <RequestLine key={ticket.external_uuid} of={ticket} />
              ))}
            </ul>
            <ButtonLink to="/approvals" variant="default">
              {t`Review requests`}
            </ButtonLink>
          </li>
        )}
        {reviews > 0 && (
          <li>
            <strong>
              <Plural
                value={reviews}
                one="# access review with items for you"
                other="# access reviews with items for you"
              />
            </strong>
            <ul>
              {cycles.data?.results.map(({ external_uuid: cycleId, campaign: { name }, due_at }) => (
                <li key={cycleId}>
                  <Trans>
                    <TextLink to="/reviews/cycles/$cycleId" params={{ cycleId }}>
                      <Name of={name} />
                    </TextLink>
                    , due <Moment at={due_at} none={t`at any time`} />
                  </Trans>
                </li>
              ))}
            </ul>
            <ButtonLink to="/reviews" variant="default">
              {t`Review access`}
            </ButtonLink>
          </li>
        )}
        {work > 0 && (
          <li>
            <strong>
              <Plural value={work} one="# task to carry out" other="# tasks to carry out" />
            </strong>
            <ul>
              {tasks.data?.results.map(({ task, due_at }) => (
                <li key={task.external_uuid}>
                  <DueTask task={task} at={due_at} />
                </li>
              ))}
            </ul>
            <ButtonLink to="/my-tasks" variant="default">
              {t`Show tasks`}
            </ButtonLink>
          </li>
        )}
      </ul>
    </Section>
  );
}

function DueTask({ task, at }: { task: Parameters<typeof taskName>[0]; at: string | null }) {
  const name = taskName(task);
  return (
    <Trans>
      <TextLink to="/my-tasks/$taskId" params={{ taskId: task.external_uuid }}>
        <Name of={name} />
      </TextLink>
      , due <Moment at={at} />
    </Trans>
  );
}

/** "REQ-12: access to Payroll for Ada Lovelace, requested 3 minutes ago" */
function RequestLine({ of: ticket }: { of: Ticket }) {
  const title = titleOf(ticket);
  return (
    <li>
      <Trans>
        <TextLink to="/requests/$ticketId" params={{ ticketId: ticket.external_uuid }}>
          {title}
        </TextLink>
        , requested <Moment at={ticket.created_at} />
      </Trans>
    </li>
  );
}
