import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { AppStatus } from '../../parts/app-status.tsx';
import { Bars } from '../../parts/bars.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import { counted, grouped } from '../../parts/words.ts';
import { FailedTasks } from './failed-tasks.tsx';
import classes from './overview.module.css';

type Overview = Answer<'/api/overview/'>;
type Bounded = Overview['tickets']['waiting'];

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);
const amount = ({ count, more }: Bounded) => (more ? `more than ${grouped(count)}` : grouped(count));

/** The state of the organization, from one response. */
export function OrganizationOverview({ of: overview }: { of: Overview }) {
  const { apps, accounts, people, tasks, licenses, reviews, tickets } = overview;
  return (
    <>
      <ul className={classes.figures} aria-label="Key figures">
        <Figure name="Apps" value={grouped(sum(apps.by_status))}>
          <TextLink to="/apps">{counted(apps.by_status.CONNECTED ?? 0, 'connected', 'connected')}</TextLink>
        </Figure>
        <Figure
          name="Active accounts"
          value={
            <TextLink to="/accounts" search={{ status: 'ACTIVE' }} inherit>
              {grouped(accounts.by_status.ACTIVE ?? 0)}
            </TextLink>
          }
        >
          <TextLink to="/accounts" search={{ status: 'ACTIVE', linked: false }}>
            {amount(accounts.orphans)} orphaned
          </TextLink>
        </Figure>
        <Figure
          name="Leavers with access"
          value={
            <TextLink to="/people" search={{ tab: 'leavers' }} inherit>
              {amount(people.leavers_with_access)}
            </TextLink>
          }
        >
          <TextLink to="/accounts" search={{ without_owner: true }}>
            {amount(accounts.without_owner)} unowned accounts
          </TextLink>
        </Figure>
        <Figure name="Pending requests" value={amount(tickets.waiting)}>
          <TextLink to="/requests" search={{ status: 'PENDING' }}>
            Show requests
          </TextLink>
        </Figure>
        <Figure name="Pending tasks" value={amount(tasks.pending)}>
          <TextLink to="/tasks">
            {tasks.oldest_pending_at === null ? (
              `${amount(tasks.scheduled)} scheduled`
            ) : (
              <>
                Oldest <Moment at={tasks.oldest_pending_at} />
              </>
            )}
          </TextLink>
        </Figure>
      </ul>
      <div className={classes.columns}>
        <SyncHealth apps={apps.in_need} total={sum(apps.by_status)} />
        <FailedTasks failed={tasks.failed} />
        <Section title="License usage">
          {licenses.length === 0 ? (
            <Text size="sm" c="dimmed">
              No licenses with a limited number of seats.
            </Text>
          ) : (
            <Bars
              label="Seats in use, fullest licenses first"
              bars={licenses.map(({ app, name, used, max }) => ({
                name: `${name}, ${app.name}`,
                value: used,
                of: max,
                words: `${grouped(used)} of ${grouped(max)}${used >= max ? ', none free' : ''}`,
                to: `/apps/${app.external_uuid}?tab=licenses`,
                bad: used >= max,
              }))}
            />
          )}
        </Section>
        <Section title="Open reviews">
          {reviews.length === 0 ? (
            <Text size="sm" c="dimmed">
              No open reviews. <TextLink to="/reviews">All access reviews</TextLink>
            </Text>
          ) : (
            <Bars
              label="Decided items in open reviews"
              bars={reviews.map(({ external_uuid, name, items, decided }) => ({
                name,
                value: decided,
                of: items,
                words: `${grouped(decided)} of ${grouped(items)}`,
                to: `/reviews/cycles/${external_uuid}`,
              }))}
            />
          )}
        </Section>
      </div>
    </>
  );
}

function Figure({ name, value, children }: { name: string; value: ReactNode; children: ReactNode }) {
  return (
    <li>
      <span className={classes.name}>{name}</span>
      <span className={classes.value}>{value}</span>
      <span className={classes.more}>{children}</span>
    </li>
  );
}

/** Lists apps, those with problems first. */
function SyncHealth({ apps, total }: { apps: Overview['apps']['in_need']; total: number }) {
  return (
    <Section title="Sync health" actions={<TextLink to="/apps">All {counted(total, 'app')}</TextLink>}>
      <ul className={classes.rows}>
        {apps.map(({ external_uuid: appId, name, last_synced_at, ...app }) => (
          <li key={appId}>
            <TextLink to="/apps/$appId" params={{ appId }}>
              {name}
            </TextLink>
            <AppStatus of={app} />
            <span className={classes.when}>
              <Moment at={last_synced_at} none="Never synced" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
