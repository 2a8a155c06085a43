import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../../api/client.ts';
import type { Me } from '../../api/me.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import { Name } from '../../kit/text/name.tsx';
import { titleOf } from '../requests/ticket.ts';
import classes from './overview.module.css';

/** A member's own accounts and requests. */
export function MyAccess({ me }: { me: Me }) {
  return (
    <div className={classes.columns}>
      <MyAccounts me={me} />
      <MyRequests me={me} />
    </div>
  );
}

function MyAccounts({ me }: { me: Me }) {
  const accounts = useQuery(get('/api/accounts/', { query: { user: me.external_uuid, limit: 200 } }));
  return (
    <Section title={t`Your access`} actions={<TextLink to="/apps">{t`All apps`}</TextLink>}>
      <Unready of={accounts} />
      {accounts.data?.count === 0 && (
        <Empty
          title={t`No access yet`}
          actions={<ButtonLink to="/requests/new">{t`Request access`}</ButtonLink>}
        >
          {t`Apps that you have access to appear here.`}
        </Empty>
      )}
      <ul className={classes.rows}>
        {accounts.data?.results.map((account) => (
          <li key={account.external_uuid}>
            <TextLink to="/accounts/$accountId" params={{ accountId: account.external_uuid }}>
              <Name of={account.app.name} />
            </TextLink>
            <Status of={account.status} />
            <span className={classes.wide}>{entitlementsOf(account)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** "Developers, Everyone; Pro" */
function entitlementsOf({ memberships, assignments }: Item<'/api/accounts/'>): string {
  const names = (by: Item<'/api/accounts/'>['memberships']) =>
    Object.values(by)
      .flat()
      .map(({ id, name }) => name || id)
      .join(', ');
  return [names(memberships), names(assignments)].filter((part) => part !== '').join('; ');
}

function MyRequests({ me }: { me: Me }) {
  const tickets = useQuery(get('/api/tickets/', { query: { requester: me.external_uuid, limit: 8 } }));
  return (
    <Section
      title={t`Your requests`}
      actions={<ButtonLink to="/requests/new">{t`Request access`}</ButtonLink>}
    >
      <Unready of={tickets} />
      {tickets.data?.count === 0 && (
        <Text size="sm" c="dimmed">
          {t`No requests yet.`}
        </Text>
      )}
      <ul className={classes.rows}>
        {tickets.data?.results.map((ticket) => (
          <li key={ticket.external_uuid}>
            <TextLink to="/requests/$ticketId" params={{ ticketId: ticket.external_uuid }}>
              {titleOf(ticket)}
            </TextLink>
            <Status of={ticket.ticket_status} />
            <span className={classes.when}>
              <Moment at={ticket.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
