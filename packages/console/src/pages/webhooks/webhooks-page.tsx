import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { NewWebhookDialog } from './new-webhook.tsx';
import { webhooksSearch } from './search.ts';
import { filterWords, type Webhook, WebhookStatus } from './webhook.tsx';

const columns: Column<Webhook>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { id: 'status', header: 'Status', cell: (webhook) => <WebhookStatus of={webhook} /> },
  { id: 'host', header: 'Receiver', cell: ({ url }) => new URL(url).host },
  { id: 'events', header: 'Events', cell: filterWords },
  {
    id: 'last',
    header: 'Last delivery',
    cell: ({ last_delivered_at }) => <Moment at={last_delivered_at} />,
  },
];

/** The receivers of events. */
export function WebhooksPage() {
  const [at, go] = useAddress(webhooksSearch);
  const { manages } = useMe();
  return (
    <>
      <PageHeader
        title="Webhooks"
        about="Gatehouse sends events to these addresses as soon as they are recorded."
        actions={
          manages && (
            <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => go({ new: true })}>
              Create webhook
            </Button>
          )
        }
      />
      <DataTable
        label="Webhooks"
        noun="webhook"
        list={list('/api/webhooks/')}
        columns={columns}
        rowId={({ id }) => id}
        href={({ id }) => `/settings/webhooks/${id}`}
        page={at.page}
        onPage={(page) => go({ page })}
        empty={
          <Empty title="No webhooks yet">
            Create a webhook to let another system know what happens in Gatehouse.
          </Empty>
        }
      />
      {at.new === true && manages && <NewWebhookDialog close={() => go({ new: undefined })} />}
    </>
  );
}
