import { useQueries } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import { counted } from '../../parts/words.ts';
import { taskName } from '../tasks/task.ts';
import classes from './overview.module.css';

const SHOWN = 5;

/** The decisions and tasks of the signed-in person. Renders nothing if there are none. */
export function Waiting() {
  const [tickets, cycles, tasks] = useQueries({
    queries: [
      get('/api/tickets/', { query: { to_approve: true, limit: SHOWN } }),
      get('/api/reviews/cycles/', { query: { mine: true, status: 'in_progress', limit: SHOWN } }),
      get('/api/fulfilment/tasks/', { query: { mine: true, limit: SHOWN } }),
    ],
  });
  const requests = tickets.data?.count ?? 0;
  const reviews = cycles.data?.count ?? 0;
  const work = tasks.data?.count ?? 0;
  if (requests + reviews + work === 0) return null;
  return (
    <Section title="Your pending decisions">
      <ul className={classes.waiting}>
        {requests > 0 && (
          <li>
            <strong>{counted(requests, 'request')} to approve</strong>
            <ul>
              {tickets.data?.results.map(({ external_uuid: ticketId, label, created_at }) => (
                <li key={ticketId}>
                  <TextLink to="/requests/$ticketId" params={{ ticketId }}>
                    {label}
                  </TextLink>
                  , requested <Moment at={created_at} />
                </li>
              ))}
            </ul>
            <ButtonLink to="/approvals" variant="default">
              Review requests
            </ButtonLink>
          </li>
        )}
        {reviews > 0 && (
          <li>
            <strong>{counted(reviews, 'access review')} with items for you</strong>
            <ul>
              {cycles.data?.results.map(({ external_uuid: cycleId, campaign, due_at }) => (
                <li key={cycleId}>
                  <TextLink to="/reviews/cycles/$cycleId" params={{ cycleId }}>
                    {campaign.name}
                  </TextLink>
                  , due <Moment at={due_at} none="at any time" />
                </li>
              ))}
            </ul>
            <ButtonLink to="/reviews" variant="default">
              Review access
            </ButtonLink>
          </li>
        )}
        {work > 0 && (
          <li>
            <strong>{counted(work, 'task')} to carry out</strong>
            <ul>
              {tasks.data?.results.map(({ task, due_at }) => (
                <li key={task.external_uuid}>
                  <TextLink to="/my-tasks/$taskId" params={{ taskId: task.external_uuid }}>
                    {taskName(task)}
                  </TextLink>
                  , due <Moment at={due_at} />
                </li>
              ))}
            </ul>
            <ButtonLink to="/my-tasks" variant="default">
              Show tasks
            </ButtonLink>
          </li>
        )}
      </ul>
    </Section>
  );
}
