import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Switch } from '@mantine/core';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Email } from '../../parts/email.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { View, Views } from '../../parts/views.tsx';
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
      </Group>
      <DataTable
        label={t`Tasks`}
        counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
        list={list('/api/fulfilment/tasks/', {
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
              ? t`Tasks appear here after you turn on fulfilment by people on the Fulfilment tab of an app.`
              : isEnded
                ? t`Tasks appear here when you mark them as done or refuse them.`
                : t`Tasks appear here when they are assigned to you.`}
          </Empty>
        }
      />
    </>
  );
}
