import { plural, t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Status } from '../../kit/controls/status.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import * as column from '../../kit/table/columns.tsx';
import { FilterChip } from '../../kit/table/filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { tasksSearch } from '../tasks/search.ts';
import { taskName } from '../tasks/task.ts';
import type { ListedTask } from './by-hand-task.ts';

const columns = (isEnded: boolean, isMine: boolean): Column<ListedTask>[] => [
  column.title('task', t`Task`, ({ task }) => taskName(task)),
  column.cell('status', t`Status`, ({ task, overdue }) =>
    overdue ? <Status of="failed" word={t`Overdue`} /> : <Status of={task.status} />,
  ),
  isEnded
    ? column.moment('ended', t`Ended`, ({ task }) => task.ended_at)
    : column.moment('due', t`Due`, ({ due_at }) => due_at),
  ...(isMine
    ? []
    : [
        column.email<ListedTask>('assignee', t`Assignee`, ({ assignee }) => assignee?.email, {
          none: t`Nobody`,
        }),
      ]),
];

/** The tasks that people carry out in apps that no connector can change: those of the person, or of everybody. */
export function ByHandList({ isMine, views }: { isMine: boolean; views: ReactNode }) {
  const [at, go] = useAddress(tasksSearch);
  const isEnded = at.state === 'ended';
  return (
    <ListPage
      title={t`Tasks`}
      about={t`Changes that people make by hand in apps that no connector can change.`}
      top={views}
      address={[at, go]}
      note={
        <Group gap="md" mb="sm">
          <Views label={t`State`} inline>
            <View pressed={!isEnded} onClick={() => go({ state: undefined })}>
              {t`Open`}
            </View>
            <View pressed={isEnded} onClick={() => go({ state: 'ended' })}>
              {t`Ended`}
            </View>
          </Views>
          {at.app !== undefined && (
            <FilterChip label={t`One app only`} remove={() => go({ app: undefined })} />
          )}
        </Group>
      }
      counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
      list={list('/api/fulfillment/tasks/', {
        query: { mine: isMine, state: at.state ?? 'open', app: at.app },
      })}
      columns={columns(isEnded, isMine)}
      rowId={({ task }) => task.external_uuid}
      href={({ task }) => `/tasks/${task.external_uuid}`}
      every={15_000}
      empty={{
        title: isEnded ? t`No tasks have ended yet` : t`No open tasks`,
        text: !isMine
          ? t`Tasks appear here after you turn on manual fulfillment on the Fulfillment tab of an app.`
          : isEnded
            ? t`Tasks appear here when you mark them as done or refuse them.`
            : t`Tasks appear here when they are assigned to you.`,
      }}
    />
  );
}
