import { Button, Group, Switch } from '@mantine/core';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { taskName } from '../tasks/task.ts';
import type { ListedTask } from './my-task.ts';
import { myTasksSearch } from './search.ts';

const columns = (isEnded: boolean, ofAll: boolean): Column<ListedTask>[] => [
  { id: 'task', header: 'Task', cell: ({ task }) => <strong>{taskName(task)}</strong> },
  {
    id: 'status',
    header: 'Status',
    cell: ({ task, overdue }) =>
      overdue ? <Status of="failed" word="Overdue" /> : <Status of={task.status} />,
  },
  isEnded
    ? { id: 'ended', header: 'Ended', cell: ({ task }) => <Moment at={task.ended_at} /> }
    : { id: 'due', header: 'Due', cell: ({ due_at }) => <Moment at={due_at} /> },
  ...(ofAll
    ? [
        {
          id: 'assignee',
          header: 'Assignee',
          cell: ({ assignee }: ListedTask) => assignee?.email ?? 'Nobody',
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
        title="My tasks"
        about="Changes that you make by hand in apps that no connector can change."
      />
      <Group gap="md" mb="sm">
        <Group gap="xs">
          <Button
            variant={isEnded ? 'default' : 'light'}
            aria-pressed={!isEnded}
            onClick={() => go({ state: undefined })}
          >
            Open
          </Button>
          <Button
            variant={isEnded ? 'light' : 'default'}
            aria-pressed={isEnded}
            onClick={() => go({ state: 'ended' })}
          >
            Ended
          </Button>
        </Group>
        {readsAll && (
          <Switch
            label="Show everyone's tasks"
            checked={at.all === true}
            onChange={({ currentTarget }) => go({ all: currentTarget.checked || undefined })}
          />
        )}
      </Group>
      <DataTable
        label="Tasks"
        noun="task"
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
          <Empty title={isEnded ? 'No tasks have ended yet' : 'No open tasks'}>
            {at.all === true
              ? 'Tasks appear here after you turn on fulfilment by people on the Fulfilment tab of an app.'
              : isEnded
                ? 'Tasks appear here when you mark them as done or refuse them.'
                : 'Tasks appear here when they are assigned to you.'}
          </Empty>
        }
      />
    </>
  );
}
