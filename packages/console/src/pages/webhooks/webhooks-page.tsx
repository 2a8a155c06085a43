import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { NewWebhookDialog } from './new-webhook.tsx';
import { webhooksSearch } from './search.ts';
import { filterWords, type Webhook, WebhookStatus } from './webhook.tsx';

const columns: Column<Webhook>[] = [
  { id: 'name', header: t`Name`, cell: ({ name }) => <strong>{name}</strong> },
  { id: 'status', header: t`Status`, cell: (webhook) => <WebhookStatus of={webhook} /> },
  { id: 'host', header: t`Receiver`, cell: ({ url }) => new URL(url).host },
  { id: 'events', header: t`Events`, cell: filterWords },
  {
    id: 'last',
    header: t`Last delivery`,
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
        title={t`Webhooks`}
        about={t`Gatehouse sends events to these addresses as soon as they are recorded.`}
        actions={
          manages && (
            <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => go({ new: true })}>
              <Trans>Create webhook</Trans>
            </Button>
          )
        }
      />
      <DataTable
        label={t`Webhooks`}
        counted={(n) => plural(n, { one: '# webhook', other: '# webhooks' })}
        list={list('/api/webhooks/')}
        columns={columns}
        rowId={({ id }) => id}
        href={({ id }) => `/settings/webhooks/${id}`}
        page={at.page}
        onPage={(page) => go({ page })}
        empty={
          <Empty title={t`No webhooks yet`}>
            <Trans>Create a webhook to let another system know what happens in Gatehouse.</Trans>
          </Empty>
        }
      />
      {at.new === true && manages && <NewWebhookDialog close={() => go({ new: undefined })} />}
    </>
  );
}
