import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../../api/client.ts';
import { TextLink } from '../../parts/links.tsx';
import type { Chosen } from '../../parts/resource-picker.tsx';
import { requestedItems, shortLabel } from './ticket.ts';

interface Props {
  app: string;
  user: string;
  chosen: readonly Chosen[];
}

/** Warns the requester before submitting about pending requests, full licenses and a disconnected app. */
export function Warnings({ app, user, chosen }: Props) {
  const pending = useQuery(
    get('/api/tickets/', { query: { app, user, ticket_status: 'PENDING', limit: 5 } }),
  );
  const full = chosen.filter(({ is_full }) => is_full === true);
  return (
    <>
      {useIsDisconnected(app) && (
        <Warning>This app is disconnected. Access can be requested again once it is reconnected.</Warning>
      )}
      {pending.data?.results.map((ticket) => (
        <Warning key={ticket.external_uuid}>
          <TextLink to="/requests/$ticketId" params={{ ticketId: ticket.external_uuid }} underline="always">
            {shortLabel(ticket)}
          </TextLink>{' '}
          for this person and app is already pending: {requestedItems(ticket)}.
        </Warning>
      ))}
      {full.length > 0 && (
        <Warning>
          No seats left: {full.map(({ name, id }) => name || id).join(', ')}. The connector can assign a
          license only once a seat is free.
        </Warning>
      )}
    </>
  );
}

const Warning = ({ children }: { children: ReactNode }) => (
  <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="status">
    {children}
  </Alert>
);

export function useIsDisconnected(app: string): boolean {
  const { data } = useQuery(get('/api/apps/{app_id}/', { path: { app_id: app } }));
  return data?.configuration_status === 'DISCONNECTED';
}
