import { t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, get, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import { IconChevronDown } from '../../kit/icons/icons.ts';
import { ReassignDialog } from '../../people/reassign-dialog.tsx';
import { DecisionButtons, useDecisions } from './decisions.tsx';
import { RequestDetails } from './request-details.tsx';
import { Stepper } from './stepper.tsx';
import { insteadOf, mayExtend, shortLabel, titleOf } from './ticket.ts';

const reassignWords = (people: string | undefined) =>
  people === undefined
    ? t`The people whom you choose decide the current step instead of its approvers.`
    : t`The people whom you choose decide the current step instead of ${people}.`;

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
  const above = <TextLink to="/requests">{t`Requests`}</TextLink>;

  if (ticket === undefined) return <UnreadyPage title={t`Request`} above={above} of={query} />;
  const { can, isKnown, open, dialog } = decisions;
  const name = shortLabel(ticket);
  return (
    <>
      <PageHeader
        title={titleOf(ticket)}
        isName
        above={above}
        beside={<Status of={ticket.ticket_status} />}
        actions={
          <>
            <DecisionButtons decisions={decisions} />
            {can.override && (
              <Menu withInitialFocusPlaceholder={false}>
                <Menu.Target>
                  <Button
                    variant="default"
                    disabled={!isKnown}
                    rightSection={<IconChevronDown size={15} aria-hidden />}
                  >
                    {t`Override`}
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => open('override')}>{t`Override and approve`}</Menu.Item>
                  <Menu.Item onClick={() => open('overrideDenial')}>{t`Override and deny`}</Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
            {can.inquire && (
              <Button variant="default" onClick={() => open('inquire')}>
                {t`Request information`}
              </Button>
            )}
            {can.reassign && (
              <Button variant="default" onClick={() => setReassigning(true)}>
                {t`Reassign`}
              </Button>
            )}
            {can.withdraw && (
              <Button variant="default" onClick={() => open('withdraw')}>
                {t`Withdraw`}
              </Button>
            )}
            {me !== undefined && mayExtend(ticket, me) && (
              <ButtonLink
                to="/requests/new"
                variant="default"
                search={{ app: ticket.app.external_uuid, user: ticket.user.external_uuid, type: 'extend' }}
              >
                {t`Request extension`}
              </ButtonLink>
            )}
          </>
        }
      />
      <Stepper ticket={ticket} />
      <RequestDetails ticket={ticket} />
      {dialog}
      {reassigning && (
        <ReassignDialog
          title={t`Reassign ${name}?`}
          about={reassignWords(manages ? undefined : insteadOf(ticket, me))}
          label={t`New approvers`}
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
          act={(to, reason) => {
            const params = { path: { ticket_id: ticketId } };
            return ok(api.POST('/api/tickets/{ticket_id}/reassign/', { params, body: { to, reason } }));
          }}
          message={t`Request reassigned`}
          // Members may no longer see a request that they handed over.
          after={() => (manages ? undefined : navigate({ to: '/approvals' }))}
        />
      )}
    </>
  );
}
