import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useIsRead } from '../../api/until-read.ts';
import { NamedApp } from '../../apps/app-logo.tsx';
import { AppStatus } from '../../apps/app-status.tsx';
import { useConnectorStates } from '../../apps/connector-states.ts';
import { Bars } from '../../kit/chart/bars.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Name } from '../../kit/text/name.tsx';
import { grouped } from '../../kit/text/words.ts';
import { FailedTasks } from './failed-tasks.tsx';
import classes from './overview.module.css';

type Overview = Answer<'/api/overview/'>;
type Bounded = Overview['tickets']['waiting'];

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);
function amount({ count, more }: Bounded): string {
  const counted = grouped(count);
  return more ? t`more than ${counted}` : counted;
}

/** "3 leavers still have active accounts" */
function leaverWords({ count, more }: Bounded): string {
  if (count === 0) return t`No leaver has active accounts`;
  return more
    ? plural(count, {
        one: 'More than # leaver still has active accounts',
        other: 'More than # leavers still have active accounts',
      })
    : plural(count, {
        one: '# leaver still has active accounts',
        other: '# leavers still have active accounts',
      });
}

function unownedWords({ count, more }: Bounded): string {
  return more
    ? plural(count, { one: 'More than # account without owner', other: 'More than # accounts without owner' })
    : plural(count, { one: '# account without owner', other: '# accounts without owner' });
}

function share(part: number, whole: number): string {
  const [count, all] = [grouped(part), grouped(whole)];
  return t`${count} of ${all}`;
}

function noneFree(part: number, whole: number): string {
  const [count, all] = [grouped(part), grouped(whole)];
  return t`${count} of ${all}, none free`;
}

/** The state of the organization, from one response. */
export function OrganizationOverview({ of: overview }: { of: Overview }) {
  const { apps, accounts, people, tasks, licenses, reviews, tickets, webhooks } = overview;
  const orphans = amount(accounts.orphans);
  const active = accounts.by_status.ACTIVE ?? 0;
  const leavers = people.leavers_with_access.count;
  const scheduled = amount(tasks.scheduled);
  const oldest = <Moment at={tasks.oldest_pending_at} />;
  return (
    <>
      <ul className={classes.figures} aria-label={t`Key figures`}>
        <Figure name={t`Apps`} value={grouped(sum(apps.by_status))}>
          <TextLink to="/apps">
            <Plural value={apps.by_status.CONNECTED ?? 0} one="# connected" other="# connected" />
          </TextLink>
        </Figure>
        <Figure
          name={t`Active accounts`}
          value={
            <TextLink
              to="/accounts"
              search={{ status: 'ACTIVE' }}
              inherit
              aria-label={plural(active, { one: '# active account', other: '# active accounts' })}
            >
              {grouped(active)}
            </TextLink>
          }
        >
          <TextLink to="/accounts" search={{ orphaned: true }}>
            <Trans>{orphans} orphaned</Trans>
          </TextLink>
        </Figure>
        <Figure
          name={t`Leavers with access`}
          value={
            <TextLink
              to="/people"
              search={{ tab: 'leavers' }}
              inherit
              aria-label={plural(leavers, { one: '# leaver with access', other: '# leavers with access' })}
            >
              {amount(people.leavers_with_access)}
            </TextLink>
          }
        >
          <TextLink to="/people" search={{ tab: 'leavers' }}>
            {leaverWords(people.leavers_with_access)}
          </TextLink>
          <TextLink to="/accounts" search={{ without_owner: true }}>
            {unownedWords(accounts.without_owner)}
          </TextLink>
        </Figure>
        <Figure name={t`Pending requests`} value={amount(tickets.waiting)}>
          <TextLink to="/requests" search={{ status: 'PENDING' }}>
            <Trans>Show requests</Trans>
          </TextLink>
        </Figure>
        <Figure name={t`Pending tasks`} value={amount(tasks.pending)}>
          <TextLink
            to="/tasks"
            search={{ status: tasks.oldest_pending_at === null ? 'scheduled' : 'pending' }}
          >
            {tasks.oldest_pending_at === null ? (
              <Trans>{scheduled} scheduled</Trans>
            ) : (
              <Trans>Oldest {oldest}</Trans>
            )}
          </TextLink>
        </Figure>
      </ul>
      <div className={classes.columns}>
        <SyncHealth apps={apps.in_need} total={sum(apps.by_status)} />
        <FailedTasks failed={tasks.failed} />
        {webhooks.failing.length > 0 && <FailingWebhooks of={webhooks.failing} />}
        <Section title={t`License usage`}>
          {licenses.length === 0 ? (
            <Text size="sm" c="dimmed">
              <Trans>No licenses with a limited number of seats.</Trans>
            </Text>
          ) : (
            <Bars
              label={t`Seats in use, fullest licenses first`}
              bars={licenses.map(({ app, name, used, max }) => ({
                name: `${name}, ${app.name}`,
                value: used,
                of: max,
                words: used >= max ? noneFree(used, max) : share(used, max),
                to: `/apps/${app.external_uuid}?tab=licenses`,
                bad: used >= max,
              }))}
            />
          )}
        </Section>
        <Section title={t`Open reviews`}>
          {reviews.length === 0 ? (
            <Text size="sm" c="dimmed">
              <Trans>No open reviews.</Trans>{' '}
              <TextLink to="/reviews" underline="always">
                <Trans>All access reviews</Trans>
              </TextLink>
            </Text>
          ) : (
            <Bars
              label={t`Decided items in open reviews`}
              bars={reviews.map(({ external_uuid, name, items, decided }) => ({
                name,
                value: decided,
                of: items,
                words: share(decided, items),
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
      <span className={classes.name}>
        <Name of={name} />
      </span>
      <span className={classes.value}>{value}</span>
      <span className={classes.more}>{children}</span>
    </li>
  );
}

/** Lists the webhooks that deliver nothing, and how many events wait for each. */
function FailingWebhooks({ of }: { of: Overview['webhooks']['failing'] }) {
  return (
    <Section title={t`Failing webhooks`}>
      <ul className={classes.rows}>
        {of.map(({ id, name, first_failed_at, waiting }) => {
          const events = amount(waiting);
          return (
            <li key={id}>
              <TextLink to="/settings/webhooks/$webhookId" params={{ webhookId: id }}>
                <Name of={name} />
              </TextLink>
              <span>
                <Trans>{events} waiting</Trans>
              </span>
              <span className={classes.when}>
                <Moment at={first_failed_at} />
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** Lists apps, those with problems first. */
function SyncHealth({ apps, total }: { apps: Overview['apps']['in_need']; total: number }) {
  const connectors = useConnectorStates(useIsRead());
  return (
    <Section
      title={t`Sync health`}
      actions={
        <TextLink to="/apps">
          <Plural value={total} one="All apps (#)" other="All # apps" />
        </TextLink>
      }
    >
      <ul className={classes.rows}>
        {apps.map(({ external_uuid: appId, name, last_synced_at, ...app }) => (
          <li key={appId}>
            <TextLink to="/apps/$appId" params={{ appId }}>
              <NamedApp name={name} />
            </TextLink>
            <AppStatus of={app} connector={connectors.get(appId)} />
            <span className={classes.when}>
              <Moment at={last_synced_at} none={t`Never synced`} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
