import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { type Look, Status } from '../../kit/controls/status.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { FilterSelect } from '../../kit/table/filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { PersonName, PersonPicker } from '../../people/person.tsx';
import { kindTitle } from './kind-titles.ts';
import { MEDIA, notificationSettingsSearch, STATES } from './search.ts';

type Delivery = Item<'/api/notifications/deliveries/'>;

const MEDIUM_WORDS = {
  inbox: t`Inbox`,
  email: t`Email`,
  slack: t`Slack`,
  teams: t`Microsoft Teams`,
} satisfies Record<Delivery['medium'], string>;
const STATE_WORDS = {
  waiting: ['wait', t`Waiting`],
  sent: ['good', t`Sent`],
  failed: ['bad', t`Failed`],
  skipped: ['idle', t`Not sent`],
} satisfies Record<Delivery['state'], [Look, string]>;

function State({ of: { state } }: { of: Delivery }) {
  const [look, word] = STATE_WORDS[state];
  return <Status of={state} look={look} word={word} />;
}

/** The deliveries of notifications, with the reasons of those that were not sent. */
export function DeliveryLog() {
  const [at, go] = useAddress(notificationSettingsSearch);
  const { user, medium, state } = at;
  const columns: Column<Delivery>[] = [
    {
      id: 'at',
      header: t`Time`,
      cell: ({ created_at }) => <Moment at={created_at} />,
      csv: (row) => row.created_at,
    },
    {
      id: 'to',
      header: t`Recipient`,
      cell: (row) => (row.user === null ? row.channel?.name : <PersonName id={row.user.external_uuid} />),
      csv: (row) => row.user?.email ?? row.channel?.name,
    },
    { id: 'medium', header: t`Medium`, cell: (row) => MEDIUM_WORDS[row.medium], csv: (row) => row.medium },
    { id: 'kind', header: t`Kind`, cell: (row) => kindTitle(row.kind), csv: (row) => row.kind },
    { id: 'title', header: t`Message`, cell: (row) => row.title, csv: (row) => row.title },
    { id: 'state', header: t`State`, cell: (row) => <State of={row} />, csv: (row) => row.state },
    { id: 'reason', header: t`Reason`, cell: (row) => row.reason, csv: (row) => row.reason },
  ];
  const some = [user, medium, state].some((value) => value !== undefined);
  return (
    <>
      <Group gap="xs" mb="sm" align="flex-end" role="search">
        <PersonPicker
          label={t`Recipient`}
          value={user ?? null}
          set={(value) => go({ user: value ?? undefined })}
        />
        <FilterSelect
          label={t`Medium`}
          options={MEDIA.map((value) => ({ value, label: MEDIUM_WORDS[value] }))}
          value={medium}
          set={(value) => go({ medium: MEDIA.find((one) => one === value) })}
        />
        <FilterSelect
          label={t`State`}
          options={STATES.map((value) => ({ value, label: STATE_WORDS[value][1] }))}
          value={state}
          set={(value) => go({ state: STATES.find((one) => one === value) })}
        />
        {some && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => go({ user: undefined, medium: undefined, state: undefined })}
          >
            <Trans>Clear filters</Trans>
          </Button>
        )}
      </Group>
      <DataTable
        label={t`Deliveries`}
        counted={(n) => plural(n, { one: '# delivery', other: '# deliveries' })}
        list={list('/api/notifications/deliveries/', { query: { user, medium, state } })}
        columns={columns}
        rowId={({ id }) => id}
        page={at.page}
        onPage={(page) => go({ page })}
        csv="notifications"
        empty={
          some ? (
            <Empty title={t`No deliveries match these filters`} />
          ) : (
            <Empty title={t`Nothing was sent yet`} />
          )
        }
      />
    </>
  );
}
