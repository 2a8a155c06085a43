import { plural, t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { type Look, Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { FilterSelect } from '../../kit/table/filters.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
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

const columns: Column<Delivery>[] = [
  column.moment('at', t`Time`, ({ created_at }) => created_at),
  column.cell('to', t`Recipient`, { csv: (row) => row.user?.email ?? row.channel?.name }, (row) =>
    row.user === null ? row.channel?.name : <PersonName id={row.user.external_uuid} />,
  ),
  column.code('medium', t`Medium`, MEDIUM_WORDS),
  column.code('kind', t`Kind`, kindTitle),
  column.text('title', t`Message`),
  column.cell('state', t`State`, { csv: (row) => row.state }, (row) => <State of={row} />),
  column.text('reason', t`Reason`),
];

/** The deliveries of notifications, with the reasons of those that were not sent. */
export function DeliveryLog() {
  const [at, go] = useAddress(notificationSettingsSearch);
  const { user, medium, state } = at;
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
            {t`Clear filters`}
          </Button>
        )}
      </Group>
      <ListTable
        address={[at, go]}
        label={t`Deliveries`}
        counted={(n) => plural(n, { one: '# delivery', other: '# deliveries' })}
        list={list('/api/notifications/deliveries/', { query: { user, medium, state } })}
        columns={columns}
        csv="notifications"
        empty={{ title: some ? t`No deliveries match these filters` : t`Nothing was sent yet` }}
      />
    </>
  );
}
