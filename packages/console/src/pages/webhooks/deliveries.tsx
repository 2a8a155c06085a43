import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/Drawer.css';
import { Button, Drawer, Stack } from '@mantine/core';
import { useState } from 'react';
import { list } from '../../api/client.ts';
import { useBackCloses } from '../../kit/browser/dialog-history.ts';
import { CodeBlock } from '../../kit/controls/code.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { FilterSelect, Filters } from '../../kit/table/filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import type { webhookSearch } from './search.ts';
import { type Delivery, DeliveryStatus, outcomes } from './webhook.tsx';

interface Props {
  webhookId: string;
  page: number | undefined;
  outcome: Delivery['outcome'] | undefined;
  go: (change: ReturnType<typeof webhookSearch>) => void;
}

const EVERY_MS = 5000;

const detailsLabel = ({ event_type: type }: Delivery) =>
  type === null ? t`Details of the notice` : t`Details of ${type}`;

/** The attempts of the last 30 days. */
export function Deliveries({ webhookId, page, outcome, go }: Props) {
  const [shown, show] = useState<Delivery>();
  useBackCloses(shown !== undefined, () => show(undefined));
  const columns: Column<Delivery>[] = [
    { id: 'at', header: t`Time`, cell: ({ at }) => <Moment at={at} />, csv: ({ at }) => at },
    {
      id: 'outcome',
      header: t`Outcome`,
      cell: (delivery) => <DeliveryStatus of={delivery} />,
      csv: (delivery) => delivery.outcome,
    },
    {
      id: 'type',
      header: t`Event`,
      cell: ({ event_type }) => event_type,
      csv: ({ event_type }) => event_type,
    },
    {
      id: 'attempt',
      header: t`Attempt`,
      right: true,
      cell: ({ attempt }) => (attempt === 0 ? '' : attempt),
      csv: ({ attempt }) => attempt,
    },
    {
      id: 'status',
      header: t`Reply`,
      right: true,
      cell: ({ status }) => status,
      csv: ({ status }) => status,
    },
    {
      id: 'duration',
      header: t`Duration`,
      right: true,
      cell: ({ duration_ms }) => duration_ms !== null && `${duration_ms} ms`,
      csv: ({ duration_ms }) => duration_ms,
    },
    { id: 'error', header: t`Problem`, cell: ({ error }) => error, csv: ({ error }) => error },
    {
      id: 'open',
      header: t`Actions`,
      cell: (delivery) => (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={detailsLabel(delivery)}
          onClick={() => show(delivery)}
        >
          <Trans>Details</Trans>
        </Button>
      ),
    },
  ];
  return (
    <>
      <Filters some={outcome !== undefined} clear={() => go({ outcome: undefined })}>
        <FilterSelect
          label={t`Outcome`}
          options={outcomes}
          value={outcome}
          set={(value) => go({ outcome: value as Delivery['outcome'] | undefined })}
        />
      </Filters>
      <DataTable
        label={t`Deliveries`}
        counted={(n) => plural(n, { one: '# delivery', other: '# deliveries' })}
        list={list('/api/webhooks/{webhook_id}/deliveries/', {
          path: { webhook_id: webhookId },
          query: { outcome },
        })}
        columns={columns}
        rowId={({ id }) => id}
        page={page}
        onPage={(next) => go({ page: next })}
        csv="deliveries"
        every={EVERY_MS}
        empty={
          outcome === undefined ? (
            <Empty title={t`No deliveries yet`}>
              <Trans>Send an example to try the receiver.</Trans>
            </Empty>
          ) : (
            <Empty title={t`No deliveries match this filter`} />
          )
        }
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
                <Trans>Show event</Trans>
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
