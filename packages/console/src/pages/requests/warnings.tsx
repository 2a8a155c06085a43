import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Chosen } from '../../access/chosen.ts';
import { get } from '../../api/client.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { IconAlertTriangle } from '../../kit/icons/icons.ts';
import { requestedItems, shortLabel, type Ticket } from './ticket.ts';

/** Warns the requester before submitting about pending requests, full licenses and a disconnected app. */
export function Warnings({ app, user, chosen }: { app: string; user: string; chosen: readonly Chosen[] }) {
  const pending = useQuery(
    get('/api/tickets/', { query: { app, user, ticket_status: 'PENDING', limit: 5 } }),
  );
  const full = chosen.filter(({ is_full }) => is_full === true);
  const licenses = full.map(({ name, id }) => name || id).join(', ');
  return (
    <>
      {useIsDisconnected(app) && (
        <Warning>
          {t`This app is disconnected. Access can be requested again once it is reconnected.`}
        </Warning>
      )}
      {pending.data?.results.map((ticket) => (
        <Warning key={ticket.external_uuid}>
          <PendingRequest of={ticket} />
        </Warning>
      ))}
      {full.length > 0 && (
        <Warning>
          {t`No seats left: ${licenses}. The connector can assign a license only once a seat is free.`}
        </Warning>
      )}
    </>
  );
}

function PendingRequest({ of: ticket }: { of: Ticket }) {
  const items = requestedItems(ticket);
  const link = (
    <TextLink to="/requests/$ticketId" params={{ ticketId: ticket.external_uuid }} underline="always">
      {shortLabel(ticket)}
    </TextLink>
  );
  return (
    <Trans>
      {link} for this person and app is already pending: {items}.
    </Trans>
  );
}

const Warning = ({ children }: { children: ReactNode }) => (
  <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="status">
    {children}
  </Alert>
);

export function useIsDisconnected(app: string | undefined): boolean {
  const { data } = useQuery({
    ...get('/api/apps/{app_id}/', { path: { app_id: app ?? '' } }),
    enabled: app !== undefined,
  });
  return data?.configuration_status === 'DISCONNECTED';
}
