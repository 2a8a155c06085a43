import { plural, t } from '@lingui/core/macro';
import '@mantine/core/styles/Drawer.css';
import { Button, Drawer, Stack } from '@mantine/core';
import { useState } from 'react';
import { list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { CodeBlock } from '../../kit/controls/code.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import * as column from '../../kit/table/columns.tsx';
import { asked, filtersOf } from '../../kit/table/list-filters.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { webhookSearch } from './search.ts';
import { type Delivery, DeliveryStatus, outcomes } from './webhook.tsx';

const EVERY_MS = 5000;
const FILTERS = [filtersOf(webhookSearch).select('outcome', t`Outcome`, outcomes)];

const detailsLabel = ({ event_type: type }: Delivery) =>
  type === null ? t`Details of the notice` : t`Details of ${type}`;

/** The attempts of the last 30 days. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const [at, go] = useAddress(webhookSearch);
  const [shown, show] = useState<Delivery>();
  useBackCloses(shown !== undefined, () => show(undefined));
  const columns: Column<Delivery>[] = [
    column.moment('at', t`Time`),
    column.cell('outcome', t`Outcome`, { csv: (delivery) => delivery.outcome }, (delivery) => (
      <DeliveryStatus of={delivery} />
    )),
    column.text('type', t`Event`, ({ event_type }) => event_type),
    column.text('attempt', t`Attempt`, ({ attempt }) => (attempt === 0 ? '' : attempt), {
      right: true,
      csv: ({ attempt }) => attempt,
    }),
    column.text('status', t`Reply`, { right: true }),
    column.cell(
      'duration',
      t`Duration`,
      { right: true, csv: ({ duration_ms }) => duration_ms },
      ({ duration_ms }) => duration_ms !== null && `${duration_ms} ms`,
    ),
    column.text('error', t`Problem`),
    column.cell('open', t`Actions`, (delivery) => (
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={detailsLabel(delivery)}
        onClick={() => show(delivery)}
      >
        {t`Details`}
      </Button>
    )),
  ];
  return (
    <>
      <ListTable
        address={[at, go]}
        filters={FILTERS}
        label={t`Deliveries`}
        counted={(n) => plural(n, { one: '# delivery', other: '# deliveries' })}
        list={list('/api/webhooks/{webhook_id}/deliveries/', {
          path: { webhook_id: webhookId },
          query: asked(at, FILTERS),
        })}
        columns={columns}
        csv="deliveries"
        every={EVERY_MS}
        empty={{ title: t`No deliveries yet`, text: t`Send an example to try the receiver.` }}
        unmatched={{ title: t`No deliveries match this filter` }}
      />
      <Drawer
        opened={shown !== undefined}
        onClose={() => show(undefined)}
        position="right"
        size="lg"
        title={shown?.event_type ?? t`Notice`}
      >
        {shown !== undefined && <Detail of={shown} />}
      </Drawer>
    </>
  );
}

function Detail({ of: delivery }: { of: Delivery }) {
  const { event_id, event_type, attempt, status, duration_ms, error, response, at } = delivery;
  return (
    <Stack gap="md">
      <Properties
        of={[
          [t`Outcome`, <DeliveryStatus key="outcome" of={delivery} />],
          [t`Time`, <Moment key="at" at={at} />],
          [t`Problem`, error ?? undefined],
          [t`Reply`, status ?? undefined],
          [t`Duration`, duration_ms === null ? undefined : `${duration_ms} ms`],
          [t`Attempt`, attempt === 0 ? undefined : attempt],
          [
            t`Event`,
            event_id === null || event_type === 'webhook.test' ? undefined : (
              <TextLink key="event" to="/events" search={{ event: event_id }}>
                {t`Show event`}
              </TextLink>
            ),
          ],
          ['webhook-id', event_id === null ? undefined : <code key="id">{event_id}</code>],
        ]}
      />
      {response !== null && <CodeBlock text={response} what={t`response`} />}
    </Stack>
  );
}
