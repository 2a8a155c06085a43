import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get, type Item } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Email } from '../../kit/controls/email.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';

type ConnectionRequest = Item<'/api/connection-requests/'>;

interface Props {
  /** Begins to add an app with this name. */
  create: (name: string) => void;
}

/** Requests to connect an app: all of them for administrators, otherwise the user's own. */
export function ConnectionRequests({ create }: Props) {
  const { manages } = useMe();
  const requests = useQuery(get('/api/connection-requests/', { query: { limit: 50 } }));
  const columns = useMemo(() => columnsOf(manages ? create : undefined), [manages, create]);
  if (requests.data === undefined || requests.data.count === 0) return null;
  return (
    <Section title={t`Connection requests`}>
      <TableView
        label={t`Connection requests`}
        columns={columns}
        rows={requests.data.results}
        rowId={({ external_uuid }) => external_uuid}
        empty={null}
      />
    </Section>
  );
}

function columnsOf(create: Props['create'] | undefined): Column<ConnectionRequest>[] {
  const columns: Column<ConnectionRequest>[] = [
    { id: 'app_name', header: t`App`, cell: ({ app_name }) => <strong>{app_name}</strong> },
    { id: 'reason', header: t`Reason`, cell: ({ reason }) => reason },
    {
      id: 'requester',
      header: t`Requester`,
      cell: ({ requester }) => requester && <Email of={requester.email} />,
    },
    { id: 'created_at', header: t`Requested`, cell: ({ created_at }) => <Moment at={created_at} /> },
  ];
  if (create === undefined) return columns;
  return [
    ...columns,
    {
      id: 'create',
      header: t`Action`,
      cell: ({ app_name }) => (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={t`Add ${app_name}`}
          onClick={() => create(app_name)}
        >
          <Trans>Add app</Trans>
        </Button>
      ),
    },
  ];
}
