import { plural, t } from '@lingui/core/macro';
import { Group, Switch } from '@mantine/core';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Status } from '../../kit/controls/status.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import * as column from '../../kit/table/columns.tsx';
import { FilterChip } from '../../kit/table/filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { taskName } from '../tasks/task.ts';
import type { ListedTask } from './my-task.ts';
import { myTasksSearch } from './search.ts';

const columns = (isEnded: boolean, ofAll: boolean): Column<ListedTask>[] => [
  column.title('task', t`Task`, ({ task }) => taskName(task)),
  column.cell('status', t`Status`, ({ task, overdue }) =>
    overdue ? <Status of="failed" word={t`Overdue`} /> : <Status of={task.status} />,
  ),
  isEnded
    ? column.moment('ended', t`Ended`, ({ task }) => task.ended_at)
    : column.moment('due', t`Due`, ({ due_at }) => due_at),
  ...(ofAll
    ? [
        column.email<ListedTask>('assignee', t`Assignee`, ({ assignee }) => assignee?.email, {
          none: t`Nobody`,
        }),
      ]
    : []),
];

/** The tasks that people carry out in apps that no connector can change. */
export function MyTasksPage() {
  const [at, go] = useAddress(myTasksSearch);
  const { readsAll } = useMe();
  const isEnded = at.state === 'ended';
  return (
    <ListPage
      title={t`My tasks`}
      about={t`Changes that you make by hand in apps that no connector can change.`}
      address={[at, go]}
      note={
        <Group gap="md" mb="sm">
          <Views label={t`View`} inline>
            <View pressed={!isEnded} onClick={() => go({ state: undefined })}>
              {t`Open`}
            </View>
            <View pressed={isEnded} onClick={() => go({ state: 'ended' })}>
              {t`Ended`}
            </View>
          </Views>
          {readsAll && (
            <Switch
              label={t`Show everyone's tasks`}
              checked={at.all === true}
              onChange={({ currentTarget }) => go({ all: currentTarget.checked || undefined })}
            />
          )}
          {at.app !== undefined && (
            <FilterChip label={t`One app only`} remove={() => go({ app: undefined })} />
          )}
        </Group>
      }
      label={t`Tasks`}
      counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
      list={list('/api/fulfillment/tasks/', {
        query: { mine: at.all !== true, state: at.state ?? 'open', app: at.app },
      })}
      columns={columns(isEnded, at.all === true)}
      rowId={({ task }) => task.external_uuid}
      href={({ task }) => `/my-tasks/${task.external_uuid}`}
      every={15_000}
      empty={{
        title: isEnded ? t`No tasks have ended yet` : t`No open tasks`,
        text:
          at.all === true
            ? t`Tasks appear here after you turn on manual fulfillment on the Fulfillment tab of an app.`
            : isEnded
              ? t`Tasks appear here when you mark them as done or refuse them.`
              : t`Tasks appear here when they are assigned to you.`,
      }}
    />
  );
}
