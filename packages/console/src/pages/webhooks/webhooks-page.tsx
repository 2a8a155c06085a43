import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { NewWebhookDialog } from './new-webhook.tsx';
import { webhooksSearch } from './search.ts';
import { filterWords, type Webhook, WebhookStatus } from './webhook.tsx';

const columns: Column<Webhook>[] = [
  column.title('name', t`Name`),
  column.cell('status', t`Status`, (webhook) => <WebhookStatus of={webhook} />),
  column.text('host', t`Receiver`, ({ url }) => new URL(url).host),
  column.cell('events', t`Events`, filterWords),
  column.moment('last', t`Last delivery`, ({ last_delivered_at }) => last_delivered_at),
];

/** The receivers of events. */
export function WebhooksPage() {
  const [at, go] = useAddress(webhooksSearch);
  const { manages } = useMe();
  return (
    <ListPage
      title={t`Webhooks`}
      about={t`Gatehouse sends events to these addresses as soon as they are recorded.`}
      buttons={
        manages && (
          <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => go({ new: true })}>
            {t`Create webhook`}
          </Button>
        )
      }
      address={[at, go]}
      counted={(n) => plural(n, { one: '# webhook', other: '# webhooks' })}
      list={list('/api/webhooks/')}
      columns={columns}
      href={({ id }) => `/settings/webhooks/${id}`}
      empty={{
        title: t`No webhooks yet`,
        text: t`Create a webhook to let another system know what happens in Gatehouse.`,
      }}
    >
      {at.new === true && manages && <NewWebhookDialog close={() => go({ new: undefined })} />}
    </ListPage>
  );
}
