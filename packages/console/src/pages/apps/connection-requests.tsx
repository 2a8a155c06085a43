import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get, type Item } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Email } from '../../kit/controls/email.tsx';
import { Section } from '../../kit/controls/section.tsx';
import * as column from '../../kit/table/columns.tsx';
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
      <TableView label={t`Connection requests`} columns={columns} rows={requests.data.results} empty={null} />
    </Section>
  );
}

function columnsOf(create: Props['create'] | undefined): Column<ConnectionRequest>[] {
  const columns: Column<ConnectionRequest>[] = [
    column.title('app_name', t`App`),
    column.text('reason', t`Reason`),
    column.cell('requester', t`Requester`, ({ requester }) => requester && <Email of={requester.email} />),
    column.moment('created_at', t`Requested`),
  ];
  if (create === undefined) return columns;
  return [
    ...columns,
    column.cell('create', t`Action`, ({ app_name }) => (
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t`Add ${app_name}`}
        onClick={() => create(app_name)}
      >
        {t`Add app`}
      </Button>
    )),
  ];
}
