import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, get, load, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Failure } from '../../parts/failure.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ReassignDialog } from '../../parts/reassign-dialog.tsx';
import { Status } from '../../parts/status.tsx';
import { DecisionButtons, useDecisions } from './decisions.tsx';
import { RequestDetails } from './request-details.tsx';
import { insteadOf, mayExtend, shortLabel } from './ticket.ts';

export function RequestPage() {
  const { ticketId } = useParams({ from: '/in/requests/$ticketId' });
  const { me, manages } = useMe();
  const navigate = useNavigate();
  const query = useQuery({
    ...get('/api/tickets/{ticket_id}/', { path: { ticket_id: ticketId } }),
    refetchInterval: 10_000,
  });
  const ticket = query.data;
  const decisions = useDecisions(ticket);
  const [reassigning, setReassigning] = useState(false);
  const reassign = useChange(
    (body: { to: string[]; reason: string }) =>
      ok(api.POST('/api/tickets/{ticket_id}/reassign/', { params: { path: { ticket_id: ticketId } }, body })),
    {
      showFailure: false,
      success: 'Request reassigned',
      // Members may no longer see a request that they handed over.
      after: () => (manages ? undefined : navigate({ to: '/approvals' })),
    },
  );
  const above = <TextLink to="/requests">Requests</TextLink>;

  if (ticket === undefined) {
    return (
      <>
        <PageHeader title="Request" above={above} />
        {query.isError && <Failure error={query.error} again={() => void query.refetch()} />}
      </>
    );
  }
  const { can, open, dialog } = decisions;
  return (
    <>
      <PageHeader
        title={ticket.label}
        above={above}
        beside={<Status of={ticket.ticket_status} />}
        actions={
          <>
            <DecisionButtons decisions={decisions} />
            {can.override && (
              <Menu>
                <Menu.Target>
                  <Button variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
                    Override
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => open('override')}>Override and approve</Menu.Item>
                  <Menu.Item onClick={() => open('overrideDenial')}>Override and deny</Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
            {can.inquire && (
              <Button variant="default" onClick={() => open('inquire')}>
                Request information
              </Button>
            )}
            {can.reassign && (
              <Button variant="default" onClick={() => setReassigning(true)}>
                Reassign
              </Button>
            )}
            {can.withdraw && (
              <Button variant="default" onClick={() => open('withdraw')}>
                Withdraw
              </Button>
            )}
            {me !== undefined && mayExtend(ticket, me) && (
              <ButtonLink
                to="/requests/new"
                variant="default"
                search={{ app: ticket.app.external_uuid, user: ticket.user.external_uuid, type: 'extend' }}
              >
                Request extension
              </ButtonLink>
            )}
          </>
        }
      />
      <RequestDetails ticket={ticket} />
      {dialog}
      {reassigning && (
        <ReassignDialog
          title={`Reassign ${shortLabel(ticket)}?`}
          about={`The people whom you choose decide the current step instead of ${manages ? 'its approvers' : insteadOf(ticket, me)}.`}
          label="New approvers"
          search={{
            of: ticketId,
            find: (q, signal) =>
              load(
                '/api/tickets/{ticket_id}/reassign/candidates/',
                { path: { ticket_id: ticketId }, query: { q } },
                signal,
              ),
          }}
          close={() => setReassigning(false)}
          act={(to, reason) => reassign.mutateAsync({ to, reason })}
        />
      )}
    </>
  );
}
