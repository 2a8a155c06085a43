import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Switch } from '@mantine/core';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Email } from '../../kit/controls/email.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { FilterChip } from '../../kit/table/filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { taskName } from '../tasks/task.ts';
import type { ListedTask } from './my-task.ts';
import { myTasksSearch } from './search.ts';

const columns = (isEnded: boolean, ofAll: boolean): Column<ListedTask>[] => [
  { id: 'task', header: t`Task`, cell: ({ task }) => <strong>{taskName(task)}</strong> },
  {
    id: 'status',
    header: t`Status`,
    cell: ({ task, overdue }) =>
      overdue ? <Status of="failed" word={t`Overdue`} /> : <Status of={task.status} />,
  },
  isEnded
    ? { id: 'ended', header: t`Ended`, cell: ({ task }) => <Moment at={task.ended_at} /> }
    : { id: 'due', header: t`Due`, cell: ({ due_at }) => <Moment at={due_at} /> },
  ...(ofAll
    ? [
        {
          id: 'assignee',
          header: t`Assignee`,
          cell: ({ assignee }: ListedTask) => (assignee == null ? t`Nobody` : <Email of={assignee.email} />),
        },
      ]
    : []),
];

/** The tasks that people carry out in apps that no connector can change. */
export function MyTasksPage() {
  const [at, go] = useAddress(myTasksSearch);
  const { readsAll } = useMe();
  const isEnded = at.state === 'ended';
  return (
    <>
      <PageHeader
        title={t`My tasks`}
        about={t`Changes that you make by hand in apps that no connector can change.`}
      />
      <Group gap="md" mb="sm">
        <Views label={t`View`} inline>
          <View pressed={!isEnded} onClick={() => go({ state: undefined })}>
            <Trans>Open</Trans>
          </View>
          <View pressed={isEnded} onClick={() => go({ state: 'ended' })}>
            <Trans>Ended</Trans>
          </View>
        </Views>
        {readsAll && (
          <Switch
            label={t`Show everyone's tasks`}
            checked={at.all === true}
            onChange={({ currentTarget }) => go({ all: currentTarget.checked || undefined })}
          />
        )}
        {at.app !== undefined && <FilterChip label={t`One app only`} remove={() => go({ app: undefined })} />}
      </Group>
      <DataTable
        label={t`Tasks`}
        counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
        list={list('/api/fulfillment/tasks/', {
          query: { mine: at.all !== true, state: at.state ?? 'open', app: at.app },
        })}
        columns={columns(isEnded, at.all === true)}
        rowId={({ task }) => task.external_uuid}
        href={({ task }) => `/my-tasks/${task.external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        every={15_000}
        empty={
          <Empty title={isEnded ? t`No tasks have ended yet` : t`No open tasks`}>
            {at.all === true
              ? t`Tasks appear here after you turn on manual fulfillment on the Fulfillment tab of an app.`
              : isEnded
                ? t`Tasks appear here when you mark them as done or refuse them.`
                : t`Tasks appear here when they are assigned to you.`}
          </Empty>
        }
      />
    </>
  );
}
